import type {
  FilterOf,
  ObjectKind,
  RowOf,
  SharedFilter,
  SortOf,
  StateColumn,
} from "@cloudwright/core/model/kinds/define-kind";
import { STATES, type State } from "@cloudwright/core/model/state";
import type pg from "pg";
import type { Database } from "../database/database.ts";
import type { ListInput, ObjectCounts, ObjectsPage } from "../views/views.ts";
import { columnName, quoted } from "./columns.ts";
import type { CursorType, CursorValue } from "./cursor.ts";
import {
  type KeyColumn,
  type KeysetQuery,
  keysetPage,
  type SqlConditions,
  sqlConditions,
} from "./keyset.ts";
import { columnsOf, objectRow, type StoredName, type StoredObject } from "./object-rows.ts";

export type ObjectsInput<Kind extends ObjectKind> = ListInput<FilterOf<Kind>, SortOf<Kind>>;

/**
 * The list of a kind, as its definition has it. Gone objects are listed only when the filter names the state. Throws
 * OperationError Invalid for a bad limit or cursor.
 */
export async function listObjects<Kind extends ObjectKind>(
  db: Database,
  kind: Kind,
  input: ObjectsInput<Kind>,
): Promise<ObjectsPage<Kind>> {
  const [page, counts, facets] = await Promise.all([
    keysetPage(objectsQuery(db.pool, kind, input)),
    countObjects(db.pool, kind, input.cluster),
    readFacets(db.pool, kind, input.cluster),
  ]);
  return { ...page, counts, facets };
}

/** How the objects of a kind stand in the whole cluster, whatever the filter. */
export async function countObjects(
  pool: pg.Pool,
  kind: ObjectKind,
  cluster: string,
): Promise<ObjectCounts> {
  const { rows } = await pool.query<{ state: string; count: number; drifted: number }>(
    `SELECT state, count(*)::int AS count, (count(*) FILTER (WHERE drift = 'drifted'))::int AS drifted
       FROM ${kind.table} WHERE cluster_id = $1 AND kind = $2 GROUP BY state`,
    [cluster, kind.name],
  );
  const found = new Map(rows.map(({ state, count }) => [state, count]));
  const states = STATES.map((state) => [state, found.get(state) ?? 0]);
  return {
    // A state that this release does not know is left out.
    states: Object.fromEntries(states) as Record<State, number>,
    drifted: rows.reduce((sum, { state, drifted }) => sum + (state === "gone" ? 0 : drifted), 0),
  };
}

/** The statement of a page; exported for the test that asks the database how it would run it. */
export function objectsQuery<Kind extends ObjectKind>(
  pool: pg.Pool,
  kind: Kind,
  { cluster, filter, sort, cursor, limit }: ObjectsInput<Kind>,
): KeysetQuery<StoredObject, RowOf<Kind>> {
  const where = sqlConditions();
  where.texts.push(`cluster_id = ${where.bind(cluster)}`, `kind = ${where.bind(kind.name)}`);
  addFilter(where, kind, filter);
  const sorted = kind.sorts[sort.by] ?? "state";
  const listed = Object.keys(kind.columns).filter(
    (name) => kind.columns[name]?.inLists !== false || name === sorted,
  );
  return {
    ...{ pool, table: kind.table, where, cursor, limit },
    columns: `${columnsOf(listed)}${kind.detail?.inLists === true ? ", detail" : ""}`,
    order: orderOf(kind, sorted),
    descending: sort.descending,
    binding: { list: kind.name, cluster, filter, sort },
    view: (row) => objectRow(kind, row),
  };
}

/** In natural order. The name itself comes last, because node-1 and node-01 count alike, and a page must end between them. */
export const BY_NAME: readonly KeyColumn<StoredName>[] = [
  { expression: "name_key", type: "text", value: (row) => row.name_key },
  { expression: "name", type: "text", value: (row) => row.name },
];
const BY_SINCE: KeyColumn<StoredObject> = {
  expression: "since",
  type: "timestamp",
  value: (row) => row.since.getTime(),
};
/** Worst first; of equals the longest standing. */
const BY_STATE: readonly KeyColumn<StoredObject>[] = [
  { expression: "state_rank", type: "number", value: (row) => row.state_rank },
  BY_SINCE,
  ...BY_NAME,
];

