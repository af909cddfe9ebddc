import { systemClock } from "@cloudwright/core/kube/system-clock";
import { ACCOUNTS_CHAIN } from "@cloudwright/store/audit/entry-text";
import type { Database } from "@cloudwright/store/database/database";
import { listAudit } from "@cloudwright/store/sql/audit-entries";
import type { AuditRow } from "@cloudwright/store/views/views";
import { clusterId, firstRows } from "../ledger/ledger-selection.ts";
import { type AuditFilterFlags, auditFilter } from "./filter-flags.ts";

export interface EntriesFlags extends AuditFilterFlags {
  readonly cluster?: string;
  readonly limit: number;
}

/** The entries that the options ask for, by the time of what happened, newest first. Throws PlainError for an option that cannot be. */
export async function* selectEntries(db: Database, flags: EntriesFlags): AsyncGenerator<AuditRow> {
  const filter = auditFilter(flags, systemClock.now());
  const cluster = await chainOf(db, flags.cluster);
  const sort = { by: "at", descending: true } as const;
  yield* firstRows(flags.limit, (part) => listAudit(db, { cluster, filter, sort, ...part }));
}

/** The chain of the only cluster, of the one that is named, or of accounts. */
export function chainOf(db: Database, wanted: string | undefined): Promise<string> {
  return wanted === ACCOUNTS_CHAIN ? Promise.resolve(wanted) : clusterId(db, wanted);
}
