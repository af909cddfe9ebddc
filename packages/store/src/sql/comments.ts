import type pg from "pg";

/* By hand: passes the ids of a whole page as one parameter, where Prisma's client makes a parameter of each: a folded run has many ids. */

/**
 * Returns how many comments are readable on each of these runs or actions, by id; ids without comments are missing. One lookup in the
 * index, however many ids there are.
 */
export async function countComments(
  pool: pg.Pool,
  { cluster, on, ids }: CountedComments,
): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map();
  const { text, values } = commentCountStatement({ cluster, on, ids });
  const { rows } = await pool.query<{ id: string; count: number }>(text, values);
  return new Map(rows.map(({ id, count }) => [id, count]));
}

export interface CountedComments {
  readonly cluster: string;
  readonly on: "runs" | "actions";
  readonly ids: readonly string[];
}

/** Returns the statement, for the query itself and for tests of its query plan. */
export function commentCountStatement({ cluster, on, ids }: CountedComments) {
  const column = on === "runs" ? "run_id" : "intent_id";
  const text = `SELECT ${column}::text AS id, count(*)::int AS count FROM comments
     WHERE cluster_id = $1 AND ${column} = ANY($2::uuid[]) AND withdrawn_at IS NULL GROUP BY ${column}`;
  return { text, values: [cluster, [...ids]] };
}
