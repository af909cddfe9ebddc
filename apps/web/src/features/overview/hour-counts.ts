import { t } from "@cloudwright/core/model/language/text";
import type { RunMinute } from "@cloudwright/store/views/overview";

export interface Bar extends RunMinute {
  /** Exclusive, milliseconds since the epoch. */
  readonly until: number;
  readonly total: number;
}

const MINUTE_MS = 60_000;

/** Merges minutes into bars of `each` minutes; the last bar may be shorter. */
export function barsOf(minutes: readonly RunMinute[], each: number): readonly Bar[] {
  const bars: Bar[] = [];
  for (let first = 0; first < minutes.length; first += each) {
    const part = minutes.slice(first, first + each);
    const [start, end] = [part[0], part.at(-1)];
    if (start === undefined || end === undefined) continue;
    const sum = (kind: "changed" | "waiting" | "failed") =>
      part.reduce((total, minute) => total + minute[kind], 0);
    const counts = { changed: sum("changed"), waiting: sum("waiting"), failed: sum("failed") };
    const total = counts.changed + counts.waiting + counts.failed;
    bars.push({ at: start.at, until: end.at + MINUTE_MS, ...counts, total });
  }
  return bars;
}

/** `5 changed, 1 failed`, or that there were none. */
export function barText({ changed, waiting, failed }: Omit<RunMinute, "at">): string {
  const parts = [
    changed === 0 ? "" : t`${changed} changed`,
    waiting === 0 ? "" : t`${waiting} requeued`,
    failed === 0 ? "" : t`${failed} failed`,
  ].filter((part) => part !== "");
  return parts.length === 0 ? t`none` : parts.join(", ");
}
