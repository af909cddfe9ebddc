import { ACTION_KINDS } from "@cloudwright/core/model/actions/action";
import { type Actor, type AuditEntry, actorSchema } from "@cloudwright/core/model/audit/audit";
import {
  ACTION_ENTRIES,
  actionsOfVerb,
  type EntryAction,
} from "@cloudwright/core/model/audit/audit-verb";
import type { Json } from "@cloudwright/core/model/values/json";
import { z } from "zod";
import type { Database } from "../database/database.ts";
import { AUDIT_PROOFS, type AuditRow, type ListInput, type Page } from "../views/views.ts";
import { withReasons } from "./audit-reasons.ts";
import {
  type Bind,
  equals,
  from,
  literally,
  matchesGlob,
  matchesObject,
  until,
} from "./lists/conditions.ts";
import { type KeyColumn, type List, readList } from "./lists/list.ts";
import { hasRequest } from "./runs/runs.ts";
import {
  asIs,
  asNumber,
  asOptionalText,
  asText,
  asTime,
  OBJECT_COLUMNS,
  readJson,
  type StoredRow,
  storedColumns,
  storedObject,
} from "./stored-json.ts";

/* By hand: a list by keys with counts and glob patterns, which looks up for each row the action it belongs to. */

/** Which audit entries to select; without members, all. In names and actions `*` matches anything. */
export interface AuditFilter {
  readonly actorId?: string | undefined;
  readonly actorName?: string | undefined;
  /** `node.delete`, or `node.*`; `node.hold` also finds who requested a hold of a Node, and how it ended. */
  readonly action?: string | undefined;
  /** The name may be `namespace/name`. */
  readonly object?: { readonly kind?: string | undefined; readonly name: string } | undefined;
  readonly result?: AuditEntry["result"] | undefined;
  /** The time span, milliseconds since the epoch; `to` is exclusive. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Part of the reason, or of the name of actor, object or client. */
  readonly text?: string | undefined;
  readonly intentId?: string | undefined;
  readonly runId?: string | undefined;
  /** The start of the id of a cloud call that the entry's run made, or that its reason names; at least 8 characters. */
  readonly requestId?: string | undefined;
  /** Leaves out previews. */
  readonly withoutPreviews?: boolean | undefined;
  /** The entry's number in the chain. */
  readonly seq?: number | undefined;
}

/** `inserted`: by the number in the chain. `at`: by the time of the event, which differs for records that arrived late. */
export type AuditSort = "inserted" | "at";

/** Lists the audit entries of a cluster, or of the chain `accounts`. Throws OperationError Invalid for a bad limit or cursor. */
export async function listAudit(
  { pool }: Pick<Database, "pool">,
  input: ListInput<AuditFilter, AuditSort>,
): Promise<Page<AuditRow>> {
  const page = await readList(pool, AUDIT_ENTRIES, input);
  return { ...page, rows: await withReasons(pool, input.cluster, page.rows) };
}

/**
 * Returns SQL for a value of the request that an entry belongs to; null for entries without an action. Only the entry of the request holds
 * it; later entries of the same action need not repeat it.
 */
function requested(value: string): string {
  return `(SELECT ${value} FROM audit_entries AS asked
    WHERE asked.chain = audit_entries.chain AND asked.intent_id = audit_entries.intent_id
      AND asked.action = 'intent.request' LIMIT 1)`;
}

const ASKED_KIND = requested("asked.after->>'kind'");
const ASKED_ACTION = requested("COALESCE(asked.after#>>'{wish,kind}', asked.after->>'kind')");

const BY_NUMBER: KeyColumn = { expression: "seq", type: "bigint" };

const BY_TIME: KeyColumn = { expression: "at", type: "timestamp" };

const ENTRY = storedColumns({
  id: asText,
  seq: asNumber,
  at: asTime,
  action: asText,
  why: asText,
  result: asText,
  before: asIs<Json>,
  after: asIs<Json>,
  runId: asOptionalText,
  intentId: asOptionalText,
  hash: asText,
});

/** The columns of the actor and the object. */
const ACTOR_AND_OBJECT = `actor_kind, actor_id, actor_name, ${OBJECT_COLUMNS}`;

