import type { Clock } from "@cloudwright/core/model/time";
import type { StoreLog } from "@cloudwright/store/log";
import { OWNER_NOTE, ownsLedger } from "@cloudwright/store/roles/ledger-owner";

const AGAIN_MS = 30_000;

export interface OwnerNoteOptions {
  readonly pool: Parameters<typeof ownsLedger>[0];
  readonly clock: Clock;
  readonly log: Pick<StoreLog, "warn">;
}

/** Says once, as soon as the database can be asked, that its roles are not separated. The answer ends the asking. */
export function noteOwner({ pool, clock, log }: OwnerNoteOptions): () => void {
  let cancel: () => void = () => undefined;
  let isOver = false;
  const ask = async () => {
    try {
      if (await ownsLedger(pool)) log.warn({}, OWNER_NOTE);
    } catch {
      // That the database is away or lacks its schema is told where the ledger is written.
      if (!isOver) cancel = clock.after(AGAIN_MS, () => void ask());
    }
  };
  void ask();
  return () => {
    isOver = true;
    cancel();
  };
}
