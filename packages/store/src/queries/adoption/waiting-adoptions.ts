import { isAdoptionReason } from "@cloudwright/core/model/adoption-refusal";
import { INTENT_STATES, intentStateSchema, isFinal } from "@cloudwright/core/model/intent";
import { reasonSchema } from "@cloudwright/core/model/reason";
import type pg from "pg";
import type { Database } from "../../database/database.ts";
import { sqlCodes } from "../../sql/stored-json.ts";
import type { OpenAdoption, WaitingAdoption, WaitingCounts } from "../../views/takeover.ts";

/** SQL that is true of a row that waits. Of a Node another cause may come first, so the row of its routes counts. */
export const WAITS_FOR_CONSENT = `state <> 'gone' AND kind IN ('Service', 'NodeRoutes')
  AND reason_code IN (${sqlCodes(({ offers }) => offers === "adopt")})`;

interface StoredWaiting {
  readonly kind: "Service" | "NodeRoutes";
  readonly name: string;
  readonly uid: string;
  readonly reason: unknown;
  readonly since: Date;
}

/** What waits for consent, Services first, each kind by name; all of it unless `most` is given. */
export async function waitingAdoptions(
  { pool }: Pick<Database, "pool">,
  cluster: string,
  most?: number,
): Promise<readonly WaitingAdoption[]> {
  const { rows } = await pool.query<StoredWaiting>(
    `SELECT kind, name, uid, since, reason
       FROM all_states
      WHERE cluster_id = $1 AND ${WAITS_FOR_CONSENT}
      ORDER BY kind DESC, name_key COLLATE "C", name COLLATE "C"
      LIMIT $2`,
    [cluster, most ?? null],
  );
  return rows.flatMap((row) => {
    const reason = reasonSchema.safeParse(row.reason).data;
    if (reason === undefined || !isAdoptionReason(reason)) return [];
    const { name, uid, since } = row;
    const kind = row.kind === "Service" ? "Service" : "Node";
    return [{ kind, name, uid, reason, since: since.getTime() }];
  });
}

/** How many objects wait for consent. */
export async function countWaitingAdoptions(
  { pool }: { readonly pool: Pick<pg.Pool, "query"> },
  cluster: string,
): Promise<WaitingCounts> {
  const { rows } = await pool.query<WaitingCounts>(
    `SELECT count(*) FILTER (WHERE kind = 'Service')::int AS balancers,
            count(*) FILTER (WHERE kind = 'NodeRoutes')::int AS routes
       FROM all_states WHERE cluster_id = $1 AND ${WAITS_FOR_CONSENT}`,
    [cluster],
  );
  return rows[0] ?? { balancers: 0, routes: 0 };
}

const OPEN = INTENT_STATES.filter((state) => !isFinal(state));

/** Adoptions that are requested and have not ended, by `adoptionKey` of their object. */
export async function openAdoptions(
  { pool }: Pick<Database, "pool">,
  cluster: string,
): Promise<ReadonlyMap<string, OpenAdoption>> {
  const { rows } = await pool.query<{ key: string; id: string; actor: string; state: string }>(
    `SELECT object_kind || ' ' || COALESCE(object_namespace || '/', '') || object_name AS key,
            id::text, actor_name AS actor, state
       FROM intents
      WHERE cluster_id = $1 AND kind = 'adopt' AND state = ANY($2::text[]) AND expires_at > now()
      ORDER BY requested_at`,
    [cluster, OPEN],
  );
  return new Map(
    rows.map(({ key, state, ...rest }) => [
      key,
      { ...rest, state: intentStateSchema.parse(state) },
    ]),
  );
}

/** Tells the objects that wait apart: a Service and a Node may have one name. */
export function adoptionKey({ kind, name }: Pick<WaitingAdoption, "kind" | "name">): string {
  return `${kind} ${name}`;
}
