import { carrierFor } from "../../model/controller-names.ts";
import { type GuardStatus, heldCount } from "../../model/controls.ts";
import { formatDuration } from "../../model/language/duration.ts";
import type { Clock } from "../../model/time.ts";
import type { ControlDiary } from "./control-diary.ts";

/** How often a continuing alarm is reported again. */
const ALARM_EVERY_MS = 300_000;
const GUARDED = carrierFor("release-guard", "Controller");
const MOST_NAMES = 100;

/** Alerts an admin while deletions are held (DESIGN.md "Deletion guard"). */
export interface GuardAlarm {
  /** Must be called when the first deletion is held: adds an audit entry. */
  tripped(): void;
  /**
   * Must be called when the record has changed, and periodically: sends an Event when more deletions wait, and repeats it while they
   * do.
   */
  review(): void;
}

export interface GuardAlarmOptions {
  readonly diary: ControlDiary;
  readonly clock: Clock;
  /** Undefined while the guard is off. */
  status(): GuardStatus | undefined;
}

export function createGuardAlarm({ diary, clock, status }: GuardAlarmOptions): GuardAlarm {
  let reportedCount = 0;
  let reportedAt = 0;
  return {
    tripped: () => {
      const now = status();
      if (now === undefined) return;
      const { deleted, limit, windowMs, held } = now;
      diary.audit({
        controller: GUARDED,
        action: "guard.hold",
        object: { kind: "Controller", name: GUARDED },
        why: messageOf(now),
        result: "applied",
        before: { held: [] },
        after: {
          held: held.slice(0, MOST_NAMES).map(({ name }) => name),
          deleted,
          limit,
          windowMs,
        },
      });
    },
    review: () => {
      const now = status();
      const count = now === undefined ? 0 : heldCount(now);
      const isNews = count > reportedCount || clock.monotonic() - reportedAt >= ALARM_EVERY_MS;
      reportedCount = count === 0 || isNews ? count : reportedCount;
      if (now === undefined || count === 0 || !isNews) return;
      reportedAt = clock.monotonic();
      diary.event("DeletionGuardHeld", messageOf(now));
    },
  };
}

function messageOf(status: GuardStatus): string {
  const { deleted, limit, windowMs } = status;
  const count = heldCount(status);
  const waiting = count === 1 ? "1 more deletion waits" : `${count} more deletions wait`;
  return `${deleted} of at most ${limit} nodes were deleted within ${formatDuration(windowMs)}, so ${waiting} for an admin. Check in the cloud that these machines are really gone, then release the deletion guard.`;
}
