import { t } from "@cloudwright/core/model/language/text";
import type pg from "pg";
import { OperationError } from "../../operations/errors.ts";
import type { ListInput, Page, Total } from "../../views/views.ts";
import type { StoredRow } from "../stored-json.ts";
import { type Bind, type Filters, selected, timeOf } from "./conditions.ts";
import {
  type CursorBinding,
  type CursorType,
  type CursorValue,
  decodeCursor,
  encodeCursor,
} from "./cursor.ts";

export const LIMIT_MOST = 200;
/* By hand: the one builder of lists, with a page by keys, its total up to a limit, and its counts. */

/** Totals are exact up to this number; beyond it, the answer is "at least" (UX.md section 13, "Tables"). */
export const EXACT_TOTAL_MOST = 10_000;

/**
 * A list of records as data: where its rows are, what each filter selects, how they are ordered, and how a row is shown. By hand, as
 * Prisma's client can neither compare a row with a cursor of several columns nor limit a count.
 */
export interface List<View, Filter extends object, Sort extends string> {
  /** The list's name, to which its cursors are bound. */
  readonly name: string;
  /** A table, or a query in parentheses with an alias. */
  readonly table: string;
  readonly columns: string;
  /** The column with the row's cluster, or chain. */
  readonly scope: "cluster_id" | "chain";
  /** A condition on all rows, listed or counted. */
  readonly only?: (bind: Bind) => string;
  /** Values for members missing from a filter. */
  readonly defaults?: Filter;
  readonly filters: Filters<Filter>;
  readonly orders: Readonly<Record<Sort, readonly KeyColumn[]>>;
  readonly view: (row: StoredRow) => View;
  /**
   * Reports whether a filter selects few rows, which the statistics do not show. Then all selected rows are found first and sorted;
   * otherwise rows would be read in order, nearly all of them, until a page is full.
   */
  readonly selectsFew?: (filter: Filter) => boolean;
  /**
   * Returns the key columns by which a page's rows are read once they are sorted, for a filter that an index alone can answer, but not in
   * order: otherwise all selected rows would be read for the page.
   */
  readonly keysFirst?: (filter: Filter) => string | undefined;
  /** Returns the limit of the total for a filter that has to read and compare each row; 10,000 by default. */
  readonly countsUpTo?: (filter: Filter) => number | undefined;
}

