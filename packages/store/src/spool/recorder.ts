import type { LedgerRecord } from "@cloudwright/core/model/records/record";
import type { Clock } from "@cloudwright/core/model/time";
import type { Recorder } from "@cloudwright/core/reconcile/ports";
import type { Spool } from "./spool.ts";

/** Records that wait at most. */
const MOST_WAITING = 64;

export interface SpoolRecorder extends Recorder {
  /** Writes what waits; called before the spool is closed. */
  flush(): void;
}

/**
 * Appends to the spool. The start of a run is there as soon as `append` returns, with all before it, as its writes follow; what else is recorded in one
 * turn of the event loop is written together at its end, as each write costs as much as making the record.
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
