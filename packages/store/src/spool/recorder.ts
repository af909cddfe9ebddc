import type { LedgerRecord } from "@cloudwright/core/model/records/record";
import type { Clock } from "@cloudwright/core/model/time";
import type { Recorder } from "@cloudwright/core/reconcile/ports";
import type { Spool } from "./spool.ts";

/** The most records that wait. */
const MOST_WAITING = 64;

export interface SpoolRecorder extends Recorder {
  /** Writes the waiting records; called before the spool is closed. */
  flush(): void;
}

/**
 * Appends to the spool. A run's start, and everything before it, is written when `append` returns, as the run's writes follow. Other
 * records of one turn of the event loop are written together at its end, as each write costs as much as making the record.
 */
export function createRecorder(spool: Pick<Spool, "append">, clock: Clock): SpoolRecorder {
  let waiting: LedgerRecord[] = [];
  let isScheduled = false;

  function flush(): void {
    if (waiting.length === 0) return;
    const records = waiting;
    waiting = [];
    spool.append(...records);
  }

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    clock.after(0, () => {
      isScheduled = false;
      flush();
    });
  }

  return {
    append(record) {
      waiting.push(record);
      if (record.type === "run.start" || waiting.length >= MOST_WAITING) flush();
      else schedule();
    },
    flush,
  };
}
