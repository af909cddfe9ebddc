import type { GuardRecord, GuardWindow } from "./guard-record.ts";

/** Adds what was counted and held without the record to the record; nothing is lost. */
export function mergeGuards(kept: GuardRecord, remembered: GuardRecord): GuardRecord {
  if (isWithin(remembered, kept)) return kept;
  const known = new Set(kept.held.map(({ uid }) => uid));
  const added = remembered.held.filter(({ uid }) => !known.has(uid));
  return {
    ...kept,
    window: mergeWindows(kept.window, remembered.window),
    held: [...kept.held, ...added].toSorted((one, other) => one.since - other.since),
  };
}

function isWithin(part: GuardRecord, whole: GuardRecord): boolean {
  const held = new Set(whole.held.map(({ uid }) => uid));
  const taken = new Set(whole.window?.taken);
  return (
    part.held.every(({ uid }) => held.has(uid)) &&
    (part.window?.taken ?? []).every((uid) => taken.has(uid))
  );
}

function mergeWindows(
  one: GuardWindow | undefined,
  other: GuardWindow | undefined,
): GuardWindow | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  const first = one.startedAt <= other.startedAt ? one : other;
  return { ...first, taken: [...new Set([...one.taken, ...other.taken])] };
}
