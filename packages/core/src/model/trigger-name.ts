import type { Trigger } from "./run.ts";

/** What a run was begun by, for the log and tables: what repeats by itself is kept apart from what a user asked for. */
export function triggerName({ kind }: Pick<Trigger, "kind">): string {
  return NAMES[kind];
}

/** The kind that a name stands for; the ledger's own names are understood as well. */
export function triggerKindOf(name: string): Trigger["kind"] | undefined {
  return TRIGGER_KINDS.find((kind) => kind === name || NAMES[kind] === name);
}

/** Names of two words have no blank, so that a line of the log stays a list of words. */
const NAMES = {
  change: "change",
  period: "period",
  retry: "auto-retry",
  start: "start",
  intent: "action",
} as const satisfies Record<Trigger["kind"], string>;

export const TRIGGER_KINDS = Object.keys(NAMES) as readonly Trigger["kind"][];
export const TRIGGER_NAMES: readonly string[] = Object.values(NAMES);
