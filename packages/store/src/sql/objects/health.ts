import type { ObjectKind } from "@cloudwright/core/model/kinds/define-kind";
import { objectKind, PART_KINDS, STATE_TABLES } from "@cloudwright/core/model/kinds/kinds";
import { serviceKind } from "@cloudwright/core/model/kinds/load-balancer";
import { nodeKind } from "@cloudwright/core/model/kinds/node";
import { CAUSE_FIELDS, factsOf, reasonName } from "@cloudwright/core/model/reason";
import { STATES } from "@cloudwright/core/model/state";
import type pg from "pg";
import { PROBLEM_MEMBERS_MOST, type Problem, type ProblemMember } from "../../views/overview.ts";
import {
  asText,
  asTime,
  readReason,
  readTime,
  type StoredRow,
  sqlCodes,
  sqlKinds,
  storedColumns,
} from "../stored-json.ts";

/* By hand: counts by an index of each table of states, and compares them with a heartbeat in one statement. */

/** Objects of a kind in one state with one reason; either all or none of them have drifted. */
export interface Counted {
  readonly cluster: string;
  readonly kind: string;
  readonly rank: number;
  readonly reason_code: string;
  readonly gone: boolean;
  readonly count: number;
  /** How many of them have drifted and are not gone: all or none. */
  readonly drifted: number;
}

type StoredCount = Omit<Counted, "gone" | "drifted"> & { readonly drift: string };

/** Counts all clusters in one statement, as sending a statement takes longer than answering it. */
export async function countStates(
  pool: pg.Pool,
  clusters: readonly string[],
): Promise<readonly Counted[]> {
  const { rows } = await pool.query<StoredCount>(COUNT_STATES, [clusters]);
  return rows.map(({ drift, ...row }) => {
    const gone = row.rank === GONE;
    return { ...row, gone, drifted: drift === "drifted" && !gone ? row.count : 0 };
  });
}

const GONE = STATES.indexOf("gone");
const UNKNOWN = STATES.indexOf("unknown");

/** Counts each table separately, as its index has the groups in order. For the query itself, and for a test of its query plan. */
export const COUNT_STATES = STATE_TABLES.map(
  (table) => `
  SELECT cluster_id AS cluster, kind, state_rank AS rank, reason_code, drift, count(*)::int AS count
    FROM ONLY ${table} WHERE cluster_id = ANY($1::text[])
   GROUP BY cluster_id, kind, state_rank, reason_code, drift`,
).join(" UNION ALL ");

/** Objects of a kind that could not be observed for one reason. */
export interface Unseen {
  readonly kind: string;
  readonly count: number;
  /** Since when the first of them could not. */
  readonly since: Date;
  /** The reason of any of them. */
  readonly reason: unknown;
}

/** Reports whether there are any among those counted. Usually there are none. */
export function hasUnseen(counted: readonly Counted[]): boolean {
  return counted.some(({ rank }) => rank === UNKNOWN);
}

export async function readUnseen(pool: pg.Pool, cluster: string): Promise<readonly Unseen[]> {
  const { rows } = await pool.query<Unseen>(
    `SELECT kind, count(*)::int AS count, min(since) AS since, (array_agg(reason))[1] AS reason
       FROM all_states WHERE cluster_id = $1 AND state_rank = ${UNKNOWN}
      GROUP BY kind, reason_code`,
    [cluster],
  );
  return rows;
}

export interface StoredInventory {
  readonly cluster: string;
  readonly controllers: unknown;
  readonly process: unknown;
  readonly gone_nodes: number;
  readonly gone_services: number;
  readonly initialised_nodes: number;
}

/** Returns what each cluster's leader last reported of its caches, and what was removed or initialised since. */
export async function readInventories(
  pool: pg.Pool,
  clusters: readonly string[],
): Promise<readonly StoredInventory[]> {
  const { rows } = await pool.query<StoredInventory>(INVENTORIES, [clusters]);
  return rows;
}

function goneSince(kind: ObjectKind): string {
  return `(SELECT count(*)::int FROM ${kind.table} AS object
            WHERE object.cluster_id = leader.cluster_id AND kind = ${sqlKinds(kind)} AND state_rank = ${GONE} AND gone_at > heard_at)`;
}

const INVENTORIES = `
  WITH leader AS (
    SELECT DISTINCT ON (cluster_id) cluster_id, controllers, process, heard_at
      FROM controller_instances WHERE cluster_id = ANY($1::text[]) AND leader
     ORDER BY cluster_id, dry_run, lease_transitions DESC NULLS LAST, heard_at DESC
  )
  SELECT cluster_id AS cluster, controllers, process, ${goneSince(nodeKind)} AS gone_nodes, ${goneSince(serviceKind)} AS gone_services,
         (SELECT count(*)::int FROM node_states AS node
           WHERE node.cluster_id = leader.cluster_id AND initialised_at > heard_at AND created_at <= heard_at) AS initialised_nodes
    FROM leader`;

const REMEMBERED_MS = 3_600_000;

/** A node whose machine is missing in the cloud. */
export interface VanishedNode {
  /** Since when the machine is missing, or when its node was removed; milliseconds since the epoch. */
  readonly at: number;
  readonly fate: "removed" | "held" | "doubted";
}

/** Reports whether there may be one among those counted, however long ago it was removed. Usually there is none. */
export function hasVanished(counted: readonly Counted[]): boolean {
  return counted.some(({ kind, reason_code, gone }) => {
    const { vanished } = factsOf(reason_code);
    return kind === nodeKind.name && vanished !== undefined && gone === (vanished === "removed");
  });
}

/** Returns nodes whose machines are missing in the cloud: the doubted ones, and those that were removed in the last hour. */
export async function readVanished(
  pool: pg.Pool,
  { cluster, now }: { readonly cluster: string; readonly now: number },
): Promise<readonly VanishedNode[]> {
  const { rows } = await pool.query<{ at: Date; reason_code: string }>(
    `SELECT COALESCE(gone_at, since) AS at, reason_code FROM node_states
      WHERE cluster_id = $1 AND kind = ${sqlKinds(nodeKind)}
        AND ((state_rank <> ${GONE} AND reason_code IN (${sqlCodes(({ vanished }) => vanished === "held" || vanished === "doubted")}))
          OR (state_rank = ${GONE} AND reason_code IN (${sqlCodes(({ vanished }) => vanished === "removed")}) AND gone_at > to_timestamp($2)))`,
    [cluster, (now - REMEMBERED_MS) / 1_000],
  );
  return rows.map(({ at, reason_code }) => ({
    at: at.getTime(),
    fate: factsOf(reason_code).vanished ?? "doubted",
  }));
}

/* By hand: the first of each group of objects, by windows over the fields that their reasons share. */

/**
 * Returns objects of any kind that need a user, those with the same cause as one problem: the same code and the same failing call, whatever
 * its request or object. Ordered by how long the oldest has been like that, times their number.
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

/** The fields that objects of one problem share, as one text. */
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

/** Groups the members of problems, which are in order, the oldest first. */
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