export const AUDIT_ENTRIES: List<AuditRow, AuditFilter, AuditSort> = {
  ...{ name: "audit", table: "audit_entries", scope: "chain" },
  columns: `${ENTRY.columns}, ${ACTOR_AND_OBJECT}, client_address, client_agent, written_by, proof,
    ${ASKED_KIND} AS asked_kind, ${ASKED_ACTION} AS asked_action`,
  filters: {
    actorId: equals("actor_id"),
    actorName: matchesGlob("actor_name"),
    action: hasVerb,
    object: ({ kind, name }, bind) => {
      const named = matchesObject(name, bind);
      return kind === undefined ? named : `${named} AND object_kind = ${bind(kind)}`;
    },
    result: equals("result"),
    from: from("at"),
    to: until("at"),
    text: (text, bind) => {
      if (text === "") return undefined;
      const pattern = bind(`%${literally(text)}%`);
      return `(${AUDIT_TEXT}) ILIKE ${pattern}`;
    },
    intentId: equals("intent_id"),
    runId: equals("run_id"),
    requestId: hasRequestOfRun,
    withoutPreviews: (without) =>
      without ? `(intent_id IS NULL OR ${ASKED_KIND} IS DISTINCT FROM 'preview')` : undefined,
    seq: equals("seq"),
  },
  orders: { inserted: [BY_NUMBER], at: [BY_TIME, BY_NUMBER] },
  countsUpTo: ({ text = "" }) => (text === "" ? undefined : COMPARED_MOST),
  view: auditRow,
};

/** How many entries with a text are counted: each one is read and compared, whatever other filters there are. */
const COMPARED_MOST = 2_000;

/** The searched text: one expression, as in `audit_entries_text_idx`. No searched text contains a line break. */
const AUDIT_TEXT = `why || E'\\n' || actor_name || E'\\n' || COALESCE(object_name, '') || E'\\n' || action || E'\\n' || COALESCE(client_address, '')`;

/** Selects actions of that name, and all entries of the actions that users know by it. */
function hasVerb(verb: string, bind: Bind): string | undefined {
  const matches = matchesGlob("action")(verb, bind);
  const actions = actionsOfVerb(verb).map(({ action, kind }) => `${action} ${kind}`);
  if (actions.length === 0) return matches;
  const entries = bind(ACTION_ENTRIES);
  return `(${matches} OR (action = ANY(${entries}::text[]) AND ${ASKED_ACTION} || ' ' || object_kind = ANY(${bind(actions)}::text[])))`;
}

/** Old runs are removed; what an entry itself says stays. */
function hasRequestOfRun(id: string, bind: Bind): string {
  const runs = `SELECT runs.id::text FROM runs WHERE runs.cluster_id = audit_entries.chain AND ${hasRequest(id, bind)}`;
  return `(run_id IN (${runs}) OR strpos(lower(why), ${bind(id.toLowerCase())}::text) > 0)`;
}

function auditRow(row: StoredRow): AuditRow {
  return {
    ...ENTRY.read(row),
    actor: actorOf(row),
    object: objectOf(row),
    intent: requestedAction(row),
    client: clientOf(row),
    evidence: evidenceOf(row),
  };
}

const ACTOR = storedColumns({ actorKind: asText, actorId: asText, actorName: asText });

export function actorOf(row: StoredRow): Actor {
  const { actorKind: kind, actorId: id, actorName: name } = ACTOR.read(row);
  return readJson(actorSchema, { kind, id, name }, { kind: "system", id, name });
}

/** Returns undefined for an entry that concerns no object. */
export function objectOf(row: StoredRow): AuditRow["object"] {
  return row.object_kind === null || row.object_name === null ? undefined : storedObject(row);
}

const kindSchema = z.enum(ACTION_KINDS);

/** Returns undefined also for an action that only a newer release knows. */
function requestedAction({ asked_kind, asked_action }: StoredRow): EntryAction | undefined {
  const kind = kindSchema.safeParse(asked_action).data;
  return kind === undefined ? undefined : { kind, isPreview: asked_kind === "preview" };
}

const CLIENT = storedColumns({ clientAddress: asOptionalText, clientAgent: asOptionalText });

function clientOf(row: StoredRow): AuditRow["client"] {
  const { clientAddress: address, clientAgent: agent } = CLIENT.read(row);
  if (address === undefined && agent === undefined) return undefined;
  return { address: address ?? "", agent: agent ?? "" };
}

function evidenceOf({ written_by: login, proof }: StoredRow): AuditRow["evidence"] {
  const known = AUDIT_PROOFS.find((one) => one === proof);
  return typeof login !== "string" || known === undefined ? undefined : { login, proof: known };
}
