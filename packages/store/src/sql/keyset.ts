import type pg from "pg";
import { OperationError } from "../operations/errors.ts";
import type { Page, Total } from "../views/views.ts";
import {
  type CursorBinding,
  type CursorType,
  type CursorValue,
  decodeCursor,
  encodeCursor,
} from "./cursor.ts";

export const LIMIT_MOST = 200;
/** Totals are counted up to here; beyond, the answer is "at least" (UX.md section 13, "Tables"). */
export const EXACT_TOTAL_MOST = 10_000;

/** One column of an order. All columns of an order run in the same direction, so that one row comparison serves. */
export interface KeyColumn<Row> {
  readonly expression: string;
  readonly type: CursorType;
  readonly value: (row: Row) => CursorValue;
}

export interface KeysetQuery<Row, View> {
  readonly pool: pg.Pool;
  readonly table: string;
  readonly columns: string;
  readonly where: SqlConditions;
  readonly order: readonly KeyColumn<Row>[];
  readonly descending: boolean;
  readonly binding: CursorBinding;
  readonly cursor: string | undefined;
  readonly limit: number;
  readonly view: (row: Row) => View;
}

/** The texts of a WHERE and the values that they bind. */
export interface SqlConditions {
  readonly texts: string[];
  readonly values: unknown[];
  /** Adds a value and answers its placeholder. */
  bind(value: unknown): string;
}

export function sqlConditions(): SqlConditions {
  const values: unknown[] = [];
  return {
    texts: [],
    values,
    bind: (value) => `$${values.push(value)}`,
  };
}

/** One page and the total. Throws OperationError Invalid for a bad limit or cursor. */
export async function keysetPage<Row extends pg.QueryResultRow, View>(
  query: KeysetQuery<Row, View>,
): Promise<Page<View>> {
  const limit = checkedLimit(query.limit);
  const [rows, total] = await Promise.all([readRows(query, limit + 1), countRows(query)]);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const more = rows.length > limit && last !== undefined;
  return {
    rows: shown.map(query.view),
    nextCursor: more
      ? encodeCursor(
          query.binding,
          query.order.map((key) => key.value(last)),
        )
      : undefined,
    total,
  };
}

/** The statement of a page, for the query itself and for tests that ask how the database would run it. */
export function pageStatement<Row, View>(
  query: KeysetQuery<Row, View>,
  limit: number,
): { readonly text: string; readonly values: unknown[] } {
  const values = [...query.where.values];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const texts = [...query.where.texts];
  if (query.cursor !== undefined) texts.push(afterCursor(query, query.cursor, bind));
  const direction = query.descending ? "DESC" : "ASC";
  const order = query.order.map((key) => `${key.expression} ${direction}`).join(", ");
  const text = `SELECT ${query.columns} FROM ${query.table} WHERE ${texts.join(" AND ")} ORDER BY ${order} LIMIT ${limit}`;
  return { text, values };
}

export function totalStatement<Row, View>(query: KeysetQuery<Row, View>): string {
  const where = query.where.texts.join(" AND ");
  return `SELECT count(*)::int AS count FROM (SELECT 1 FROM ${query.table} WHERE ${where} LIMIT ${EXACT_TOTAL_MOST + 1}) AS counted`;
}

/** Throws OperationError Invalid unless it is a whole number from 1 to 200. */
export function checkedLimit(limit: number): number {
  if (Number.isInteger(limit) && limit >= 1 && limit <= LIMIT_MOST) return limit;
  throw new OperationError("Invalid", `A page holds 1 to ${LIMIT_MOST} rows, not ${limit}.`);
}

async function readRows<Row extends pg.QueryResultRow, View>(
  query: KeysetQuery<Row, View>,
  limit: number,
): Promise<Row[]> {
  const { text, values } = pageStatement(query, limit);
  return (await query.pool.query<Row>(text, values)).rows;
}

async function countRows<Row, View>(query: KeysetQuery<Row, View>): Promise<Total> {
  const result = await query.pool.query<{ count: number }>(
    totalStatement(query),
    query.where.values,
  );
  const count = result.rows[0]?.count ?? 0;
  return count > EXACT_TOTAL_MOST
    ? { kind: "atLeast", count: EXACT_TOTAL_MOST }
    : { kind: "exact", count };
}

function afterCursor<Row, View>(
  query: KeysetQuery<Row, View>,
  cursor: string,
  bind: (value: unknown) => string,
): string {
  const types = query.order.map((key) => key.type);
  const values = decodeCursor(cursor, query.binding, types);
  const left = query.order.map((key) => key.expression).join(", ");
  const right = query.order.map((key, index) => placed(key.type, bind(values[index]))).join(", ");
  return `(${left}) ${query.descending ? "<" : ">"} (${right})`;
}

function placed(type: KeyColumn<unknown>["type"], placeholder: string): string {
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
      return `to_timestamp(${placeholder}::float8 / 1000)`;
  }
}
