import type { AuditEntry } from "@cloudwright/core/model/audit";
import type { JsonObject } from "@cloudwright/core/model/json";
import type { SqlConditions } from "./keyset.ts";
import { globMatches, keyMatches } from "./runs-filter.ts";

/** Which audit entries are meant; without members, all. In names and actions `*` stands for anything. */
export interface AuditFilter {
  readonly actorId?: string | undefined;
  readonly actorName?: string | undefined;
  /** `node.delete`, or `node.*`. */
  readonly action?: string | undefined;
  /** The name may be `namespace/name`. */
  readonly object?: { readonly kind?: string | undefined; readonly name: string } | undefined;
  readonly result?: AuditEntry["result"] | undefined;
  /** When it happened, milliseconds since the epoch; `to` is not included. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Part of the reason, or of the name of actor, object or client. */
  readonly text?: string | undefined;
  readonly intentId?: string | undefined;
  readonly runId?: string | undefined;
  /** Its number in the chain. */
  readonly seq?: number | undefined;
}

/** As it is written down: times in RFC 3339, and only what selects. */
export function plainFilter({ from, to, ...others }: AuditFilter): JsonObject {
  const times = Object.entries({ from, to }).filter(([, ms]) => ms !== undefined);
  return {
    ...others,
    ...Object.fromEntries(times.map(([name, ms]) => [name, new Date(ms ?? 0).toISOString()])),
  };
}

export function addAuditFilter(where: SqlConditions, filter: AuditFilter): void {
  const { actorName, action, object, from, to, text } = filter;
  const equals = {
    actor_id: filter.actorId,
    object_kind: object?.kind,
    result: filter.result,
    intent_id: filter.intentId,
    run_id: filter.runId,
    seq: filter.seq,
  };
  for (const [column, value] of Object.entries(equals)) {
    if (value !== undefined) where.texts.push(`${column} = ${where.bind(value)}`);
  }
  if (actorName !== undefined) where.texts.push(globMatches(where, "actor_name", actorName));
  if (action !== undefined) where.texts.push(globMatches(where, "action", action));
  if (object !== undefined) where.texts.push(keyMatches(where, object.name));
  if (from !== undefined) where.texts.push(`at >= ${time(where, from)}`);
  if (to !== undefined) where.texts.push(`at < ${time(where, to)}`);
  if (text !== undefined && text !== "") where.texts.push(contains(where, text));
}

const SEARCHED = ["why", "actor_name", "object_name", "action", "client_address"];

function contains(where: SqlConditions, text: string): string {
  const pattern = where.bind(`%${text.replaceAll(/[\\%_]/g, "\\$&")}%`);
  return `(${SEARCHED.map((column) => `${column} ILIKE ${pattern}`).join(" OR ")})`;
}

function time(where: SqlConditions, ms: number): string {
  return `to_timestamp(${where.bind(ms)}::float8 / 1000)`;
}
