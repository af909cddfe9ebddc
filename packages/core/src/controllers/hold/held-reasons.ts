import type { ReasonOf } from "../../model/reason.ts";
import { phrased } from "../../model/reasons/phrases.ts";

/** What is said of the objects that controllers of the release hold, each as a whole sentence; what others hold is named in English. */
const SAID = {
  "the node": { held: "nodeHeldAsRequested", free: "nodeNotHeld", notFor: "notForNode" },
  "the Service": {
    held: "serviceHeldAsRequested",
    free: "serviceNotHeld",
    notFor: "notForService",
  },
  "the volume": { held: "volumeHeldAsRequested", free: "volumeNotHeld", notFor: "notForVolume" },
} as const;

/** `name`: `the node`. */
export function heldAsRequested(name: string): ReasonOf<"NothingToDo"> {
  return {
    code: "NothingToDo",
    ...(isKnown(name)
      ? phrased("what", SAID[name].held)
      : { what: `${name} is held as requested` }),
  };
}

export function notHeld(name: string): ReasonOf<"NothingToDo"> {
  return {
    code: "NothingToDo",
    ...(isKnown(name) ? phrased("what", SAID[name].free) : { what: `${name} is not held` }),
  };
}

export function notFor(name: string, action: string): ReasonOf<"WishRefused"> {
  return {
    code: "WishRefused",
    ...(isKnown(name)
      ? phrased("problem", SAID[name].notFor, action)
      : { problem: `the action ${action} does not apply to ${name}` }),
  };
}

function isKnown(name: string): name is keyof typeof SAID {
  return Object.hasOwn(SAID, name);
}
