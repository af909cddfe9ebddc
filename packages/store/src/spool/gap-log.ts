import { randomUUID } from "node:crypto";
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";

/** What was lost, and of which time: milliseconds since the epoch. */
export interface Loss {
  readonly from: number;
  readonly to: number;
  readonly records: number;
  readonly calls: number;
}

/** What was lost since the last report to the ledger. It outlives the process where the disk allows. */
export interface GapLog {
  add(loss: Loss, nowMs: number): void;
  /** The gap, once it is over or so long that it should be reported; undefined while there is none. */
  due(nowMs: number): Gap | undefined;
  /** It is in the ledger, or on its way. */
  reported(): void;
  /** Leaves what is not reported yet to the next process. */
  keep(): void;
}

export interface Gap extends Loss {
  /** The same until it is reported, so that it is one row however often it is written. */
  readonly id: string;
}

/** A gap counts as over when nothing more was lost for so long … */
const OVER_AFTER_MS = 5_000;
/** … and one that goes on is reported in parts. */
const LONGEST_MS = 60_000;

/** The disk may have refused a record a moment ago; it is bothered no more often than this. */
const KEEP_EVERY_MS = 1_000;

/** `attempt` does what the disk may refuse, and notes why it did. */
export function openGapLog(folder: string, attempt: (write: () => void) => boolean): GapLog {
  const file = path.join(folder, "gap.json");
  let gap = read(file);
  let keptAt = Number.NEGATIVE_INFINITY;
  let isKept = true;
  const keep = () => {
    if (isKept) return;
    // Where there is no room for it either, the gap is known to this process alone.
    isKept = attempt(() => {
      writeFileSync(`${file}.next`, JSON.stringify(gap), { mode: 0o600 });
      renameSync(`${file}.next`, file);
    });
  };
  return {
    add(loss, nowMs) {
      gap = widened(gap ?? begun(loss, nowMs), loss, nowMs);
      isKept = false;
      if (nowMs - keptAt < KEEP_EVERY_MS) return;
      keptAt = nowMs;
      keep();
    },
    due(nowMs) {
      if (gap === undefined) return undefined;
      const { beganAt, lastAt, ...reported } = gap;
      const isDue = nowMs - lastAt >= OVER_AFTER_MS || nowMs - beganAt >= LONGEST_MS;
      return isDue ? reported : undefined;
    },
    keep,
    reported() {
      gap = undefined;
      isKept = true;
      attempt(() => rmSync(file, { force: true }));
    },
  };
}

const schema = z.object({
  id: z.string(),
  from: z.number(),
  to: z.number(),
  records: z.number(),
  calls: z.number(),
  beganAt: z.number(),
  lastAt: z.number(),
});
type KeptGap = Readonly<z.infer<typeof schema>>;

function read(file: string): KeptGap | undefined {
  try {
    return schema.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    // There is none, or a full disk took only a part of it: then only the sums of this process are reported.
    return undefined;
  }
}

function begun(loss: Loss, nowMs: number): KeptGap {
  return {
    id: randomUUID(),
    from: loss.from,
    to: loss.to,
    records: 0,
    calls: 0,
    beganAt: nowMs,
    lastAt: nowMs,
  };
}

function widened(gap: KeptGap, loss: Loss, nowMs: number): KeptGap {
  return {
    ...gap,
    from: Math.min(gap.from, loss.from),
    to: Math.max(gap.to, loss.to),
    records: gap.records + loss.records,
    calls: gap.calls + loss.calls,
    lastAt: nowMs,
  };
}
