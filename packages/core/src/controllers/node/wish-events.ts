import { eventMessage } from "../../model/sentence.ts";
import type { NodeEvent } from "../objects/node-events.ts";
import type { NodeChange } from "./changes.ts";
import { freedUnfinished } from "./override.ts";

/** What users of kubectl read of a user's action: who did it, and why. */
export function eventOfWish(change: NodeChange): NodeEvent | undefined {
  switch (change.kind) {
    case "node.hold": {
      const { by, why } = change.reason;
      const { until: untilMs } = change.after.hold;
      const message = eventMessage({ code: "HeldByAnnotation", by, why, untilMs });
      return { type: "Normal", reason: "Held", message };
    }
    case "node.release":
      return { type: "Normal", reason: "Released", message: eventMessage(change.reason) };
    case "node.override": {
      const reason = freedUnfinished({ ...change.reason, untilMs: change.after.until });
      return { type: "Normal", reason: "TaintOverridden", message: eventMessage(reason) };
    }
    default:
      return undefined;
  }
}
