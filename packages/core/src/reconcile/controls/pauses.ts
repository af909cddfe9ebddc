import type { Pause } from "../../model/controls.ts";

/** Returns the pause of a controller that is in force now. */
export function pauseOf(
  pauses: readonly Pause[],
  controller: string,
  nowMs: number,
): Pause | undefined {
  return pauses.find((pause) => pause.controller === controller && pause.until > nowMs);
}

export function pausesInForce(pauses: readonly Pause[], nowMs: number): readonly Pause[] {
  return pauses.filter(({ until }) => until > nowMs);
}

export function isSamePause(one: Pause, other: Pause): boolean {
  return (
    one.intentId === other.intentId &&
    one.controller === other.controller &&
    one.until === other.until
  );
}

/** Returns the milliseconds until the next pause ends; undefined without a pause. */
export function nextEndMs(pauses: readonly Pause[], nowMs: number): number | undefined {
  const ends = pausesInForce(pauses, nowMs).map(({ until }) => until - nowMs);
  return ends.length === 0 ? undefined : Math.min(...ends);
}
