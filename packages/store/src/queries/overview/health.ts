import { controllerOf } from "@cloudwright/core/model/controller-names";
import { factsOf } from "@cloudwright/core/model/reason";
import { type Heartbeat, heartbeatSchema } from "@cloudwright/core/model/records/record";
import { STATES } from "@cloudwright/core/model/state";
import type pg from "pg";
import { readJson, readReason, sqlCodes } from "../../sql/stored-json.ts";
import {
  ALARMED_KINDS,
  type AlarmedKind,
  type ClusterHealth,
  type Coverage,
  type CoveredKind,
  type MassAlarm,
  type Needs,
  PROBLEM_KINDS,
} from "../../views/health.ts";
import { unknownAlarm, type VanishedNode, vanishedAlarm } from "./mass-alarms.ts";

/** What needs a user, how much of the cluster is known, and what befell many at once. `now`: the server's time. */
export async function clusterHealth(
  pool: pg.Pool,
  { cluster, now }: { readonly cluster: string; readonly now: number },
): Promise<ClusterHealth> {
  const [{ rows }, inventory, vanished] = await Promise.all([
    pool.query<Counted>(COUNTED, [cluster]),
    readInventory(pool, cluster),
    readVanished(pool, { cluster, now }),
  ]);
  const alarm = vanishedAlarm(vanished, { present: count(rows, isOf("Node")), now });
  return {
    needs: needsOf(rows),
    coverage: {
      Node: coverageOf("Node", rows, inventory),
      Service: coverageOf("Service", rows, inventory),
    },
    alarms: [...(alarm === undefined ? [] : [alarm]), ...unknownAlarms(rows)],
  };
}

/** Some objects of a kind that are in one state for one reason. */
interface Counted {
  readonly kind: string;
  readonly rank: number;
  readonly reason_code: string;
  readonly count: number;
  readonly since: Date;
  /** Of one that could not be looked at. */
  readonly reason: unknown;
}

const UNKNOWN = STATES.indexOf("unknown");
const STUCK = STATES.indexOf("stuck");
const HELD = STATES.indexOf("held");
const OK = STATES.indexOf("ok");

const COUNTED = `
  SELECT kind, state_rank AS rank, reason_code, count(*)::int AS count, min(since) AS since,
         (array_agg(reason) FILTER (WHERE state_rank = ${UNKNOWN}))[1] AS reason
    FROM all_states WHERE cluster_id = $1 AND state <> 'gone'
   GROUP BY kind, state_rank, reason_code`;

type Is = (row: Counted) => boolean;

function count(rows: readonly Counted[], ...conditions: readonly Is[]): number {
  return rows
    .filter((row) => conditions.every((is) => is(row)))
    .reduce((sum, row) => sum + row.count, 0);
}

function isOf(kind: string): Is {
  return (row) => row.kind === kind;
}

function needsOf(rows: readonly Counted[]): Needs {
  const isStuck: Is = ({ rank }) => rank === STUCK;
  const stuck = (kind: string) => count(rows, isOf(kind), isStuck);
  return {
    ...(Object.fromEntries(PROBLEM_KINDS.map((kind) => [kind, stuck(kind)])) as Record<
      (typeof PROBLEM_KINDS)[number],
      number
    >),
    NodeRoutes: stuck("NodeRoutes"),
    held: count(rows, isOf("Node"), isHeldByGuard),
  };
}

function isHeldByGuard({ rank, reason_code }: Counted): boolean {
  return rank === HELD && factsOf(reason_code).offers === "release-guard";
}

function unknownAlarms(rows: readonly Counted[]): readonly MassAlarm[] {
  return ALARMED_KINDS.flatMap((kind) => unknownAlarmOf(kind, rows));
}

function unknownAlarmOf(of: AlarmedKind, rows: readonly Counted[]): readonly MassAlarm[] {
  const unseen = rows.filter((row) => row.kind === of && row.rank === UNKNOWN);
  const [most] = unseen.toSorted((left, right) => right.count - left.count);
  if (most === undefined) return [];
  const alarm = unknownAlarm({
    of,
    count: count(unseen),
    total: count(rows, isOf(of)),
    since: Math.min(...unseen.map(({ since }) => since.getTime())),
    reason: readReason(most.reason),
  });
  return alarm === undefined ? [] : [alarm];
}

interface StoredInventory {
  readonly controllers: unknown;
  readonly process: unknown;
  readonly gone_nodes: number;
  readonly gone_services: number;
  readonly initialised_nodes: number;
}

/** `undefined` of a kind that no controller of the leader's speaks of. */
interface Inventory extends Readonly<Record<CoveredKind, number | undefined>> {
  readonly uninitialised: number;
}

/** What the leader's caches held, less what went and what was initialised since it said so. Undefined where it has not said. */
async function readInventory(pool: pg.Pool, cluster: string): Promise<Inventory | undefined> {
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
  const [row] = rows;
  const { inventory } = readJson(OF_PROCESS, row?.process, NOTHING);
  if (row === undefined || inventory === undefined) return undefined;
  const running = readJson(OF_HEARTBEAT.controllers, row.controllers, []);
  // A leader that has started no controller yet has not said which will run.
  const speaksOf = (kind: string) =>
    running.length === 0 || running.some(({ name }) => controllerOf(name).objectKind === kind);
  return {
    Node: speaksOf("Node") ? inventory.nodes - row.gone_nodes : undefined,
    Service: speaksOf("Service") ? (inventory.services ?? 0) - row.gone_services : undefined,
    uninitialised: Math.max(0, inventory.uninitialised - row.initialised_nodes),
  };
}

const OF_HEARTBEAT = heartbeatSchema.unwrap().shape;
const OF_PROCESS = heartbeatSchema.unwrap().pick({ inventory: true });
const NOTHING: Pick<Heartbeat, "inventory"> = {};

function coverageOf(
  kind: CoveredKind,
  rows: readonly Counted[],
  inventory: Inventory | undefined,
): Coverage {
  const present = Math.max(count(rows, isOf(kind)), inventory?.[kind] ?? 0);
  const reported = count(rows, isOf(kind), ({ reason_code }) => reason_code !== "NotReportedYet");
  const ok = count(rows, isOf(kind), ({ rank }) => rank === OK);
  return {
    ...{ present, reported },
    isExpected: inventory === undefined || inventory[kind] !== undefined,
    uninitialised:
      kind === "Node" ? uninitialisedOf({ present, reported, ok }, inventory) : undefined,
  };
}

/**
 * While nodes come, the leader's count is older than the rows, and no node is OK and uninitialised at once. Once all have
 * reported it goes before them: a node that got the taint anew is OK in its row until it is looked at.
 */
function uninitialisedOf(
  {
    present,
    reported,
    ok,
  }: { readonly present: number; readonly reported: number; readonly ok: number },
  inventory: Inventory | undefined,
): number | undefined {
  if (inventory === undefined || reported >= present) return inventory?.uninitialised;
  return Math.min(inventory.uninitialised, present - ok);
}

const REMEMBERED_MS = 3_600_000;

async function readVanished(
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
