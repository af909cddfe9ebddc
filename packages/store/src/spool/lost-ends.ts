import type { LedgerRecord } from "@cloudwright/core/model/records/record";
import type { RunStart } from "@cloudwright/core/model/run";

/** Finds the runs whose end a full disk has swallowed, so that they do not run for ever in the ledger. */
export interface LostEnds {
  /** To be told of each record, whether it is written or lost. */
  note(record: LedgerRecord): void;
  /** Which of these runs, whose records have all been drained, will have no other end. */
  among(open: readonly RunStart[]): readonly RunStart[];
}

export function trackLostEnds(): LostEnds {
  /** Begun by this process and not ended. */
  const living = new Set<string>();
  return {
    note(record) {
      if (record.type === "run.start") living.add(record.id);
      if (record.type === "run.end") living.delete(record.id);
    },
    among: (open) => open.filter(({ id }) => !living.has(id)),
  };
}
