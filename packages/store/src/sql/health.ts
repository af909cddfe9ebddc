import { objectKind, PART_KINDS } from "@cloudwright/core/model/kinds/kinds";
import { serviceKind } from "@cloudwright/core/model/kinds/load-balancer";
import { nodeKind } from "@cloudwright/core/model/kinds/node";
import { CAUSE_FIELDS, factsOf, reasonName } from "@cloudwright/core/model/reason";
import { STATES } from "@cloudwright/core/model/state";
import type pg from "pg";
import { PROBLEM_MEMBERS_MOST, type Problem, type ProblemMember } from "../views/overview.ts";
import {
  asText,
  asTime,
  readReason,
  readTime,
  type StoredRow,
  sqlCodes,
  sqlKinds,
  storedColumns,
} from "./stored-json.ts";

/* Counts of all objects at once, and of those that changed since a heartbeat of the same statement. */

/** Some objects of a kind that are in one state for one reason. */
export interface Counted {
  readonly cluster: string;
  readonly kind: string;
  readonly rank: number;
  readonly reason_code: string;
  readonly gone: boolean;
  readonly count: number;
  /** How many of them have drifted, and are not gone. */
  readonly drifted: number;
  readonly since: Date;
  /** When the last of them went. */
  readonly gone_at: Date | null;
  /** Of one that could not be looked at. */
  readonly reason: unknown;
}

/** Counted in one statement, as all objects of these clusters are read for it. */
export async function countStates(
  pool: pg.Pool,
  clusters: readonly string[],
): Promise<readonly Counted[]> {
  const { rows } = await pool.query<Counted>(COUNTED, [clusters]);
  return rows;
}

const COUNTED = `
  SELECT cluster_id AS cluster, kind, state_rank AS rank, reason_code, state = 'gone' AS gone, count(*)::int AS count,
         (count(*) FILTER (WHERE drift = 'drifted' AND state <> 'gone'))::int AS drifted,
         min(since) AS since, max(gone_at) AS gone_at,
         (array_agg(reason) FILTER (WHERE state_rank = ${STATES.indexOf("unknown")}))[1] AS reason
    FROM all_states WHERE cluster_id = ANY($1::text[])
   GROUP BY cluster_id, kind, state_rank, reason_code, state = 'gone'`;

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
        WHERE cluster_id = $1 AND kind IN (${sqlKinds(nodeKind, serviceKind)}) AND state_rank = ${STATES.indexOf("gone")} AND gone_at > heard_at
     ), initialised AS (
       SELECT 1 FROM node_states, leader
        WHERE cluster_id = $1 AND initialised_at > heard_at AND created_at <= heard_at
     )
     SELECT controllers, process, (SELECT count(*)::int FROM gone WHERE kind = ${sqlKinds(nodeKind)}) AS gone_nodes,
            (SELECT count(*)::int FROM gone WHERE kind = ${sqlKinds(serviceKind)}) AS gone_services,
            (SELECT count(*)::int FROM initialised) AS initialised_nodes
       FROM leader`,
    [cluster],
  );
  return rows[0];
}

const REMEMBERED_MS = 3_600_000;

/** A node whose machine the cloud does not have. */
export interface VanishedNode {
  /** Since when it was missed, or when its node was removed; milliseconds since the epoch. */
  readonly at: number;
  readonly fate: "removed" | "held" | "doubted";
}

/** Whether there is one among those that were counted. All rows of nodes are read to find it, and mostly there is none. */
export function hasVanished(counted: readonly Counted[], now: number): boolean {
  return counted.some(({ kind, reason_code, gone, gone_at }) => {
    const { vanished } = factsOf(reason_code);
    if (kind !== nodeKind.name || vanished === undefined) return false;
    if (!gone) return vanished !== "removed";
    return vanished === "removed" && gone_at !== null && gone_at.getTime() > now - REMEMBERED_MS;
  });
}

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

/* The first of each group of objects, by windows over what their reasons share. */

/**
 * Objects of any kind that need a user, those of the same cause as one problem: the code and what
 * the failing call was, but not which request or which object it was about. Ordered by how long the oldest has been so,
 * times how many there are.
 */
export async function listProblems(
  pool: pg.Pool,
  cluster: string,
  now: number,
): Promise<readonly Problem[]> {
  const { rows } = await pool.query<StoredMember>(MEMBERS, [
    cluster,
    STATES.indexOf("stuck"),
    STATES.indexOf("held"),
  ]);
  const weight = ({ since, count }: Problem) => Math.max(1, now - since) * count;
  return grouped(rows).toSorted(
    (left, right) => weight(right) - weight(left) || left.since - right.since,
  );
}

/** What objects of one problem have in common, as one text. */
export const CAUSE = `concat_ws(' ', kind, controller, reason_code, ${CAUSE_FIELDS.map((field) => `reason->>'${field}'`).join(", ")})`;
export const PARTS = sqlKinds(...PART_KINDS.map(objectKind));
export const HELD_BY_GUARD = sqlCodes(({ offers }) => offers === "release-guard");

const MEMBERS = `
  WITH troubled AS (
    SELECT name, uid, controller, reason, reason_code, state_rank, since, next_at,
           kind, ${CAUSE} AS cause
      FROM all_states
     WHERE cluster_id = $1 AND kind NOT IN (${PARTS})
       AND (state_rank = $2::smallint OR (state_rank = $3::smallint AND reason_code IN (${HELD_BY_GUARD})))
  ), placed AS (
    SELECT *, row_number() OVER (PARTITION BY state_rank, cause ORDER BY since, name) AS place,
           count(*) OVER (PARTITION BY state_rank, cause)::int AS members
      FROM troubled
  )
  SELECT kind, name, uid, controller, reason, state_rank = $2::smallint AS stuck, since, next_at, cause, members
    FROM placed WHERE place <= ${PROBLEM_MEMBERS_MOST} ORDER BY state_rank, cause, place`;

interface StoredMember extends StoredRow {
  readonly kind: string;
  readonly stuck: boolean;
  readonly cause: string;
  readonly members: number;
}

const MEMBER = storedColumns({
  name: asText,
  uid: asText,
  controller: asText,
  reason: readReason,
  since: asTime,
  nextAt: readTime,
});

/** The members of a problem come one after the other, its oldest first. */
function grouped(rows: readonly StoredMember[]): readonly Problem[] {
  const problems = new Map<string, Problem & { readonly members: ProblemMember[] }>();
  for (const row of rows) {
    const member = MEMBER.read(row);
    const kind = row.stuck ? "stuck" : "held";
    const id = `${kind} ${row.cause}`;
    const problem = problems.get(id);
    if (problem !== undefined) problem.members.push(member);
    else {
      const { reason, since } = member;
      const [code, count] = [reasonName(reason), row.members];
      problems.set(id, { id, kind, of: row.kind, code, count, since, members: [member] });
    }
  }
  return [...problems.values()];
}
