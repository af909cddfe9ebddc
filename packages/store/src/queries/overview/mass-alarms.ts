import type { AlarmedKind, UnknownAlarm, VanishedAlarm } from "../../views/health.ts";

/** So many of a kind, and such a share of it, are many at once. */
const MANY = 3;
const SHARE = 0.1;
/** Machines that vanished so close to one another have one cause. */
const ONE_EVENT_MS = 600_000;

export interface Unseen extends Omit<UnknownAlarm, "kind" | "of"> {
  readonly of: AlarmedKind;
}

/** Undefined while few of the kind could not be looked at. All of a few are many. */
export function unknownAlarm(unseen: Unseen): UnknownAlarm | undefined {
  const { count, total } = unseen;
  const isMany = count > 0 && (count === total || (count >= MANY && count >= total * SHARE));
  return isMany ? { kind: "unknown", ...unseen } : undefined;
}

/** A node whose machine the cloud does not have. */
export interface VanishedNode {
  /** Since when it was missed, or when its node was removed; milliseconds since the epoch. */
  readonly at: number;
  readonly fate: "removed" | "held" | "doubted";
}

/**
 * The newest event in which machines vanished: a deletion that is held is part of it however long ago it was. `present`: nodes
 * that are in the cluster now. Undefined while few vanished, and once all were removed and minutes have passed.
 */
export function vanishedAlarm(
  nodes: readonly VanishedNode[],
  { present, now }: { readonly present: number; readonly now: number },
): VanishedAlarm | undefined {
  const pending = nodes.filter(({ fate }) => fate !== "removed");
  const newest = Math.max(...nodes.map(({ at }) => at));
  if (pending.length === 0 && now - newest > ONE_EVENT_MS) return undefined;
  const first = Math.min(newest, ...pending.map(({ at }) => at));
  const involved = nodes.filter(({ at }) => at >= first - ONE_EVENT_MS);
  const count = (fate: VanishedNode["fate"]) => involved.filter((one) => one.fate === fate).length;
  const total = present + count("removed");
  if (involved.length < MANY || involved.length < total * SHARE) return undefined;
  const since = Math.min(...involved.map(({ at }) => at));
  return {
    kind: "vanished",
    count: involved.length,
    total,
    withinMs: Math.max(...involved.map(({ at }) => at)) - since,
    since,
    removed: count("removed"),
    held: count("held"),
  };
}
