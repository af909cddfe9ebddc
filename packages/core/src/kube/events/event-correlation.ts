import type { Clock } from "../../model/time.ts";
import { createRecentMap } from "./recent-map.ts";

/** The subject of an event: the object's kind, namespace, name and UID in one text. */
export interface EventSubject {
  readonly objectKey: string;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
}

export interface CorrelatedEvent {
  /** Events of one series share one Event object, whose count rises. */
  readonly seriesKey: string;
  readonly message: string;
  /** False if the object has had too many recently: the event is counted, but not sent. */
  readonly admitted: boolean;
}

/** The rules of spec/00 §17, which are client-go's. */
const DIFFERENT_MESSAGES = 10;
const SIMILAR_WITHIN_MS = 600_000;
const BURST = 25;
const REFILL_MS = 300_000;
/** Enough for two kinds of events in progress for every node of the largest cluster. */
const REMEMBERED = 20_000;

const COMBINED_PREFIX = "(combined from similar events): ";

interface Similar {
  readonly messages: Set<string>;
  lastAt: number;
}

interface Bucket {
  tokens: number;
  filledAt: number;
}

/** Decides for one source to which Event object an event belongs, and whether it is sent. */
export function createEventCorrelator(clock: Clock): (event: EventSubject) => CorrelatedEvent {
  const similar = createRecentMap<Similar>(REMEMBERED);
  const buckets = createRecentMap<Bucket>(REMEMBERED);

  function combine({ objectKey, type, reason, message }: EventSubject) {
    const groupKey = JSON.stringify([objectKey, type, reason]);
    const now = clock.monotonic();
    const group = similar.touch(groupKey, () => ({ messages: new Set(), lastAt: now }));
    if (now - group.lastAt > SIMILAR_WITHIN_MS) group.messages.clear();
    group.lastAt = now;
    if (group.messages.has(message) || group.messages.size < DIFFERENT_MESSAGES) {
      group.messages.add(message);
      return { seriesKey: JSON.stringify([groupKey, message]), message };
    }
    return { seriesKey: groupKey, message: COMBINED_PREFIX + message };
  }

  function admit({ objectKey, type }: EventSubject): boolean {
    const now = clock.monotonic();
    const bucket = buckets.touch(JSON.stringify([objectKey, type]), () => ({
      tokens: BURST,
      filledAt: now,
    }));
    bucket.tokens = Math.min(BURST, bucket.tokens + (now - bucket.filledAt) / REFILL_MS);
    bucket.filledAt = now;
    if (bucket.tokens < 1) return false;
    bucket.tokens -= 1;
    return true;
  }

  return (event) => ({ ...combine(event), admitted: admit(event) });
}
