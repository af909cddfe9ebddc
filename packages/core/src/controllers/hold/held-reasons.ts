import type { ReasonOf } from "../../model/reason.ts";
import { phrased } from "../../model/reasons/phrases.ts";

/** The sentences for objects that our own controllers hold; objects of other controllers are named in English. */
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
  const what = isKnown(name)
    ? phrased("what", SAID[name].held)
    : phrased("what", "otherHeldAsRequested", name);
  return { code: "NothingToDo", ...what };
}

export function notHeld(name: string): ReasonOf<"NothingToDo"> {
  const what = isKnown(name)
    ? phrased("what", SAID[name].free)
    : phrased("what", "otherNotHeld", name);
  return { code: "NothingToDo", ...what };
}

export function notFor(name: string, action: string): ReasonOf<"WishRefused"> {
  const problem = isKnown(name)
    ? phrased("problem", SAID[name].notFor, action)
    : phrased("problem", "notForOther", action, name);
  return { code: "WishRefused", ...problem };
}

function isKnown(name: string): name is keyof typeof SAID {
  return Object.hasOwn(SAID, name);
}
