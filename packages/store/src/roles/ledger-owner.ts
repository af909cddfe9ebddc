import type pg from "pg";
import { ownsLedger } from "../sql/roles.ts";

const OWNER_NOTE =
  "The database login owns the ledger, so roles are not separated: give this process the login that `cloudwright migrate` creates for it";
const AGAIN_MS = 30_000;

/** Warns, as soon as the database can be queried, that this process's login owns the ledger. The returned function stops trying. */
export function noteOwner(
  pool: pg.Pool,
  report: (note: string) => void,
  againMs: number = AGAIN_MS,
): () => void {
  let again: NodeJS.Timeout | undefined;
  let isOver = false;
  const ask = async () => {
    try {
      const owns = await ownsLedger(pool);
      if (owns && !isOver) report(OWNER_NOTE);
    } catch {
      // Readers and writers of the ledger report that the database is away or lacks its schema.
      if (!isOver) again = setTimeout(ask, againMs).unref();
    }
  };
  void ask();
  return () => {
    isOver = true;
    clearTimeout(again);
  };
}
