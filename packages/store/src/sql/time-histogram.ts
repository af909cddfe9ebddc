import { t } from "@cloudwright/core/model/language/text";
import type pg from "pg";
import type { Database } from "../database/database.ts";
import { OperationError } from "../operations/errors.ts";
import type { RunsFilter } from "../views/views.ts";
import { AUDIT_ENTRIES, type AuditFilter } from "./audit-entries.ts";
import { conditionsOf } from "./list.ts";
import { RUNS } from "./runs.ts";

/* Counts by parts of a stretch of time, of the rows that a list's filter selects. */

/** How many rows of a list fall into each part of a stretch of time. Times are milliseconds since the epoch. */
export interface TimeHistogram {
  readonly from: number;
  /** Not included. */
  readonly to: number;
  /** In equal parts of the stretch, oldest first. */
  readonly counts: readonly number[];
}

export interface HistogramInput<Filter> {
  readonly cluster: string;
  /** Without `from` it begins with the oldest row that matches. */
  readonly filter: Filter;
  /** The end, where the filter names none. */
  readonly now: number;
  /** 1 to 200. */
  readonly parts: number;
}

export const PARTS_MOST = 200;

/** Throws OperationError Invalid for a bad number of parts. */
export function auditHistogram(
  { pool }: Database,
  input: HistogramInput<AuditFilter>,
): Promise<TimeHistogram> {
  const where = conditionsOf(AUDIT_ENTRIES, input);
  return histogram(pool, {
    ...input,
    ...input.filter,
    table: "audit_entries",
    column: "at",
    where,
  });
}

/** Throws OperationError Invalid for a bad number of parts. */
export function runsHistogram(
  { pool }: Database,
  input: HistogramInput<RunsFilter>,
): Promise<TimeHistogram> {
  const where = conditionsOf(RUNS, input);
  return histogram(pool, { ...input, ...input.filter, table: "runs", column: "started_at", where });
}

interface HistogramQuery {
  readonly table: string;
  readonly column: string;
  readonly where: ReturnType<typeof conditionsOf>;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly now: number;
  readonly parts: number;
}

async function histogram(pool: pg.Pool, query: HistogramQuery): Promise<TimeHistogram> {
  const { parts, now, table, column, where } = query;
  if (!Number.isInteger(parts) || parts < 1 || parts > PARTS_MOST) {
    throw new OperationError(
      "Invalid",
      () => t`A histogram has 1 to ${PARTS_MOST} parts, not ${parts}.`,
    );
  }
  const to = query.to ?? now;
  const from = query.from ?? (await oldest(pool, query)) ?? to - 1;
  const counts = Array.from({ length: parts }, () => 0);
  if (from >= to) return { from, to, counts };
  const ms = `extract(epoch FROM ${column})::float8 * 1000`;
  const values = [...where.values, from, to, parts];
  const [start, end, count] = values
    .slice(-3)
    .map((_, index) => `$${where.values.length + index + 1}`);
  const { rows } = await pool.query<{ part: number; count: number }>(
    `SELECT greatest(1, least(${count}::int, width_bucket(${ms}, ${start}::float8, ${end}::float8, ${count}::int))) AS part, count(*)::int AS count
       FROM ${table} WHERE ${where.texts.join(" AND ")} AND ${column} >= to_timestamp(${start}::float8 / 1000)
      GROUP BY 1`,
    values,
  );
  for (const row of rows) counts[row.part - 1] = row.count;
  return { from, to, counts };
}

async function oldest(
  pool: pg.Pool,
  { table, column, where }: HistogramQuery,
): Promise<number | undefined> {
  const { rows } = await pool.query<{ oldest: Date | null }>(
    `SELECT min(${column}) AS oldest FROM ${table} WHERE ${where.texts.join(" AND ")}`,
    where.values,
  );
  return rows[0]?.oldest?.getTime();
}
