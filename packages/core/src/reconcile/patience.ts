import { factsOf } from "../model/reason.ts";
import type { Clock } from "../model/time.ts";
import type { Preview } from "./loop-port.ts";

const BETWEEN_ATTEMPTS_MS = 1_000;
/** How long in total we keep checking a cloud that is still at work, and the longest pause between two checks. */
const AT_WORK_LIMIT_MS = 300_000;
const LONGEST_AT_WORK_MS = 10_000;

/**
 * Returns, after each check that showed no effect, how many milliseconds to wait for the next one; undefined after the last.
 * There are at most `most` checks, not counting those that found the cloud still at work.
 */
export function createPatience(
  clock: Clock,
  most: number,
): (preview: Preview) => number | undefined {
  const giveUpAt = clock.monotonic() + AT_WORK_LIMIT_MS;
  let previews = 0;
  return (preview) => {
    const workMs = clock.monotonic() < giveUpAt ? atWorkMs(preview) : undefined;
    if (workMs !== undefined) return workMs;
    previews += 1;
    return previews < most ? BETWEEN_ATTEMPTS_MS : undefined;
  };
}

function atWorkMs({ plan: { next } }: Preview): number | undefined {
  if (next.kind !== "waiting" || factsOf(next.reason.code).isCloudAtWork !== true) return undefined;
  return Math.min(Math.max(next.forMs, BETWEEN_ATTEMPTS_MS), LONGEST_AT_WORK_MS);
}
