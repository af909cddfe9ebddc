import { type Reason, type ReasonOf, reasonSchema } from "@cloudwright/core/model/reason";
import type pg from "pg";
import { z } from "zod";
import type { Database } from "../database.ts";
import type { DoneAdoption, TakeoverView, WaitingAdoption } from "../takeover-views.ts";
import { orUndefined, readJson, readTime } from "./stored-json.ts";

/** As many of each as a page shows; what there is more is counted. */
const MOST = 500;

/** What was adopted from an earlier manager, and what waits for consent. */
export async function takeoverOf(db: Database, cluster: string): Promise<TakeoverView> {
  const [waiting, adopted, counts] = await Promise.all([
    listWaiting(db.pool, cluster, MOST),
    listAdopted(db.pool, cluster),
    countTakeover(db.pool, cluster),
  ]);
  return { waiting, adopted, counts };
}

/** All that waits for consent, Services first, each kind by name. */
export async function waitingAdoptions(
  db: Database,
  cluster: string,
): Promise<readonly WaitingAdoption[]> {
  return listWaiting(db.pool, cluster, undefined);
}

/** How many objects wait for consent to adopt something; for the Overview. */
export async function countWaitingAdoptions(db: Database, cluster: string): Promise<number> {
  const { rows } = await db.pool.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM object_states WHERE cluster_id = $1 AND ${WAITING}`,
    [cluster],
  );
  return rows[0]?.count ?? 0;
}

/** Of a Node another cause may come first: what its route controller says counts. */
const WAITING = `state <> 'gone' AND (
  (kind = 'Service' AND reason_code IN ('BalancerUnowned', 'BalancerStands'))
  OR (kind = 'Node' AND route_reason_code = 'RouteUnowned'))`;

const ROUTES = "'node-route-controller'";

interface StoredWaiting {
  readonly kind: "Service" | "Node";
  readonly name: string;
  readonly uid: string;
  readonly reason: unknown;
  readonly since: Date;
}

async function listWaiting(
  pool: pg.Pool,
  cluster: string,
  most: number | undefined,
): Promise<readonly WaitingAdoption[]> {
  const { rows } = await pool.query<StoredWaiting>(
    `SELECT kind, name, uid, since,
            CASE kind WHEN 'Node' THEN parts -> ${ROUTES} -> 'reason' ELSE reason END AS reason
       FROM object_states
      WHERE cluster_id = $1 AND ${WAITING}
      ORDER BY kind DESC, name COLLATE "C"
      LIMIT $2`,
    [cluster, most ?? null],
  );
  return rows.flatMap((row) => {
    const reason = reasonSchema.safeParse(row.reason).data;
    if (reason === undefined || !isOfAdoption(reason)) return [];
    const { kind, name, uid } = row;
    return [{ kind, name, uid, reason, since: row.since.getTime() }];
  });
}

function isOfAdoption(reason: Reason): reason is WaitingAdoption["reason"] {
  return ADOPTIONS.has(reason.code);
}

const ADOPTIONS: ReadonlySet<string> = new Set<WaitingAdoption["reason"]["code"]>([
  "BalancerUnowned",
  "BalancerStands",
  "RouteUnowned",
]);

/** Why consent alone is not enough for it, as a sentence; undefined where it is. */
export function refusalOfAdoption({ reason }: Pick<WaitingAdoption, "reason">): string | undefined {
  if (reason.code === "BalancerStands" && reason.owner !== undefined) {
    return `It belongs to ${reason.owner}, and what is another's is never adopted.`;
  }
  return reason.code === "BalancerUnowned" ? othersOn(reason) : undefined;
}

function othersOn({ others = [] }: ReasonOf<"BalancerUnowned">): string | undefined {
  if (others.length === 0) return undefined;
  return `On it is what the Service does not ask for (${others.join(", ")}): take that off it first.`;
}

interface StoredAdopted {
  readonly object_namespace: string | null;
  readonly object_name: string | null;
  readonly after: unknown;
  readonly actor_name: string;
  readonly why: string;
  readonly at: Date;
  readonly run_id: string | null;
}

async function listAdopted(pool: pg.Pool, cluster: string): Promise<readonly DoneAdoption[]> {
  const { rows } = await pool.query<StoredAdopted>(
    `SELECT object_namespace, object_name, after, actor_name, why, at, run_id::text
       FROM audit_entries
      WHERE chain = $1 AND action = 'balancer.adopt' AND result = 'applied'
      ORDER BY seq DESC
      LIMIT ${MOST}`,
    [cluster],
  );
  return rows.map((row) => ({
    service: [row.object_namespace, row.object_name].filter(Boolean).join("/"),
    id: readJson(targetSchema, row.after, { target: "" }).target,
    by: row.actor_name,
    why: row.why,
    at: readTime(row.at) ?? 0,
    runId: orUndefined(row.run_id),
  }));
}

const targetSchema = z.object({ target: z.string() });

async function countTakeover(pool: pg.Pool, cluster: string): Promise<TakeoverView["counts"]> {
  const cells = (ownership: string) =>
    `jsonb_path_exists(parts -> ${ROUTES}, '$.detail.cells[*] ? (@.ownership == "${ownership}")')`;
  const [objects, entries] = await Promise.all([
    pool.query<Omit<TakeoverView["counts"], "adopted">>(
      `SELECT count(*) FILTER (WHERE ${WAITING})::int AS waiting,
              count(*) FILTER (WHERE kind = 'Node' AND ${cells("proofs")})::int AS "nodesByProofs",
              count(*) FILTER (WHERE kind = 'Node' AND ${cells("report")})::int AS "nodesReported"
         FROM object_states
        WHERE cluster_id = $1 AND kind IN ('Service', 'Node') AND state <> 'gone'`,
      [cluster],
    ),
    pool.query<{ adopted: number }>(
      `SELECT count(*)::int AS adopted FROM audit_entries
        WHERE chain = $1 AND action = 'balancer.adopt' AND result = 'applied'`,
      [cluster],
    ),
  ]);
  const { waiting = 0, nodesByProofs = 0, nodesReported = 0 } = objects.rows[0] ?? {};
  return { waiting, nodesByProofs, nodesReported, adopted: entries.rows[0]?.adopted ?? 0 };
}
