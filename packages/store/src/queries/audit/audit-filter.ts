import type { AuditEntry } from "@cloudwright/core/model/audit/audit";
import { ACTION_ENTRIES, actionsOfVerb } from "@cloudwright/core/model/audit/audit-verb";
import type { JsonObject } from "@cloudwright/core/model/values/json";
import { hasRequest } from "../../ledger/request-keys.ts";
import type { SqlConditions } from "../../sql/keyset.ts";
import { globMatches, keyMatches } from "../runs/runs-filter.ts";
import { ASKED_ACTION, ASKED_KIND } from "./requested-action.ts";

/** Which audit entries are meant; without members, all. In names and actions `*` stands for anything. */
export interface AuditFilter {
  readonly actorId?: string | undefined;
  readonly actorName?: string | undefined;
  /** `node.delete`, or `node.*`; `node.hold` also finds who asked for a hold of a Node, and what came of that. */
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
  /** The start of the id of a cloud call that its run made, or that its reason names; at least 8 characters. */
  readonly requestId?: string | undefined;
  /** Leaves out who only asked what would be done. */
  readonly withoutPreviews?: boolean | undefined;
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
  addValues(where, filter);
  const { actorName, action, object, from, to, text, requestId } = filter;
  if (actorName !== undefined) where.texts.push(globMatches(where, "actor_name", actorName));
  if (action !== undefined) where.texts.push(hasVerb(where, action));
  if (object !== undefined) where.texts.push(keyMatches(where, object.name));
  if (from !== undefined) where.texts.push(`at >= ${time(where, from)}`);
  if (to !== undefined) where.texts.push(`at < ${time(where, to)}`);
  if (requestId !== undefined) where.texts.push(hasRequestOfRun(where, requestId));
  if (filter.withoutPreviews === true) where.texts.push(NO_PREVIEW);
  if (text !== undefined && text !== "") where.texts.push(contains(where, text));
}

function addValues(where: SqlConditions, { object, ...filter }: AuditFilter): void {
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
}

const NO_PREVIEW = `(intent_id IS NULL OR ${ASKED_KIND} IS DISTINCT FROM 'preview')`;

/** What was done by that name, and all entries of the actions that users know by it. */
function hasVerb(where: SqlConditions, verb: string): string {
  const matches = globMatches(where, "action", verb);
  const actions = actionsOfVerb(verb).map(({ action, kind }) => `${action} ${kind}`);
  if (actions.length === 0) return matches;
  const entries = where.bind(ACTION_ENTRIES);
  return `(${matches} OR (action = ANY(${entries}::text[]) AND ${ASKED_ACTION} || ' ' || object_kind = ANY(${where.bind(actions)}::text[])))`;
}

/** Runs are removed when they are old; what an entry says itself stays. */
function hasRequestOfRun(where: SqlConditions, id: string): string {
  const runs = `SELECT runs.id::text FROM runs WHERE runs.cluster_id = audit_entries.chain AND ${hasRequest(where, id)}`;
  return `(run_id IN (${runs}) OR strpos(lower(why), ${where.bind(id.toLowerCase())}::text) > 0)`;
}

const SEARCHED = ["why", "actor_name", "object_name", "action", "client_address"];

function contains(where: SqlConditions, text: string): string {
  const pattern = where.bind(`%${text.replaceAll(/[\\%_]/g, "\\$&")}%`);
  return `(${SEARCHED.map((column) => `${column} ILIKE ${pattern}`).join(" OR ")})`;
}

function time(where: SqlConditions, ms: number): string {
  return `to_timestamp(${where.bind(ms)}::float8 / 1000)`;
}
