import type { RunsFilter } from "../../views/views.ts";
import { type Bind, from, timeOf, until } from "../lists/conditions.ts";
import type { Countable, CountedStretch } from "../lists/countable.ts";
import { HOUR_MS, MINUTE_MS } from "../lists/part-width.ts";
import { RUNS } from "./runs.ts";

/*
 * By hand: counts runs without reading them. The database keeps their number for each minute and each hour (UTC), by what most filters
 * select; the partial minutes at both ends of a time span are counted in the runs themselves.
 */

export const EACH_RUN: Countable<RunsFilter> = {
  ...{ table: "runs", column: "started_at", scope: RUNS.scope, count: "count(*)" },
  filters: RUNS.filters,
};

/** Their columns have the same names as those of runs, except for the time. */
const BY_MINUTE: Countable<RunsFilter> = {
  ...{ table: "run_counts", column: "at", scope: RUNS.scope, count: "sum(runs)" },
  only: "step = 'minute'",
  filters: { ...RUNS.filters, from: from("at"), to: until("at") },
};
const BY_HOUR: Countable<RunsFilter> = { ...BY_MINUTE, only: "step = 'hour'" };

/** The stored counts, the coarsest first, each with its step in milliseconds. */
const STEPS = [
  { rows: BY_HOUR, step: HOUR_MS },
  { rows: BY_MINUTE, step: MINUTE_MS },
];

/**
 * Splits a time span by the source that counts its runs, for parts of a width: whole hours and whole minutes as far as these fit into the
 * parts and distinguish what the filter selects by, and the runs themselves for the rest. Pure.
 */
export function runStretches(
  filter: RunsFilter,
  { from, to, width }: { readonly from: number; readonly to: number; readonly width: number },
): readonly CountedStretch<RunsFilter>[] {
  const steps = isKept(filter) ? STEPS.filter(({ step }) => width % step === 0) : [];
  return split(from, to, steps);
}

/** The members that the stored counts distinguish. */
const KEPT: readonly (keyof RunsFilter)[] = [
  ...(["from", "to", "controller", "kind", "outcomes", "triggers"] as const),
];

function isKept({ not, ...filter }: RunsFilter): boolean {
  return [filter, { ...not }].every((conditions) =>
    Object.entries(conditions).every(
      ([name, value]) => value === undefined || KEPT.some((kept) => kept === name),
    ),
  );
}

function split(
  from: number,
  to: number,
  [coarsest, ...finer]: typeof STEPS,
): readonly CountedStretch<RunsFilter>[] {
  if (from >= to) return [];
  if (coarsest === undefined) return [{ rows: EACH_RUN, from, to }];
  const { rows, step } = coarsest;
  const first = Math.ceil(from / step) * step;
  const last = Math.floor(to / step) * step;
  if (first >= last) return split(from, to, finer);
  return [...split(from, first, finer), { rows, from: first, to: last }, ...split(last, to, finer)];
}

/**
 * Returns a subquery of the runs that began in these clusters since a time, milliseconds since the epoch: rows with `cluster_id`,
 * `controller`, `outcome` and the number of `runs`, possibly several with the same values.
 */
export function runsSince(moment: number, clusters: readonly string[], bind: Bind): string {
  const ofClusters = `cluster_id = ANY(${bind(clusters)}::text[])`;
  const start = timeOf(bind(moment));
  const minute = timeOf(bind(Math.ceil(moment / MINUTE_MS) * MINUTE_MS));
  return `(SELECT cluster_id, controller, outcome, runs FROM run_counts
            WHERE ${ofClusters} AND step = 'minute' AND at >= ${minute}
           UNION ALL
           SELECT cluster_id, controller, outcome, 1 FROM runs
            WHERE ${ofClusters} AND started_at >= ${start} AND started_at < ${minute})`;
}
