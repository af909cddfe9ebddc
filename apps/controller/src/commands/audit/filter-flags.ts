import { AUDIT_RESULTS } from "@cloudwright/core/model/audit/audit";
import type { AuditFilter } from "@cloudwright/store/sql/audit-entries";
import type { Command } from "commander";
import { oneOf } from "../../flags/kinds.ts";
import { timeOf } from "../ledger/ledger-selection.ts";
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
    .option("--from <time>", "since this time: 1h30m ago, or 2026-01-31T12:00:00Z")
    .option("--to <time>", "before this time, in the same format")
    .option("--text <part>", "with this text in the reason or in a name");
}

/** What the options select. Throws PlainError for a time that is none. */
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
