import { BY_CONSENT_FLAG } from "@cloudwright/core/model/adoption";
import { serviceKind } from "@cloudwright/core/model/kinds/load-balancer";
import { nodeKind } from "@cloudwright/core/model/kinds/node";
import { nodeRoutesKind } from "@cloudwright/core/model/kinds/route";
import {
  type NodeRoutesDetail,
  routeCellSchema,
} from "@cloudwright/core/model/records/route-record";
import type pg from "pg";
import { z } from "zod";
import type { AdoptedBy, DoneAdoption, ProvenRoutes, TakeoverView } from "../../views/takeover.ts";
import {
  asIs,
  asJson,
  asOptionalText,
  asText,
  asTime,
  orUndefined,
  type StoredRow,
  sqlKinds,
  storedColumns,
} from "../stored-json.ts";

/* By hand: a union of two tables, and paths into JSON. */

const ADOPTED = storedColumns({
  kind: asIs<"Service" | "Node">,
  name: asText,
  target: (stored: string | null) => stored ?? "",
  by: asIs<AdoptedBy>,
  actor: asText,
  why: asText,
  at: asTime,
  runId: asOptionalText,
});

/** The audit entry of a change has the text of its reason; a consent is an action of its own, whose user and reason say more. */
const BY = `CASE WHEN entry.intent_id IS NOT NULL THEN 'consent'
                 WHEN position('${BY_CONSENT_FLAG}' IN entry.why) > 0 THEN 'flag'
                 ELSE 'proofs' END`;
const OF_LOAD_BALANCERS = `entry.chain = $1 AND entry.action = 'balancer.adopt' AND entry.result = 'applied'`;
/** Adopting a route writes nothing to the route: only the action that gave consent is recorded. */
const OF_ROUTES = `intent.cluster_id = $1 AND intent.object_kind = ${sqlKinds(nodeKind)} AND intent.kind = 'adopt'
               AND intent.state = 'verified'`;

/** Returns what was adopted, newest first, up to a limit. */
export async function listAdopted(
  pool: pg.Pool,
  cluster: string,
  most: number,
): Promise<readonly DoneAdoption[]> {
  const { rows } = await pool.query<StoredRow>(
    `(SELECT ${sqlKinds(serviceKind)} AS kind, concat_ws('/', entry.object_namespace, entry.object_name) AS name,
             entry.after ->> 'target' AS target, ${BY} AS by,
             COALESCE(intent.actor_name, entry.actor_name) AS actor,
             COALESCE(intent.why, entry.why) AS why, entry.at, entry.run_id::text
        FROM audit_entries AS entry LEFT JOIN intents AS intent ON intent.id = entry.intent_id::uuid
       WHERE ${OF_LOAD_BALANCERS}
       ORDER BY entry.seq DESC LIMIT ${most})
     UNION ALL
     (SELECT ${sqlKinds(nodeKind)}, intent.object_name, intent.wish ->> 'route', 'consent',
             intent.actor_name, intent.why, intent.updated_at, intent.run_ids[1]
        FROM intents AS intent WHERE ${OF_ROUTES}
       ORDER BY intent.requested_at DESC LIMIT ${most})
      ORDER BY at DESC LIMIT ${most}`,
    [cluster],
  );
  return rows.map(ADOPTED.read).map(({ target: id, ...adopted }) => ({ id, ...adopted }));
}

/** Counts what was adopted, by the basis for it. */
export async function countAdopted(
  pool: pg.Pool,
  cluster: string,
): Promise<TakeoverView["counts"]["adopted"]> {
  const { rows } = await pool.query<{ by: AdoptedBy; count: number }>(
    `SELECT by, sum(count)::int AS count
       FROM (SELECT ${BY} AS by, count(*) FROM audit_entries AS entry WHERE ${OF_LOAD_BALANCERS} GROUP BY 1
             UNION ALL
             SELECT 'consent', count(*) FROM intents AS intent WHERE ${OF_ROUTES}) AS counted
      GROUP BY by`,
    [cluster],
  );
  const counts = new Map(rows.map(({ by, count }) => [by, count]));
  const of = (by: AdoptedBy) => counts.get(by) ?? 0;
  return { proofs: of("proofs"), consent: of("consent"), flag: of("flag") };
}

const PROVEN = storedColumns({
  name: asText,
  uid: asText,
  cells: asJson(z.array(routeCellSchema), []),
  asOf: orUndefined<number>,
  runId: asText,
});

/** Returns each node's routes with this ownership, by node name. */
export async function provenRoutes(
  pool: pg.Pool,
  cluster: string,
  ownership: NonNullable<NodeRoutesDetail["cells"][number]["ownership"]>,
): Promise<readonly ProvenRoutes[]> {
  const path = `'$.cells[*] ? (@.ownership == "${ownership}")'`;
  const { rows } = await pool.query<StoredRow>(
    `SELECT name, uid, jsonb_path_query_array(detail, ${path}) AS cells,
            (detail ->> 'asOf')::float8 AS as_of, last_run_id AS run_id
       FROM route_states
      WHERE cluster_id = $1 AND kind = ${sqlKinds(nodeRoutesKind)} AND state <> 'gone' AND jsonb_path_exists(detail, ${path})
      ORDER BY name_key COLLATE "C", name COLLATE "C"`,
    [cluster],
  );
  return rows.map(PROVEN.read).map(({ cells, ...proven }) => ({
    ...proven,
    routes: cells.flatMap(({ route }) =>
      route === undefined ? [] : [{ id: route.id, destination: route.destination }],
    ),
  }));
}
