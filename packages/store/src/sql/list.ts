import { t } from "@cloudwright/core/model/language/text";
import type pg from "pg";
import { OperationError } from "../operations/errors.ts";
import type { ListInput, Page, Total } from "../views/views.ts";
import { type Bind, type Filters, selected, timeOf } from "./conditions.ts";
import {
  type CursorBinding,
  type CursorType,
  type CursorValue,
  decodeCursor,
  encodeCursor,
} from "./cursor.ts";
import type { StoredRow } from "./stored-json.ts";

export const LIMIT_MOST = 200;
/* The one builder of lists: a page by keys, its total up to a limit and its counts. */

/** Totals are counted up to here; beyond, the answer is "at least" (UX.md section 13, "Tables"). */
export const EXACT_TOTAL_MOST = 10_000;

/**
 * A list of records as data: where its rows are, what each filter selects, what orders it, and how a row is shown. By hand, as
 * Prisma's client compares no row with a cursor of several columns and counts no further than a page needs only in SQL.
 */
export interface List<View, Filter extends object, Sort extends string> {
  /** Cursors belong to it by this name. */
  readonly name: string;
  /** A table, or a query in parentheses with an alias. */
  readonly table: string;
  readonly columns: string;
  /** The column that names the cluster, or the chain, of a row. */
  readonly scope: "cluster_id" | "chain";
  /** What holds of each row that is listed and counted. */
  readonly only?: (bind: Bind) => string;
  /** For the members that a filter does not have. */
  readonly defaults?: Filter;
  readonly filters: Filters<Filter>;
  readonly orders: Readonly<Record<Sort, readonly KeyColumn[]>>;
  readonly view: (row: StoredRow) => View;
}

/** One column of an order. All columns of an order run in the same direction, so that one row comparison serves. */
export interface KeyColumn {
  readonly expression: string;
  readonly type: CursorType;
  /** What a row has of it: the column of its name unless given. */
  readonly value?: (row: StoredRow) => CursorValue;
}

function keyOf({ expression, value }: KeyColumn, row: StoredRow): CursorValue {
  if (value !== undefined) return value(row);
  const stored = row[expression];
  return stored instanceof Date ? stored.getTime() : (stored as CursorValue);
}

interface Statement {
  readonly text: string;
  readonly values: unknown[];
}

/** One page and the total. Throws OperationError Invalid for a bad limit or cursor. */
export async function readList<View, Filter extends object, Sort extends string>(
  pool: pg.Pool,
  list: List<View, Filter, Sort>,
  input: ListInput<Filter, Sort>,
): Promise<Page<View>> {
  const [page, total] = await Promise.all([
    readPage(list, input, async ({ text, values }) => (await pool.query(text, values)).rows),
    countRows(pool, totalStatement(list, input)),
  ]);
  return { ...page, total };
}

/** The page alone, by whoever asks the database for its rows, as with something else in one statement. Throws as `readList` does. */
export async function readPage<View, Filter extends object, Sort extends string>(
  list: List<View, Filter, Sort>,
  input: ListInput<Filter, Sort>,
  ask: (page: Statement) => Promise<readonly StoredRow[]>,
): Promise<Omit<Page<View>, "total">> {
  const limit = checkedLimit(input.limit);
  const rows = await ask(pageStatement(list, { ...input, limit: limit + 1 }));
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return { rows: shown.map(list.view), nextCursor: cursorAfter(list, input, last) };
}

/** So many rows are read at once for whoever takes a whole list. */
const WHOLE_PAGE = 1_000;

/**
 * All rows that a filter selects, in their order, in pages that are read as they are asked for. Between two pages no connection
 * and no snapshot is held, so that a slow reader holds up nobody; a row that changes its place meanwhile may be read twice or
 * not at all.
 */
export async function* listPages<View, Filter extends object, Sort extends string>(
  pool: pg.Pool,
  list: List<View, Filter, Sort>,
  input: Omit<ListInput<Filter, Sort>, "cursor" | "limit">,
): AsyncGenerator<readonly View[]> {
  let cursor: string | undefined;
  do {
    const { text, values } = pageStatement(list, { ...input, cursor, limit: WHOLE_PAGE });
    const { rows } = await pool.query<StoredRow>(text, values);
    if (rows.length > 0) yield rows.map(list.view);
    cursor = rows.length < WHOLE_PAGE ? undefined : cursorAfter(list, input, rows.at(-1));
  } while (cursor !== undefined);
}

function cursorAfter<Filter extends object, Sort extends string>(
  list: List<unknown, Filter, Sort>,
  input: Omit<ListInput<Filter, Sort>, "cursor" | "limit">,
  last: StoredRow | undefined,
): string | undefined {
  if (last === undefined) return undefined;
  const keys = list.orders[input.sort.by].map((key) => keyOf(key, last));
  return encodeCursor(bindingOf(list, input), keys);
}

