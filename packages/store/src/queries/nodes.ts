import { CONTROLLER_NAMES } from "@cloudwright/core/model/controller-names";
import { addressSchema } from "@cloudwright/core/model/node-record";
import { controllerNameSchema, outcomeSchema } from "@cloudwright/core/model/run";
import { driftSchema, STATES, type State, stateSchema } from "@cloudwright/core/model/state";
import type pg from "pg";
import { z } from "zod";
import type { Database } from "../database.ts";
import type { ListInput, NodeRow, NodeSort, NodesFilter, NodesPage } from "../views.ts";
import {
  type KeyColumn,
  type KeysetQuery,
  keysetPage,
  type SqlConditions,
  sqlConditions,
} from "./keyset.ts";
import { orUndefined, readJson, readReason, readTime } from "./stored-json.ts";

/**
 * Nodes of a cluster. Gone nodes are listed only when the filter names the state. Text is looked for, in any case, in
 * name, provider ID and addresses. Throws OperationError Invalid for a bad limit or cursor.
 */
export async function listNodes(
  db: Database,
  input: ListInput<NodesFilter, NodeSort>,
): Promise<NodesPage> {
  const [page, counts, choices] = await Promise.all([
    keysetPage(nodesQuery(db.pool, input)),
    countStates(db.pool, input.cluster),
    listChoices(db.pool, input.cluster),
  ]);
  return { ...page, counts, ...choices };
}

/** How many nodes, or Services, of a cluster are in each state, gone ones too. */
export async function countStates(
  pool: pg.Pool,
  cluster: string,
  kind: "Node" | "Service" = "Node",
): Promise<Readonly<Record<State, number>>> {
  const result = await pool.query<{ state: string; count: number }>(
    "SELECT state, count(*)::int AS count FROM object_states WHERE cluster_id = $1 AND kind = $2 GROUP BY state",
    [cluster, kind],
  );
  const found = new Map(result.rows.map((row) => [row.state, row.count]));
  const count = (state: State) => found.get(state) ?? 0;
  return {
    stuck: count("stuck"),
    unknown: count("unknown"),
    waiting: count("waiting"),
    working: count("working"),
    held: count("held"),
    ok: count("ok"),
    gone: count("gone"),
  };
}

/** Exported for the test that asks the database how it would run it. */
export function nodesQuery(
  pool: pg.Pool,
  input: ListInput<NodesFilter, NodeSort>,
): KeysetQuery<StoredNode, NodeRow> {
  const where = sqlConditions();
  where.texts.push(`cluster_id = ${where.bind(input.cluster)}`, "kind = 'Node'");
  addFilter(where, input.filter);
  return {
    pool,
    table: "object_states",
    columns: NODE_COLUMNS,
    where,
    order: ORDERS[input.sort.by],
    descending: input.sort.descending,
    binding: { list: "nodes", cluster: input.cluster, filter: input.filter, sort: input.sort },
    cursor: input.cursor,
    limit: input.limit,
    view: nodeRow,
  };
}

export const NODE_COLUMNS =
  "name, uid, state, state_rank, reason, controller, since, next_at, failures, init_ms, zone, instance_type, provider_id, addresses, drift, ready, last_run_id, last_run_outcome, last_run_at, updated_at";

/** The columns of a node's row as the driver answers them; bigint comes as text. */
export interface StoredNode {
  readonly name: string;
  readonly uid: string;
  readonly state: string;
  readonly state_rank: number;
  readonly reason: unknown;
  readonly controller: string;
  readonly since: Date;
  readonly next_at: Date | null;
  readonly failures: number;
  readonly init_ms: string | null;
  readonly zone: string;
  readonly instance_type: string;
  readonly provider_id: string | null;
  readonly addresses: unknown;
  readonly drift: string;
  readonly ready: string | null;
  readonly last_run_id: string;
  readonly last_run_outcome: string;
  readonly last_run_at: Date;
  readonly updated_at: Date;
}

