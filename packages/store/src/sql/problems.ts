import { CAUSE_FIELDS, reasonName } from "@cloudwright/core/model/reason";
import { STATES } from "@cloudwright/core/model/state";
import type pg from "pg";
import { z } from "zod";
import { PROBLEM_KINDS } from "../views/health.ts";
import { PROBLEM_MEMBERS_MOST, type Problem, type ProblemMember } from "../views/overview.ts";
import { readJson, readReason, readTime, sqlCodes } from "./stored-json.ts";

/* The first of each group of objects, by windows over what their reasons share. */

/**
 * Nodes, load balancers, routes and volumes that need a user, those of the same cause as one problem: the code and what
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

const MEMBERS = `
  WITH troubled AS (
    SELECT name, uid, controller, reason, reason_code, state_rank, since, next_at,
           kind, concat_ws(' ', kind, controller, reason_code, ${CAUSE_FIELDS.map((field) => `reason->>'${field}'`).join(", ")}) AS cause
      FROM all_states
     WHERE cluster_id = $1 AND kind IN (${PROBLEM_KINDS.map((kind) => `'${kind}'`).join(", ")})
       AND (state_rank = $2::smallint OR (state_rank = $3::smallint AND reason_code IN (${sqlCodes(({ offers }) => offers === "release-guard")})))
  ), placed AS (
    SELECT *, row_number() OVER (PARTITION BY state_rank, cause ORDER BY since, name) AS place,
           count(*) OVER (PARTITION BY state_rank, cause)::int AS members
      FROM troubled
  )
  SELECT kind, name, uid, controller, reason, state_rank = $2::smallint AS stuck, since, next_at, cause, members
    FROM placed WHERE place <= ${PROBLEM_MEMBERS_MOST} ORDER BY state_rank, cause, place`;

interface StoredMember {
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller: string;
  readonly reason: unknown;
  readonly stuck: boolean;
  readonly since: Date;
  readonly next_at: Date | null;
  readonly cause: string;
  readonly members: number;
}

/** The members of a problem come one after the other, its oldest first. */
function grouped(rows: readonly StoredMember[]): readonly Problem[] {
  const problems = new Map<string, Problem & { readonly members: ProblemMember[] }>();
  for (const row of rows) {
    const member = memberView(row);
    const kind = row.stuck ? "stuck" : "held";
    const id = `${kind} ${row.cause}`;
    const problem = problems.get(id);
    if (problem !== undefined) problem.members.push(member);
    else {
      const { reason, since } = member;
      const of = readJson(z.enum(PROBLEM_KINDS), row.kind, "Node");
      const [code, count] = [reasonName(reason), row.members];
      problems.set(id, { id, kind, of, code, count, since, members: [member] });
    }
  }
  return [...problems.values()];
}

function memberView(row: StoredMember): ProblemMember {
  return {
    name: row.name,
    uid: row.uid,
    controller: row.controller,
    reason: readReason(row.reason),
    since: row.since.getTime(),
    nextAt: readTime(row.next_at),
  };
}
