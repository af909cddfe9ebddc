import { systemClock } from "@cloudwright/core/kube/system-clock";
import { AUDIT_RESULTS } from "@cloudwright/core/model/audit/audit";
import { ACCOUNTS_CHAIN } from "@cloudwright/store/audit/entry-text";
import type { Database } from "@cloudwright/store/database/database";
import { type AuditFilter, listAudit } from "@cloudwright/store/sql/audit-entries";
import type { AuditRow } from "@cloudwright/store/views/views";
import type { Command } from "commander";
import { oneOf } from "../../flags/kinds.ts";
import { clusterId, firstRows, timeOf } from "../ledger/ledger-selection.ts";
import { option } from "../terminal/options.ts";

/** The options that select audit entries, as they were written. */
export interface AuditFilterFlags {
  readonly actor?: string;
  readonly action?: string;
  readonly object?: string;
  readonly result?: (typeof AUDIT_RESULTS)[number];
  readonly from?: string;
  readonly to?: string;
  readonly text?: string;
}

export const CLUSTER_OPTION = [
  "--cluster <id or name>",
  "entries of this cluster; accounts: entries about user accounts; required if the ledger has several clusters",
] as const;

export function addFilterOptions(command: Command): Command {
  return command
    .option("--actor <name>", "by this user or controller; * matches anything")
    .option("--action <name>", "such as node.delete, or node.*")
    .option("--object <name>", "about this object; * matches anything, a/b is namespace and name")
    .option("--result <result>", AUDIT_RESULTS.join(", "), option(oneOf(AUDIT_RESULTS)))
    .option("--from <time>", "since this time: 1h30m (before now), or 2026-01-31T12:00:00Z")
    .option("--to <time>", "before this time, in the same format")
    .option("--text <part>", "with this text in the reason or in a name");
}

/** Turns the options into a filter. Throws PlainError for an invalid time. */
export function auditFilter(flags: AuditFilterFlags, nowMs: number): AuditFilter {
  const { actor, action, object, result, text } = flags;
  const from = timeOf("--from", flags.from, nowMs);
  const to = timeOf("--to", flags.to, nowMs);
  return {
    ...(actor === undefined ? {} : { actorName: actor }),
    ...(action === undefined ? {} : { action }),
    ...(object === undefined ? {} : { object: { name: object } }),
    ...(result === undefined ? {} : { result }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(text === undefined ? {} : { text }),
  };
}

export interface EntriesFlags extends AuditFilterFlags {
  readonly cluster?: string;
  readonly limit: number;
}

/** Yields the entries that the options select, by the time of the event, newest first. Throws PlainError for an invalid option. */
export async function* selectEntries(db: Database, flags: EntriesFlags): AsyncGenerator<AuditRow> {
  const filter = auditFilter(flags, systemClock.now());
  const cluster = await chainOf(db, flags.cluster);
  const sort = { by: "at", descending: true } as const;
  yield* firstRows(flags.limit, (part) => listAudit(db, { cluster, filter, sort, ...part }));
}

/** Returns the chain of the only cluster, of the named one, or of accounts. */
export function chainOf(db: Database, wanted: string | undefined): Promise<string> {
  return wanted === ACCOUNTS_CHAIN ? Promise.resolve(wanted) : clusterId(db, wanted);
}