/** How many of a cluster's rows each of these conditions holds of, whatever the filter. */
export async function countList<Name extends string>(
  pool: pg.Pool,
  list: Pick<List<unknown, object, string>, "table" | "scope" | "only">,
  {
    cluster,
    counts,
  }: { readonly cluster: string; readonly counts: Readonly<Record<Name, string>> },
): Promise<Readonly<Record<Name, number>>> {
  const { texts, values } = conditionsOf({ ...list, filters: {} }, { cluster, filter: {} });
  const columns = Object.entries<string>(counts).map(
    ([name, condition]) => `(count(*) FILTER (WHERE ${condition}))::int AS "${name}"`,
  );
  const { rows } = await pool.query<Record<Name, number>>(
    `SELECT ${columns.join(", ")} FROM ${list.table} WHERE ${texts.join(" AND ")}`,
    values,
  );
  const [row] = rows;
  if (row === undefined) throw new Error(`The database counted no rows of ${list.table}.`);
  return row;
}

/** The texts of a WHERE that selects a list's rows, and the values that they bind. */
export function conditionsOf<Filter extends object>(
  list: Pick<List<unknown, Filter, string>, "scope" | "only" | "defaults" | "filters">,
  { cluster, filter }: Pick<ListInput<Filter, string>, "cluster" | "filter">,
): { readonly texts: string[]; readonly values: unknown[]; readonly bind: Bind } {
  const values: unknown[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const texts = [`${list.scope} = ${bind(cluster)}`];
  if (list.only !== undefined) texts.push(list.only(bind));
  texts.push(...selected(list.filters, filter, bind));
  const unset = Object.entries({ ...list.defaults }).filter(([name]) =>
    Object.entries(filter).every(([other, value]) => other !== name || value === undefined),
  );
  texts.push(...selected(list.filters, Object.fromEntries(unset) as Partial<Filter>, bind));
  return { texts, values, bind };
}

/** The statement of a page, for the query itself and for tests that ask how the database would run it. */
export function pageStatement<View, Filter extends object, Sort extends string>(
  list: List<View, Filter, Sort>,
  input: ListInput<Filter, Sort>,
): Statement {
  const { texts, values, bind } = conditionsOf(list, input);
  const keys = list.orders[input.sort.by];
  const { descending } = input.sort;
  if (input.cursor !== undefined) {
    const types = keys.map((key) => key.type);
    const after = decodeCursor(input.cursor, bindingOf(list, input), types);
    const left = keys.map((key) => key.expression).join(", ");
    const right = keys.map((key, index) => placed(key.type, bind(after[index]))).join(", ");
    texts.push(`(${left}) ${descending ? "<" : ">"} (${right})`);
  }
  const order = keys.map((key) => `${key.expression} ${descending ? "DESC" : "ASC"}`).join(", ");
  const text = `SELECT ${list.columns} FROM ${list.table} WHERE ${texts.join(" AND ")} ORDER BY ${order} LIMIT ${input.limit}`;
  return { text, values };
}

export function totalStatement<View, Filter extends object, Sort extends string>(
  list: List<View, Filter, Sort>,
  input: ListInput<Filter, Sort>,
): Statement {
  const { texts, values } = conditionsOf(list, input);
  const text = `SELECT count(*)::int AS count FROM (SELECT 1 FROM ${list.table} WHERE ${texts.join(" AND ")} LIMIT ${EXACT_TOTAL_MOST + 1}) AS counted`;
  return { text, values };
}

/** Throws OperationError Invalid unless it is a whole number from 1 to 200. */
export function checkedLimit(limit: number): number {
  if (Number.isInteger(limit) && limit >= 1 && limit <= LIMIT_MOST) return limit;
  throw new OperationError("Invalid", () => t`A page holds 1 to ${LIMIT_MOST} rows, not ${limit}.`);
}

/** Of a count that went no further than one beyond the most. */
export function totalOf(count: number): Total {
  return count > EXACT_TOTAL_MOST
    ? { kind: "atLeast", count: EXACT_TOTAL_MOST }
    : { kind: "exact", count };
}

async function countRows(pool: pg.Pool, { text, values }: Statement): Promise<Total> {
  const { rows } = await pool.query<{ count: number }>(text, values);
  return totalOf(rows[0]?.count ?? 0);
}

function bindingOf<Filter extends object>(
  { name }: { readonly name: string },
  { cluster, filter, sort }: Omit<ListInput<Filter, string>, "limit">,
): CursorBinding {
  return { list: name, cluster, filter, sort };
}

function placed(type: CursorType, placeholder: string): string {
  switch (type) {
    case "text":
      return `${placeholder}::text`;
    case "number":
      return `${placeholder}::float8`;
    case "bigint":
      return `${placeholder}::bigint`;
    case "uuid":
      return `${placeholder}::uuid`;
    case "timestamp":
      return timeOf(placeholder);
  }
}