/** One column of an order. All columns of an order have the same direction, so that one row comparison is enough. */
export interface KeyColumn {
  readonly expression: string;
  readonly type: CursorType;
  /** Returns the row's value; by default that of the column of this name. */
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

/** Reads one page and the total. Throws OperationError Invalid for a bad limit or cursor. */
export async function readList<View, Filter extends object, Sort extends string>(
  pool: pg.Pool,
  list: List<View, Filter, Sort>,
  input: ListInput<Filter, Sort>,
): Promise<Page<View>> {
  const [page, total] = await Promise.all([
    readPage(list, input, async ({ text, values }) => (await pool.query(text, values)).rows),
    countRows(pool, list, input),
  ]);
  return { ...page, total };
}

/**
 * Reads only the page, for callers that query its rows themselves, for example in one statement with something else. Throws as `readList`
 * does.
 */
export async function readPage<View, Filter extends object, Sort extends string>(
  list: List<View, Filter, Sort>,
  input: ListInput<Filter, Sort>,
  ask: (page: Statement) => Promise<readonly StoredRow[]>,
): Promise<Omit<Page<View>, "total">> {
  const limit = limitOf(input);
  const rows = await ask(pageStatement(list, { ...input, limit: limit + 1 }));
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return { rows: shown.map(list.view), nextCursor: cursorAfter(list, input, last) };
}

/** Rows per query when a whole list is read. */
const WHOLE_PAGE = 1_000;

/**
 * Yields all rows that a filter selects, in order, in pages that are read on demand. No connection or snapshot is held between two pages,
 * so a slow reader holds up nobody; a row whose place changes meanwhile may be read twice or not at all.
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

/** Counts a cluster's rows that meet each of these conditions, whatever the filter. */
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

/** Returns the WHERE conditions that select a list's rows, and the values that they bind. */
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

/** Returns the statement of a page, for the query itself and for tests of its query plan. */
export function pageStatement<View, Filter extends object, Sort extends string>(
  list: List<View, Filter, Sort>,
  input: ListInput<Filter, Sort>,
): Statement {
  const { texts, values, bind } = conditionsOf(list, input);
  const rows = rowsSelected(list, input.filter, texts);
  const keys = list.orders[input.sort.by];
  const { descending } = input.sort;
  const after: string[] = [];
  if (input.cursor !== undefined) {
    const types = keys.map((key) => key.type);
    const place = decodeCursor(input.cursor, bindingOf(list, input), types);
    const left = keys.map((key) => key.expression).join(", ");
    const right = keys.map((key, index) => placed(key.type, bind(place[index]))).join(", ");
    after.push(`(${left}) ${descending ? "<" : ">"} (${right})`);
  }
  const order = keys.map((key) => `${key.expression} ${descending ? "DESC" : "ASC"}`).join(", ");
  const inOrder = `FROM ${rows.table}${where([...rows.texts, ...after])} ORDER BY ${order} LIMIT ${input.limit}`;
  const key = list.keysFirst?.(input.filter);
  const page =
    key === undefined
      ? inOrder
      : `FROM (SELECT ${key} ${inOrder}) AS page JOIN ${list.table} USING (${key}) ORDER BY ${order}`;
  return { text: `${rows.before}SELECT ${list.columns} ${page}`, values };
}

export function totalStatement<View, Filter extends object, Sort extends string>(
  list: List<View, Filter, Sort>,
  input: ListInput<Filter, Sort>,
): Statement {
  const { texts, values } = conditionsOf(list, input);
  const rows = rowsSelected(list, input.filter, texts);
  const most = mostCounted(list, input.filter);
  const text = `${rows.before}SELECT count(*)::int AS count FROM (SELECT 1 FROM ${rows.table}${where(rows.texts)} LIMIT ${most + 1}) AS counted`;
  return { text, values };
}

function mostCounted<Filter extends object>(
  { countsUpTo }: Pick<List<unknown, Filter, string>, "countsUpTo">,
  filter: Filter,
): number {
  return countsUpTo?.(filter) ?? EXACT_TOTAL_MOST;
}

interface SelectedRows {
  /** Text before the statement. */
  readonly before: string;
  readonly table: string;
  readonly texts: readonly string[];
}

function rowsSelected<Filter extends object>(
  { table, selectsFew }: Pick<List<unknown, Filter, string>, "table" | "selectsFew">,
  filter: Filter,
  texts: readonly string[],
): SelectedRows {
  if (selectsFew?.(filter) !== true) return { before: "", table, texts };
  const found = `WITH found AS MATERIALIZED (SELECT * FROM ${table}${where(texts)}) `;
  return { before: found, table: "found", texts: [] };
}

function where(texts: readonly string[]): string {
  return texts.length === 0 ? "" : ` WHERE ${texts.join(" AND ")}`;
}

/** Returns the most rows of a page. Throws OperationError Invalid for a bad limit. */
export function limitOf({
  limit,
  first = limit,
  cursor,
}: Pick<ListInput<object, string>, "limit" | "first" | "cursor">): number {
  return checkedLimit(cursor === undefined ? first : limit);
}

/** Throws OperationError Invalid unless the limit is an integer from 1 to 200. */
export function checkedLimit(limit: number): number {
  if (Number.isInteger(limit) && limit >= 1 && limit <= LIMIT_MOST) return limit;
  throw new OperationError("Invalid", () => t`A page holds 1 to ${LIMIT_MOST} rows, not ${limit}.`);
}

/** Returns the total for a count that stopped at one more than the most. */
export function totalOf(count: number, most = EXACT_TOTAL_MOST): Total {
  return count > most ? { kind: "atLeast", count: most } : { kind: "exact", count };
}

async function countRows<View, Filter extends object, Sort extends string>(
  pool: pg.Pool,
  list: List<View, Filter, Sort>,
  input: ListInput<Filter, Sort>,
): Promise<Total> {
  const { text, values } = totalStatement(list, input);
  const { rows } = await pool.query<{ count: number }>(text, values);
  return totalOf(rows[0]?.count ?? 0, mostCounted(list, input.filter));
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