export function nodeRow(row: StoredNode): NodeRow {
  return {
    name: row.name,
    uid: row.uid,
    state: readJson(stateSchema, row.state, "unknown"),
    reason: readReason(row.reason),
    controller: readJson(
      controllerNameSchema,
      row.controller,
      CONTROLLER_NAMES[0] as "cloud-node-controller",
    ),
    since: row.since.getTime(),
    nextAt: readTime(row.next_at),
    failures: row.failures,
    initMs: row.init_ms === null ? undefined : Number(row.init_ms),
    zone: row.zone === "" ? undefined : row.zone,
    instanceType: row.instance_type === "" ? undefined : row.instance_type,
    providerID: orUndefined(row.provider_id),
    addresses: readJson(z.array(addressSchema), row.addresses, []),
    drift: readJson(driftSchema, row.drift, "notChecked"),
    ready: readJson(READY, row.ready, undefined),
    lastRun: {
      id: row.last_run_id,
      outcome: readJson(outcomeSchema, row.last_run_outcome, "failed"),
      at: row.last_run_at.getTime(),
    },
    updatedAt: row.updated_at.getTime(),
  };
}

const READY = z.enum(["True", "False", "Unknown", "Missing"]);

const BY_NAME: KeyColumn<StoredNode> = {
  expression: "name",
  type: "text",
  value: (row) => row.name,
};
const BY_SINCE: KeyColumn<StoredNode> = {
  expression: "since",
  type: "timestamp",
  value: (row) => row.since.getTime(),
};

const ORDERS: Record<NodeSort, readonly KeyColumn<StoredNode>[]> = {
  state: [
    { expression: "state_rank", type: "number", value: (row) => row.state_rank },
    BY_SINCE,
    BY_NAME,
  ],
  name: [BY_NAME],
  since: [BY_SINCE, BY_NAME],
  init: [
    {
      expression: "COALESCE(init_ms, -1)",
      type: "number",
      value: (row) => Number(row.init_ms ?? -1),
    },
    BY_NAME,
  ],
  zone: [{ expression: "zone", type: "text", value: (row) => row.zone }, BY_NAME],
  type: [{ expression: "instance_type", type: "text", value: (row) => row.instance_type }, BY_NAME],
};

function addFilter(where: SqlConditions, filter: NodesFilter): void {
  const states = filter.states ?? STATES.filter((state) => state !== "gone");
  where.texts.push(`state_rank = ANY(${where.bind(states.map(rankOf))}::smallint[])`);
  if (filter.text !== undefined && filter.text !== "") {
    where.texts.push(`strpos(search_text, ${where.bind(filter.text.toLowerCase())}) > 0`);
  }
  if (filter.zones !== undefined)
    where.texts.push(`zone = ANY(${where.bind(filter.zones)}::text[])`);
  if (filter.types !== undefined) {
    where.texts.push(`instance_type = ANY(${where.bind(filter.types)}::text[])`);
  }
  if (filter.reason !== undefined) where.texts.push(`reason_code = ${where.bind(filter.reason)}`);
  if (filter.drift !== undefined) where.texts.push(`drift = ${where.bind(filter.drift)}`);
}

function rankOf(state: State): number {
  return STATES.indexOf(state);
}

async function listChoices(
  pool: pg.Pool,
  cluster: string,
): Promise<Pick<NodesPage, "zones" | "types">> {
  const result = await pool.query<{ zone: string; instance_type: string }>(
    "SELECT DISTINCT zone, instance_type FROM object_states WHERE cluster_id = $1 AND kind = 'Node' AND state <> 'gone'",
    [cluster],
  );
  const distinct = (values: readonly string[]) =>
    [...new Set(values)]
      .filter((value) => value !== "")
      .sort((left, right) => (left < right ? -1 : 1));
  return {
    zones: distinct(result.rows.map((row) => row.zone)),
    types: distinct(result.rows.map((row) => row.instance_type)),
  };
}
