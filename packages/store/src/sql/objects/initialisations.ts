import { nodeKind } from "@cloudwright/core/model/kinds/node";
import { TIMELINE_STEPS } from "@cloudwright/core/model/records/node-record";
import { z } from "zod";
import type { Database } from "../../database/database.ts";
import {
  INITIALISATION_PARTS,
  type InitialisationPart,
  type InitialisationView,
} from "../../views/initialisation.ts";
import { readJson, sqlKinds } from "../stored-json.ts";

/* By hand: percentiles by parts of a time span, for nodes and for the steps of their timelines. */

export interface InitialisationInput {
  readonly cluster: string;
  /** Without it the span begins with the first node that was initialised. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** The end, when none is given. */
  readonly now: number;
}

/** Returns how long nodes took that were initialised within a time span; nodes that have gone since count as well. */
export async function initialisations(
  { pool }: Pick<Database, "pool">,
  { cluster, from, to, now }: InitialisationInput,
): Promise<InitialisationView> {
  const { rows } = await pool.query<StoredPart>(STATEMENT, [cluster, from ?? null, to ?? now]);
  const began = Number(rows[0]?.began ?? from ?? now);
  const parts: (InitialisationPart | undefined)[] = Array.from({ length: INITIALISATION_PARTS });
  for (const row of rows) parts[row.part - 1] = partOf(row);
  return { from: began, to: to ?? now, parts };
}

/** The step `registered` takes no time: it starts the clock. */
const STATEMENT = `
  WITH stretch AS MATERIALIZED (
    SELECT COALESCE($2::float8, floor(extract(epoch FROM min(initialised_at)) * 1000)::float8) AS began, $3::float8 AS ended
      FROM node_states WHERE cluster_id = $1 AND kind = ${sqlKinds(nodeKind)}
  ), made AS MATERIALIZED (
    SELECT name, init_ms, timeline, began,
           least(${INITIALISATION_PARTS}, 1 + floor((extract(epoch FROM initialised_at)::float8 * 1000 - began)
             / greatest(1, ended - began) * ${INITIALISATION_PARTS})::int) AS part
      FROM node_states, stretch
     WHERE cluster_id = $1 AND kind = ${sqlKinds(nodeKind)} AND init_ms IS NOT NULL
       AND initialised_at >= to_timestamp(began / 1000) AND initialised_at < to_timestamp(ended / 1000)
  ), steps AS (
    SELECT DISTINCT ON (part) part, step ->> 'step' AS step,
           percentile_cont(0.5) WITHIN GROUP (ORDER BY (step ->> 'endedAt')::float8 - (step ->> 'startedAt')::float8) AS ms
      FROM made, jsonb_path_query(timeline, '$[*] ? (@.state == "done" && @.step != "registered"
                   && @.startedAt.type() == "number" && @.endedAt.type() == "number")') AS step
     GROUP BY part, step ->> 'step'
     ORDER BY part, 3 DESC, 2
  )
  SELECT part, min(began) AS began, count(*)::int AS nodes,
         percentile_cont(0.5) WITHIN GROUP (ORDER BY init_ms) AS p50,
         percentile_cont(0.95) WITHIN GROUP (ORDER BY init_ms) AS p95,
         (array_agg(name ORDER BY init_ms DESC, name))[1] AS slowest_name, max(init_ms)::float8 AS slowest_ms,
         min(steps.step) AS step, min(steps.ms) AS step_ms
    FROM made LEFT JOIN steps USING (part)
   GROUP BY part
   ORDER BY part`;

interface StoredPart {
  readonly part: number;
  readonly began: number;
  readonly nodes: number;
  readonly p50: number;
  readonly p95: number;
  readonly slowest_name: string;
  readonly slowest_ms: number;
  readonly step: string | null;
  readonly step_ms: number | null;
}

const STEP = z.enum(TIMELINE_STEPS);

function partOf(row: StoredPart): InitialisationPart {
  const step = readJson(STEP, row.step, undefined);
  return {
    nodes: row.nodes,
    p50Ms: row.p50,
    p95Ms: row.p95,
    slowestStep: step === undefined ? undefined : { step, p50Ms: row.step_ms ?? 0 },
    slowest: { name: row.slowest_name, ms: row.slowest_ms },
  };
}
