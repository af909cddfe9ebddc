import { t } from "@cloudwright/core/model/language/text";
import type pg from "pg";
import type { Database } from "../../database/database.ts";
import { OperationError } from "../../operations/errors.ts";
import type { RunsFilter } from "../../views/views.ts";
import { AUDIT_ENTRIES, type AuditFilter } from "../audit-entries.ts";
import { EACH_RUN, runStretches } from "../runs/run-counts.ts";
import { type Bind, selected, timeOf } from "./conditions.ts";
import type { Countable, CountedStretch } from "./countable.ts";
import { conditionsOf } from "./list.ts";
import { type RoundParts, roundParts } from "./part-width.ts";

/* By hand: counts the rows that a list's filter selects, by parts of a time span. */

/** How many rows of a list fall into each part of a time span. Times are milliseconds since the epoch. */
export interface TimeHistogram {
  /** A round time (UTC), where the first part begins; rows before the span are not counted in it. */
  readonly from: number;
  /** Exclusive; where the last part ends. */
  readonly to: number;
  /** The counts of equal parts of a round length, oldest first. */
  readonly counts: readonly number[];
}

export interface HistogramInput<Filter> {
  readonly cluster: string;
  /** Without `from` the span begins with the oldest matching row. */
  readonly filter: Filter & {
    readonly from?: number | undefined;
    readonly to?: number | undefined;
  };
  /** The end when the filter has none. */
  readonly now: number;
  /** 1 to 200. There are fewer if their length would not be round, and one more if the span begins within a part. */
  readonly parts: number;
}

export const PARTS_MOST = 200;

const ENTRIES: Countable<AuditFilter> = {
  ...{ table: "audit_entries", column: "at", scope: AUDIT_ENTRIES.scope, count: "count(*)" },
  filters: AUDIT_ENTRIES.filters,
};

/** Counts audit entries. Throws OperationError Invalid for a bad number of parts. */
export function auditHistogram(
  { pool }: Database,
  input: HistogramInput<AuditFilter>,
): Promise<TimeHistogram> {
  return histogram(pool, input, { each: ENTRIES });
}

/** Counts runs. Throws OperationError Invalid for a bad number of parts. */
export function runsHistogram(
  { pool }: Database,
  input: HistogramInput<RunsFilter>,
): Promise<TimeHistogram> {
  return histogram(pool, input, { each: EACH_RUN, stretches: runStretches });
}

interface CountedList<Filter extends object> {
  readonly each: Countable<Filter>;
  /** Splits a time span by the source that counts it, for parts of this width; by default all rows are counted. */
  readonly stretches?: (
    filter: Filter,
    stretch: { readonly from: number; readonly to: number; readonly width: number },
  ) => readonly CountedStretch<Filter>[];
}

async function histogram<Filter extends object>(
  pool: pg.Pool,
  input: HistogramInput<Filter>,
  { each, stretches }: CountedList<Filter>,
): Promise<TimeHistogram> {
  checkParts(input.parts);
  const { filter, now } = input;
  const to = filter.to ?? now;
  const from = filter.from ?? (await oldest(pool, input, each)) ?? to - 1;
  const parts = roundParts(from, to, input.parts);
  const counts = Array.from({ length: parts.count }, () => 0);
  if (from >= to) return { from, to, counts };
  const counted = stretches?.(filter, { from, to, width: parts.width }) ?? [
    { rows: each, from, to },
  ];
  for (const { part, count } of await countParts(pool, input, { parts, counted })) {
    counts[Math.round((part.getTime() - parts.from) / parts.width)] = count;
  }
  return { from: parts.from, to: parts.from + parts.count * parts.width, counts };
}

function checkParts(parts: number): void {
  if (Number.isInteger(parts) && parts >= 1 && parts <= PARTS_MOST) return;
  throw new OperationError(
    "Invalid",
    () => t`A histogram has 1 to ${PARTS_MOST} parts, not ${parts}.`,
  );
}

/** Returns the counts by the start of each part. */
async function countParts<Filter extends object>(
  pool: pg.Pool,
  { cluster, filter }: HistogramInput<Filter>,
  how: { readonly parts: RoundParts; readonly counted: readonly CountedStretch<Filter>[] },
) {
  const values: unknown[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const width = `make_interval(secs => ${bind(how.parts.width / 1000)}::float8)`;
  const start = timeOf(bind(how.parts.from));
  const scope = bind(cluster);
  const texts = how.counted.map(({ rows, ...stretch }) => {
    const where = [
      `${rows.scope} = ${scope}`,
      ...(rows.only === undefined ? [] : [rows.only]),
      ...selected(rows.filters, { ...filter, ...stretch }, bind),
    ];
    return `SELECT date_bin(${width}, ${rows.column}, ${start}) AS part, ${rows.count} AS count
              FROM ${rows.table} WHERE ${where.join(" AND ")} GROUP BY 1`;
  });
  const { rows } = await pool.query<{ part: Date; count: number }>(
    `SELECT part, sum(count)::int AS count FROM (${texts.join(" UNION ALL ")}) AS counted GROUP BY part`,
    values,
  );
  return rows;
}

async function oldest<Filter extends object>(
  pool: pg.Pool,
  input: HistogramInput<Filter>,
  { table, column, scope, filters }: Countable<Filter>,
): Promise<number | undefined> {
  const { texts, values } = conditionsOf({ scope, filters }, input);
  const { rows } = await pool.query<{ oldest: Date | null }>(
    `SELECT min(${column}) AS oldest FROM ${table} WHERE ${texts.join(" AND ")}`,
    values,
  );
  return rows[0]?.oldest?.getTime();
}
