import type { Trigger } from "../../model/run.ts";

/** The part of a Node that a person changes: its hold was set, changed or lifted. */
export const HOLD = "hold";

/** `parts`: what of the Node has changed. */
export function changeOf(parts: readonly string[]): Trigger {
  return { kind: "change", what: parts.join(SEPARATOR) };
}

export function changesHold(trigger: Trigger): boolean {
  return trigger.kind === "change" && trigger.what.split(SEPARATOR).includes(HOLD);
}

const SEPARATOR = ", ";
