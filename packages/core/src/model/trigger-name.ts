import type { Trigger } from "./run.ts";

/**
 * Returns the name of a run's trigger for the log and tables, which separates periodic triggers from users' requests.
 */
export function triggerName({ kind }: Pick<Trigger, "kind">): string {
  return NAMES[kind];
}

/** Returns the kind for a name; the ledger's own names are accepted as well. */
export function triggerKindOf(name: string): Trigger["kind"] | undefined {
  return TRIGGER_KINDS.find((kind) => kind === name || NAMES[kind] === name);
}

/** Names of two words have no space, so that a log line remains a list of words. */
const NAMES = {
  change: "change",
  period: "period",
  retry: "auto-retry",
  start: "start",
  intent: "action",
} as const satisfies Record<Trigger["kind"], string>;

export const TRIGGER_KINDS = Object.keys(NAMES) as readonly Trigger["kind"][];
export const TRIGGER_NAMES: readonly string[] = Object.values(NAMES);