function orderOf(kind: ObjectKind, by: string): readonly KeyColumn<StoredObject>[] {
  const column = kind.columns[by];
  if (column !== undefined) return [ownKey(columnName(by), column), ...BY_NAME];
  if (by === "state") return BY_STATE;
  return by === "since" ? [BY_SINCE, ...BY_NAME] : BY_NAME;
}

/** What is not known comes before all that is. */
function ownKey(name: string, { type }: StateColumn): KeyColumn<StoredObject> {
  const [unknown, key, value] = ORDERED_AS[type] ?? ORDERED_AS.text;
  return {
    expression: `COALESCE(${quoted(name)}, ${unknown})`,
    type: key,
    value: (row) => value(row[name]),
  };
}

type OrderedAs = readonly [string, CursorType, (stored: unknown) => CursorValue];
const AS_NUMBER: OrderedAs = ["-1", "number", (stored) => Number(stored ?? -1)];
const ORDERED_AS: Partial<Record<StateColumn["type"], OrderedAs>> & { readonly text: OrderedAs } = {
  text: ["''", "text", (stored) => String(stored ?? "")],
  time: ["'epoch'", "timestamp", (stored) => (stored instanceof Date ? stored.getTime() : 0)],
  ...{ int: AS_NUMBER, smallint: AS_NUMBER, bigint: AS_NUMBER, float8: AS_NUMBER },
};

function addFilter(where: SqlConditions, kind: ObjectKind, filter: SharedFilter): void {
  const { text, states = STATES.filter((state) => state !== "gone"), reason, drift } = filter;
  const ranks = states.map((state) => STATES.indexOf(state));
  where.texts.push(`state_rank = ANY(${where.bind(ranks)}::smallint[])`);
  if (text !== undefined && text !== "") {
    where.texts.push(`strpos(search_text, ${where.bind(text.toLowerCase())}) > 0`);
  }
  if (reason !== undefined) where.texts.push(`reason_code = ${where.bind(reason)}`);
  if (drift !== undefined) where.texts.push(`drift = ${where.bind(drift)}`);
  const wanted: Readonly<Record<string, unknown>> = { ...filter };
  for (const [name, { column, match }] of Object.entries(kind.filters)) {
    if (wanted[name] === undefined) continue;
    where.texts.push(MATCHES[match](quoted(columnName(column)), where.bind(wanted[name])));
  }
}

const MATCHES = {
  any: (column: string, value: string) => `${column} = ANY(${value}::text[])`,
  overlap: (column: string, value: string) => `${column} && ${value}::text[]`,
  equal: (column: string, value: string) => `${column} = ${value}`,
} as const;

/** Values to choose from, of all objects that are not gone. */
async function readFacets(
  pool: pg.Pool,
  kind: ObjectKind,
  cluster: string,
): Promise<ObjectsPage<ObjectKind>["facets"]> {
  const columns = kind.facets.map(
    (name) => [name, columnName(kind.filters[name]?.column ?? name)] as const,
  );
  if (columns.length === 0) return {};
  const { rows } = await pool.query<Record<string, string | null>>(
    `SELECT DISTINCT ${columns.map(([, column]) => quoted(column)).join(", ")}
       FROM ${kind.table} WHERE cluster_id = $1 AND kind = $2 AND state <> 'gone'`,
    [cluster, kind.name],
  );
  return Object.fromEntries(
    columns.map(([name, column]) => [
      name,
      [...new Set(rows.map((row) => row[column] ?? ""))]
        .filter((value) => value !== "")
        .sort(byText),
    ]),
  );
}

function byText(left: string, right: string): number {
  return left < right ? -1 : 1;
}
