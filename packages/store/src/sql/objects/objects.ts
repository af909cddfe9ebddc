import type {
  FilterOf,
  ObjectKind,
  RowOf,
  SharedFilter,
  SortOf,
  StateColumn,
} from "@cloudwright/core/model/kinds/define-kind";
import { PART_KINDS } from "@cloudwright/core/model/kinds/kinds";
import { STATES, type State } from "@cloudwright/core/model/state";
import type pg from "pg";
import type { Database } from "../../database/database.ts";
import type { BudgetView } from "../../views/budget.ts";
import type { ListInput, ObjectCounts, ObjectsPage } from "../../views/views.ts";
import {
  type Bind,
  type Condition,
  contains,
  equals,
  type Filters,
  overlaps,
} from "../lists/conditions.ts";
import type { CursorType, CursorValue } from "../lists/cursor.ts";
import { countList, type KeyColumn, type List, readList } from "../lists/list.ts";
import {
  asText,
  columnName,
  quoted,
  readTime,
  type StoredRow,
  storedColumns,
} from "../stored-json.ts";
import { columnsOf, objectRow } from "./object-rows.ts";

/* By hand: lists by keys with counts, of the table and the columns that a kind's definition names. */

export type ObjectsInput<Kind extends ObjectKind> = ListInput<FilterOf<Kind>, SortOf<Kind>>;

/**
 * Lists a kind as its definition says. Gone objects are listed only when the filter names that state. Throws OperationError Invalid for a
 * bad limit or cursor.
 */
export async function listObjects<Kind extends ObjectKind>(
  { pool }: Pick<Database, "pool">,
  kind: Kind,
  input: ObjectsInput<Kind>,
): Promise<ObjectsPage<Kind>> {
  const [page, counts, facets] = await Promise.all([
    readList(pool, objectList(kind, input.sort.by), input),
    countObjects(pool, kind, input.cluster),
    readFacets(pool, kind, input.cluster),
  ]);
  return { ...page, counts, facets };
}

/** Counts a kind's objects by state in the whole cluster, whatever the filter. A state that this release does not know is left out. */
export async function countObjects(
  pool: pg.Pool,
  kind: ObjectKind,
  cluster: string,
): Promise<ObjectCounts> {
  const { drifted, ...states } = await countList(pool, rowsOf(kind), { cluster, counts: COUNTS });
  return { states, drifted };
}

/** Counts a kind's objects that are not gone, from an index alone. */
export async function countPresent(
  pool: pg.Pool,
  kind: ObjectKind,
  cluster: string,
): Promise<number> {
  const counts = { present: `state_rank < ${STATES.indexOf("gone")}` };
  const { present } = await countList(pool, rowsOf(kind), { cluster, counts });
  return present;
}

const COUNTS: Readonly<Record<State | "drifted", string>> = {
  ...(Object.fromEntries(STATES.map((state, rank) => [state, `state_rank = ${rank}`])) as Record<
    State,
    string
  >),
  drifted: `drift = 'drifted' AND state_rank <> ${STATES.indexOf("gone")}`,
};

function rowsOf({ table, name }: ObjectKind) {
  return { table, scope: "cluster_id", only: (bind: Bind) => `kind = ${bind(name)}` } as const;
}

/** Returns the list of a kind in one of its orders. */
export function objectList<Kind extends ObjectKind>(
  kind: Kind,
  by: SortOf<Kind>,
): List<RowOf<Kind>, SharedFilter, SortOf<Kind>> {
  const sorted = kind.sorts[by] ?? "state";
  const listed = Object.keys(kind.columns).filter(
    (name) => kind.columns[name]?.inLists !== false || name === sorted,
  );
  return {
    ...rowsOf(kind),
    name: kind.name,
    columns: `${columnsOf(listed)}${kind.detail?.inLists === true ? ", detail" : ""}`,
    defaults: NOT_GONE,
    filters: { ...SHARED_FILTERS, ...ownFilters(kind) },
    orders: { [by]: orderOf(kind, sorted) } as Record<SortOf<Kind>, readonly KeyColumn[]>,
    view: (row) => objectRow(kind, row),
  };
}

/** In natural order. The name itself comes last: node-1 and node-01 have equal keys, and a page must be able to end between them. */
const BY_NAME: readonly KeyColumn[] = [
  { expression: "name_key", type: "text" },
  { expression: "name", type: "text" },
];
const BY_SINCE: KeyColumn = { expression: "since", type: "timestamp" };
/** Worst first; among equals the longest standing. */
const BY_STATE: readonly KeyColumn[] = [
  { expression: "state_rank", type: "number" },
  BY_SINCE,
  ...BY_NAME,
];

function orderOf(kind: ObjectKind, by: string): readonly KeyColumn[] {
  const column = kind.columns[by];
  if (column !== undefined) return [ownKey(columnName(by), column), ...BY_NAME];
  if (by === "state") return BY_STATE;
  return by === "since" ? [BY_SINCE, ...BY_NAME] : BY_NAME;
}

/** Unknown values come first. */
function ownKey(name: string, { type }: StateColumn): KeyColumn {
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

const NOT_GONE: SharedFilter = { states: STATES.filter((state) => state !== "gone") };

const SHARED_FILTERS: Filters<SharedFilter> = {
  states: (states, bind) => {
    const ranks = states.map((state) => STATES.indexOf(state));
    return `state_rank = ANY(${bind(ranks)}::smallint[])`;
  },
  text: contains("search_text"),
  reason: equals("reason_code"),
  drift: equals("drift"),
};

function ownFilters(kind: ObjectKind): Readonly<Record<string, Condition<never>>> {
  return Object.fromEntries(
    Object.entries(kind.filters).map(([name, { column, match }]) => [
      name,
      MATCHES[match](quoted(columnName(column))),
    ]),
  );
}

const MATCHES = {
  any:
    (column: string): Condition<readonly string[]> =>
    (values, bind) =>
      `${column} = ANY(${bind(values)}::text[])`,
  overlap: overlaps,
  equal: equals,
} as const;

/** Returns the values to choose from, of all objects that are not gone. */
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

const DEFERRED_MOST = 5;

/**
 * Returns the objects of any kind, without parts, that wait because the cloud allows no more calls: their number, and those that have
 * waited longest.
 */
export async function listDeferred(
  pool: pg.Pool,
  cluster: string,
): Promise<BudgetView["deferred"]> {
  const { rows } = await pool.query<StoredRow & { readonly count: number }>(
    `SELECT kind, name, next_at, (count(*) OVER ())::int AS count FROM all_states
      WHERE cluster_id = $1 AND reason_code = 'ProviderThrottled' AND state <> 'gone' AND kind <> ALL($2::text[])
      ORDER BY since, kind, name LIMIT ${DEFERRED_MOST}`,
    [cluster, PART_KINDS],
  );
  return { count: rows[0]?.count ?? 0, oldest: rows.map((row) => DEFERRED.read(row)) };
}

const DEFERRED = storedColumns({ kind: asText, name: asText, nextAt: readTime });
