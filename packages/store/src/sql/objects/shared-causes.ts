import { objectKind, PART_KINDS } from "@cloudwright/core/model/kinds/kinds";
import { STATES } from "@cloudwright/core/model/state";
import type pg from "pg";
import type { ClusterAccess } from "../../users/cluster-access.ts";
import { CAUSE_MEMBERS_MOST, type CauseMember } from "../../views/fleet.ts";
import {
  asText,
  asTime,
  readReason,
  type StoredRow,
  sqlCodes,
  sqlKinds,
  storedColumns,
} from "../stored-json.ts";

/* By hand: the first of each group of objects over all clusters, by windows over the fields that their reasons share. */

export interface StoredCause {
  readonly cluster: string;
  readonly stuck: boolean;
  readonly code: string;
  readonly member: CauseMember;
  /** The count of the member's kind in its cluster. */
  readonly count: number;
  /** Since when the oldest of those is affected. */
  readonly since: number;
}

/**
 * Returns the oldest objects of each kind and cluster that need a user for a reason found in another cluster as well. Which objects need a
 * user is decided as for one cluster (`listProblems`).
 */
export async function readSharedCauses(
  pool: pg.Pool,
  access: ClusterAccess,
): Promise<readonly StoredCause[]> {
  const { rows } = await pool.query<StoredRow & StoredGroup>(SHARED, [
    access === "all" ? null : access,
  ]);
  return rows.map((row) => ({
    cluster: row.cluster_id,
    stuck: row.stuck,
    code: row.reason_code,
    count: row.members,
    since: row.oldest.getTime(),
    member: MEMBER.read(row),
  }));
}

interface StoredGroup {
  readonly cluster_id: string;
  readonly stuck: boolean;
  readonly reason_code: string;
  readonly members: number;
  readonly oldest: Date;
}

const MEMBER = storedColumns({
  kind: asText,
  name: asText,
  uid: asText,
  reason: readReason,
  since: asTime,
});

const STUCK = STATES.indexOf("stuck");
const HELD = STATES.indexOf("held");

const SHARED = `
  WITH troubled AS (
    SELECT cluster_id, kind, name, uid, reason, reason_code, state_rank, since
      FROM all_states
     WHERE ($1::text[] IS NULL OR cluster_id = ANY($1)) AND kind NOT IN (${sqlKinds(...PART_KINDS.map(objectKind))})
       AND (state_rank = ${STUCK} OR (state_rank = ${HELD} AND reason_code IN (${sqlCodes(({ offers }) => offers === "release-guard")})))
  ), shared AS (
    SELECT state_rank, reason_code FROM troubled
     GROUP BY state_rank, reason_code HAVING count(DISTINCT cluster_id) > 1
  ), placed AS (
    SELECT *, row_number() OVER kinds_by_age AS place, count(*) OVER of_kind::int AS members, min(since) OVER of_kind AS oldest
      FROM troubled JOIN shared USING (state_rank, reason_code)
    WINDOW of_kind AS (PARTITION BY state_rank, reason_code, cluster_id, kind),
           kinds_by_age AS (of_kind ORDER BY since, name)
  )
  SELECT cluster_id, kind, name, uid, reason, reason_code, since, members, oldest, state_rank = ${STUCK} AS stuck
    FROM placed WHERE place <= ${CAUSE_MEMBERS_MOST} ORDER BY state_rank, reason_code, cluster_id, since, name`;
