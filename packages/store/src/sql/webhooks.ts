import type { Condition } from "@cloudwright/core/model/notifications";
import type { Reason } from "@cloudwright/core/model/reason";
import { STATES, type State } from "@cloudwright/core/model/state";
import type pg from "pg";
import { CAUSE, HELD_BY_GUARD, PARTS } from "./objects/health.ts";
import {
  asText,
  orUndefined,
  readReason,
  readTime,
  type StoredRow,
  storedColumns,
} from "./stored-json.ts";

/*
 * By hand: rows that one of several processes takes while skipping those of others; and problems of a cluster grouped by cause, with the
 * first of each group.
 */

/** Objects with one cause of trouble, the longest first. */
export interface ObjectTrouble {
  readonly condition: Extract<Condition, "stuck" | "drift" | "guard">;
  /** The fields that they share; unchanged while the trouble lasts. */
  readonly cause: string;
  readonly kind: string;
  /** `w-9`, or `shop/web`. */
  readonly names: readonly string[];
  /** Since when each of them has been in its state, milliseconds since the epoch. */
  readonly since: readonly number[];
  /** The first one's controller, reason and state. */
  readonly controller: string;
  readonly reason: Reason;
  readonly state: State;
  readonly nextAt: number | undefined;
}

interface StoredTrouble extends StoredRow {
  readonly condition: ObjectTrouble["condition"];
  readonly names: readonly string[];
  readonly since: readonly number[];
  readonly state: State;
}

/** Returns the objects that are stuck, have drifted, or are held by the deletion guard. */
export async function readTroubles(
  pool: pg.Pool,
  cluster: string,
): Promise<readonly ObjectTrouble[]> {
  const { rows } = await pool.query<StoredTrouble>(TROUBLES, [
    cluster,
    STATES.indexOf("stuck"),
    STATES.indexOf("held"),
  ]);
  return rows.map((row) => ({
    ...FIRST.read(row),
    ...{ condition: row.condition, names: row.names, since: row.since, state: row.state },
  }));
}

const FIRST = storedColumns({
  kind: asText,
  cause: asText,
  controller: asText,
  reason: readReason,
  nextAt: readTime,
});

const FACTS = "kind, name, controller, reason, state, since, next_at";
const first = (column: string) => `(array_agg(${column} ORDER BY since, name))[1] AS ${column}`;

const TROUBLES = `
  WITH troubled AS (
    SELECT 'stuck' AS condition, ${CAUSE} AS cause, ${FACTS} FROM all_states
     WHERE cluster_id = $1 AND state_rank = $2::smallint AND kind NOT IN (${PARTS})
    UNION ALL
    SELECT 'guard', 'guard', ${FACTS} FROM all_states
     WHERE cluster_id = $1 AND state_rank = $3::smallint AND kind = 'Node' AND reason_code IN (${HELD_BY_GUARD})
    UNION ALL
    SELECT 'drift', kind, ${FACTS} FROM all_states
     WHERE cluster_id = $1 AND drift = 'drifted' AND state <> 'gone'
  )
  SELECT condition, cause, kind, array_agg(name ORDER BY since, name) AS names,
         array_agg((extract(epoch FROM since) * 1000)::float8 ORDER BY since, name) AS since,
         ${["controller", "reason", "state", "next_at"].map(first).join(", ")}
    FROM troubled GROUP BY condition, cause, kind ORDER BY condition, cause, kind`;

/** A message that takes longer may be tried by another process. */
const CLAIM_MS = 60_000;

/** Claims for a minute the message that has been due the longest; undefined when there is none. Only one at a time for each webhook. */
export async function claimDelivery(pool: pg.Pool, now: number): Promise<string | undefined> {
  const { rows } = await pool.query<{ id: string }>(
    `UPDATE webhook_deliveries SET claimed_until = to_timestamp($1::float8 / 1000) + $2 * interval '1 millisecond'
      WHERE id = (
        SELECT due.id FROM webhook_deliveries AS due JOIN webhooks ON webhooks.id = due.webhook_id
         WHERE ${DUE} AND due.next_at <= to_timestamp($1::float8 / 1000)
           AND (due.claimed_until IS NULL OR due.claimed_until <= to_timestamp($1::float8 / 1000))
           AND ${ALONE}
         ORDER BY due.next_at, due.id LIMIT 1 FOR UPDATE OF due SKIP LOCKED)
      RETURNING id`,
    [now, CLAIM_MS],
  );
  return rows[0]?.id;
}

const DUE = "due.state = 'pending' AND webhooks.paused_at IS NULL";
const ALONE = `NOT EXISTS (SELECT FROM webhook_deliveries AS other
    WHERE other.webhook_id = due.webhook_id AND other.state = 'pending' AND other.id <> due.id
      AND other.claimed_until > to_timestamp($1::float8 / 1000))`;

/**
 * Returns when the next message is due, milliseconds since the epoch; undefined when none waits. A message that waits for another one of
 * its webhook follows when that is done.
 */
export async function nextDelivery(pool: pg.Pool, now: number): Promise<number | undefined> {
  const { rows } = await pool.query<{ at: Date | null }>(
    `SELECT min(GREATEST(due.next_at, due.claimed_until)) AS at
       FROM webhook_deliveries AS due JOIN webhooks ON webhooks.id = due.webhook_id WHERE ${DUE} AND ${ALONE}`,
    [now],
  );
  return orUndefined(rows[0]?.at ?? null)?.getTime();
}

/** Removes messages that have ended: those from before that time, and all but the newest few of each webhook. Returns how many. */
export async function dropDeliveries(
  pool: pg.Pool,
  { before, keep }: { readonly before: Date; readonly keep: number },
): Promise<number> {
  const { rowCount } = await pool.query(
    `DELETE FROM webhook_deliveries USING (
       SELECT id, row_number() OVER (PARTITION BY webhook_id ORDER BY id DESC) AS place FROM webhook_deliveries
     ) AS placed
      WHERE placed.id = webhook_deliveries.id AND state <> 'pending' AND (created_at < $1 OR place > $2)`,
    [before, keep],
  );
  return rowCount ?? 0;
}
