import { isLaterThan } from "../../model/records/object-event.ts";
import { createRecentMap } from "../events/recent-map.ts";
import type { SeenEvent } from "./read-event.ts";

/**
 * Events that wait to be recorded: only the newest state of each, so that one that repeats many times a second is one
 * record.
 */
export interface PendingEvents {
  /** Ignores what is already recorded. Returns false if it was left out because too many wait. */
  put(event: SeenEvent): boolean;
  /** Takes the oldest ones, at most this many. */
  take(most: number): readonly SeenEvent[];
  readonly size: number;
}

interface PendingLimits {
  /** How many may wait. */
  readonly most: number;
  /** For how many Events the last record is remembered: a repeated list contains most of them again. */
  readonly remembered: number;
}

export function createPendingEvents({ most, remembered }: PendingLimits): PendingEvents {
  const pending = new Map<string, SeenEvent>();
  const recorded = createRecentMap<{ mark: string | undefined }>(remembered);
  const recordOf = (uid: string) => recorded.touch(uid, () => ({ mark: undefined }));
  return {
    put: (event) => {
      const waiting = pending.get(event.uid);
      if (waiting === undefined && recordOf(event.uid).mark === markOf(event)) return true;
      if (waiting === undefined && pending.size >= most) return false;
      if (waiting === undefined || isLaterThan(event, waiting)) pending.set(event.uid, event);
      return true;
    },
    take: (count) => {
      const taken: SeenEvent[] = [];
      for (const event of pending.values()) {
        if (taken.length >= count) break;
        taken.push(event);
      }
      for (const event of taken) {
        pending.delete(event.uid);
        recordOf(event.uid).mark = markOf(event);
      }
      return taken;
    },
    get size() {
      return pending.size;
    },
  };
}

function markOf({ lastAt, count }: SeenEvent): string {
  return `${lastAt} ${count}`;
}
