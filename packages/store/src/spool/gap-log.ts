import { randomUUID } from "node:crypto";
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";

/** The number of lost records or calls, and their time span, milliseconds since the epoch. */
export interface Loss {
  readonly from: number;
  readonly to: number;
  readonly records: number;
  readonly calls: number;
}

/** The losses since the last report to the ledger. They outlive the process if the disk allows. */
export interface GapLog {
  add(loss: Loss, nowMs: number): void;
  /** Returns the gap once it is over or long enough to be reported; undefined while there is none. */
  due(nowMs: number): Gap | undefined;
  /** The gap is in the ledger, or on its way. */
  reported(): void;
  /** Saves the unreported losses for the next process. */
  keep(): void;
}

export interface Gap extends Loss {
  /** Unchanged until the gap is reported, so that it is one row however often it is written. */
  readonly id: string;
}

/** A gap is over when nothing more was lost for this long … */
const OVER_AFTER_MS = 5_000;
/** … and a longer gap is reported in parts. */
const LONGEST_MS = 60_000;

/** The disk may have just refused a record, so it is written to no more often than this. */
const KEEP_EVERY_MS = 1_000;

/** `attempt` does what the disk may refuse, and records the error. */
export function openGapLog(folder: string, attempt: (write: () => void) => boolean): GapLog {
  const file = path.join(folder, "gap.json");
  let gap = read(file);
  let keptAt = Number.NEGATIVE_INFINITY;
  let isKept = true;
  const keep = () => {
    if (isKept) return;
    // If there is no room for it either, only this process knows the gap.
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
    // Missing, or cut short by a full disk: then only this process's losses are reported.
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
