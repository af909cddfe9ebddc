import { factsOf } from "@cloudwright/core/model/reason";
import { STATES } from "@cloudwright/core/model/state";
import type pg from "pg";
import type { VanishedNode } from "../queries/overview/mass-alarms.ts";
import { sqlCodes } from "./stored-json.ts";

/* Counts of all objects at once, and of those that changed since a heartbeat of the same statement. */

/** Some objects of a kind that are in one state for one reason. */
export interface Counted {
  readonly kind: string;
  readonly rank: number;
  readonly reason_code: string;
  readonly count: number;
  readonly since: Date;
  /** Of one that could not be looked at. */
  readonly reason: unknown;
}

/** Counted in one statement, as all objects of a cluster are read for it. */
export async function countStates(pool: pg.Pool, cluster: string): Promise<readonly Counted[]> {
  const { rows } = await pool.query<Counted>(COUNTED, [cluster]);
  return rows;
}

const COUNTED = `
  SELECT kind, state_rank AS rank, reason_code, count(*)::int AS count, min(since) AS since,
         (array_agg(reason) FILTER (WHERE state_rank = ${STATES.indexOf("unknown")}))[1] AS reason
    FROM all_states WHERE cluster_id = $1 AND state <> 'gone'
   GROUP BY kind, state_rank, reason_code`;

export interface StoredInventory {
  readonly controllers: unknown;
  readonly process: unknown;
  readonly gone_nodes: number;
  readonly gone_services: number;
  readonly initialised_nodes: number;
}

/** What the leader said that its caches held, and what went and was initialised since. */
export async function readInventory(
  pool: pg.Pool,
  cluster: string,
): Promise<StoredInventory | undefined> {
  const { rows } = await pool.query<StoredInventory>(
    `WITH leader AS (
       SELECT controllers, process, heard_at FROM controller_instances WHERE cluster_id = $1 AND leader
        ORDER BY dry_run, lease_transitions DESC NULLS LAST, heard_at DESC LIMIT 1
     ), gone AS (
       SELECT kind FROM all_states, leader
        WHERE cluster_id = $1 AND kind IN ('Node', 'Service') AND state = 'gone' AND gone_at > heard_at
     ), initialised AS (
       SELECT 1 FROM node_states, leader
        WHERE cluster_id = $1 AND initialised_at > heard_at AND created_at <= heard_at
     )
     SELECT controllers, process, (SELECT count(*)::int FROM gone WHERE kind = 'Node') AS gone_nodes,
            (SELECT count(*)::int FROM gone WHERE kind = 'Service') AS gone_services,
            (SELECT count(*)::int FROM initialised) AS initialised_nodes
       FROM leader`,
    [cluster],
  );
  return rows[0];
}

const REMEMBERED_MS = 3_600_000;

/** Nodes whose machines the cloud does not have: those of which it is doubted, and those that were removed in the last hour. */
export async function readVanished(
  pool: pg.Pool,
  { cluster, now }: { readonly cluster: string; readonly now: number },
): Promise<readonly VanishedNode[]> {
  const { rows } = await pool.query<{ at: Date; reason_code: string }>(
    `SELECT COALESCE(gone_at, since) AS at, reason_code FROM node_states
      WHERE cluster_id = $1
        AND ((state <> 'gone' AND reason_code IN (${sqlCodes(({ vanished }) => vanished === "held" || vanished === "doubted")}))
          OR (state = 'gone' AND reason_code IN (${sqlCodes(({ vanished }) => vanished === "removed")}) AND gone_at > to_timestamp($2)))`,
    [cluster, (now - REMEMBERED_MS) / 1_000],
  );
  return rows.map(({ at, reason_code }) => ({
    at: at.getTime(),
    fate: factsOf(reason_code).vanished ?? "doubted",
  }));
}
