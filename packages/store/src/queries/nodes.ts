import { addressSchema } from "@cloudwright/core/model/node-record";
import { driftSchema, STATES, type State } from "@cloudwright/core/model/state";
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
import {
  BY_NAME,
  BY_SINCE,
  BY_STATE,
  objectSummary,
  type StoredSummary,
  SUMMARY_COLUMNS,
} from "./object-summary.ts";
import { orUndefined, readJson } from "./stored-json.ts";

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
  return stateCounts(result.rows.map((row) => [row.state, row.count]));
}

/** Counts by state as every list answers them; a state that this version does not know is left out. */
export function stateCounts(
  counted: readonly (readonly [string, number])[],
): Readonly<Record<State, number>> {
  const found = new Map(counted);
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

export const NODE_COLUMNS = `${SUMMARY_COLUMNS}, init_ms, zone, instance_type, provider_id, addresses, drift, ready`;

/** The columns of a node's row as the driver answers them; bigint comes as text. */
export interface StoredNode extends StoredSummary {
  readonly init_ms: string | null;
  readonly zone: string;
  readonly instance_type: string;
  readonly provider_id: string | null;
  readonly addresses: unknown;
  readonly drift: string;
  readonly ready: string | null;
}

export function nodeRow(row: StoredNode): NodeRow {
  return {
    ...objectSummary(row, "cloud-node-controller"),
    initMs: row.init_ms === null ? undefined : Number(row.init_ms),
    zone: row.zone === "" ? undefined : row.zone,
    instanceType: row.instance_type === "" ? undefined : row.instance_type,
    providerID: orUndefined(row.provider_id),
    addresses: readJson(z.array(addressSchema), row.addresses, []),
    drift: readJson(driftSchema, row.drift, "notChecked"),
    ready: readJson(READY, row.ready, undefined),
  };
}

const READY = z.enum(["True", "False", "Unknown", "Missing"]);

const ORDERS: Record<NodeSort, readonly KeyColumn<StoredNode>[]> = {
  state: BY_STATE,
  name: BY_NAME,
  since: [BY_SINCE, ...BY_NAME],
  init: [
    {
      expression: "COALESCE(init_ms, -1)",
      type: "number",
      value: (row) => Number(row.init_ms ?? -1),
    },
    ...BY_NAME,
  ],
  zone: [{ expression: "zone", type: "text", value: (row) => row.zone }, ...BY_NAME],
  type: [
    { expression: "instance_type", type: "text", value: (row) => row.instance_type },
    ...BY_NAME,
  ],
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
