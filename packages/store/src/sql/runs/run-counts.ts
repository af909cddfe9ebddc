import type { RunsFilter } from "../../views/views.ts";
import { type Bind, from, timeOf, until } from "../lists/conditions.ts";
import type { Countable, CountedStretch } from "../lists/countable.ts";
import { HOUR_MS, MINUTE_MS } from "../lists/part-width.ts";
import { RUNS } from "./runs.ts";

/*
 * How many runs there are, without reading them. The database keeps their number for each minute and each hour (UTC), by what most
 * filters select; what is less than a minute, at both ends of a stretch, is counted in the runs themselves.
 */

export const EACH_RUN: Countable<RunsFilter> = {
  ...{ table: "runs", column: "started_at", scope: RUNS.scope, count: "count(*)" },
  filters: RUNS.filters,
};

/** Their columns are called as those of runs, but for the time. */
const BY_MINUTE: Countable<RunsFilter> = {
  ...{ table: "run_counts", column: "at", scope: RUNS.scope, count: "sum(runs)" },
  only: "step = 'minute'",
  filters: { ...RUNS.filters, from: from("at"), to: until("at") },
};
const BY_HOUR: Countable<RunsFilter> = { ...BY_MINUTE, only: "step = 'hour'" };

/** The kept numbers from the coarsest on, each with its step in milliseconds. */
const STEPS = [
  { rows: BY_HOUR, step: HOUR_MS },
  { rows: BY_MINUTE, step: MINUTE_MS },
];

/**
 * Where the runs of a stretch are counted for parts of a width: in whole hours and whole minutes as far as these fit into the
 * parts and keep apart what the filter selects by, and in the runs what is left. Pure.
 */
export function runStretches(
  filter: RunsFilter,
  { from, to, width }: { readonly from: number; readonly to: number; readonly width: number },
): readonly CountedStretch<RunsFilter>[] {
  const steps = isKept(filter) ? STEPS.filter(({ step }) => width % step === 0) : [];
  return split(from, to, steps);
}

/** What the kept numbers distinguish. */
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
 * A query in parentheses of the runs that began in these clusters from a moment on, milliseconds since the epoch: rows with
 * `cluster_id`, `controller`, `outcome` and the number of `runs`, several for what is equal.
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
