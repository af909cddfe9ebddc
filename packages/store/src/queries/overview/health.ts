import { controllerOf } from "@cloudwright/core/model/controller-names";
import { PART_KINDS } from "@cloudwright/core/model/kinds/kinds";
import { isOfCloudAlone } from "@cloudwright/core/model/object-ref";
import { factsOf } from "@cloudwright/core/model/reason";
import { type Heartbeat, heartbeatSchema } from "@cloudwright/core/model/records/record";
import { STATES } from "@cloudwright/core/model/state";
import type pg from "pg";
import { z } from "zod";
import {
  type Counted,
  countStates,
  hasUnseen,
  hasVanished,
  readInventories,
  readUnseen,
  readVanished,
  type StoredInventory,
  type Unseen,
  type VanishedNode,
} from "../../sql/objects/health.ts";
import { readJson, readReason } from "../../sql/stored-json.ts";
import type {
  ClusterHealth,
  Coverage,
  CoveredKind,
  MassAlarm,
  Needs,
  UnknownAlarm,
  VanishedAlarm,
} from "../../views/health.ts";

/** Returns a cluster's problems, how much of it is known, and its mass alarms. `now`: the server's time. */
export function clusterHealth(
  pool: pg.Pool,
  of: { readonly cluster: string; readonly now: number },
): Promise<ClusterHealth> {
  const inventory = readInventories(pool, [of.cluster]).then(([row]) => row);
  return healthOf(pool, { counting: countStates(pool, [of.cluster]), inventory }, of);
}

/** The queries in progress for a cluster, usually shared with other clusters. */
interface Reading {
  readonly counting: Promise<readonly Counted[]>;
  readonly inventory: Promise<StoredInventory | undefined>;
}

/** Does the same for a cluster whose objects are being counted already. */
export async function healthOf(
  pool: pg.Pool,
  { counting, inventory: reading }: Reading,
  { cluster, now }: { readonly cluster: string; readonly now: number },
): Promise<ClusterHealth> {
  const [counted, inventory] = await Promise.all([counting, reading.then(inventoryOf)]);
  const [vanished, unseen] = await Promise.all([
    hasVanished(counted) ? readVanished(pool, { cluster, now }) : [],
    hasUnseen(counted) ? readUnseen(pool, cluster) : [],
  ]);
  const rows = counted.filter(({ gone }) => !gone);
  const alarm = vanishedAlarm(vanished, { present: count(rows, isOf("Node")), now });
  return {
    needs: needsOf(rows),
    coverage: {
      Node: coverageOf("Node", rows, inventory),
      Service: coverageOf("Service", rows, inventory),
    },
    alarms: [...(alarm === undefined ? [] : [alarm]), ...unknownAlarms(rows, unseen)],
  };
}

const STUCK = STATES.indexOf("stuck");
const HELD = STATES.indexOf("held");
const OK = STATES.indexOf("ok");

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
  const stuck = (isCounted: (kind: string) => boolean) =>
    Object.fromEntries(
      kindsOf(rows.filter(isStuck))
        .filter(isCounted)
        .map((kind) => [kind, count(rows, isOf(kind), isStuck)]),
    );
  return {
    stuck: stuck((kind) => !PART_KINDS.includes(kind)),
    stuckParts: stuck((kind) => PART_KINDS.includes(kind)),
    held: count(rows, isOf("Node"), isHeldByGuard),
  };
}

function isHeldByGuard({ rank, reason_code }: Counted): boolean {
  return rank === HELD && factsOf(reason_code).offers === "release-guard";
}

function kindsOf(rows: readonly Pick<Counted, "kind">[]): readonly string[] {
  return [...new Set(rows.map(({ kind }) => kind))];
}

/** Objects that exist only in the cloud are known by listings: none is observed individually. */
function unknownAlarms(rows: readonly Counted[], unseen: readonly Unseen[]): readonly MassAlarm[] {
  return kindsOf(unseen)
    .filter((kind) => !isOfCloudAlone({ kind }))
    .toSorted()
    .flatMap((kind) => {
      const total = count(rows, isOf(kind));
      return unknownAlarmOf(
        unseen.filter((each) => each.kind === kind),
        total,
      );
    });
}

/** Returns the alarm for one kind with this total. */
function unknownAlarmOf(unseen: readonly Unseen[], total: number): readonly MassAlarm[] {
  const [most] = unseen.toSorted((left, right) => right.count - left.count);
  if (most === undefined) return [];
  const alarm = unknownAlarm({
    of: most.kind,
    count: unseen.reduce((sum, each) => sum + each.count, 0),
    total,
    since: Math.min(...unseen.map(({ since }) => since.getTime())),
    reason: readReason(most.reason),
  });
  return alarm === undefined ? [] : [alarm];
}

/** `undefined` for a kind that no controller of the leader reports. */
interface Inventory extends Readonly<Record<CoveredKind, number | undefined>> {
  readonly uninitialised: number;
}

/** Returns what the leader's caches held, minus what was removed or initialised since its report. Undefined if it has not reported. */
function inventoryOf(row: StoredInventory | undefined): Inventory | undefined {
  const { inventory } = readJson(OF_PROCESS, row?.process, NOTHING);
  if (row === undefined || inventory === undefined) return undefined;
  const running = readJson(OF_HEARTBEAT.controllers, row.controllers, []);
  // A leader that has started no controller yet has not said which ones will run.
  const speaksOf = (kind: string) =>
    running.length === 0 || running.some(({ name }) => controllerOf(name).objectKind === kind);
  return {
    Node: speaksOf("Node") ? inventory.nodes - row.gone_nodes : undefined,
    Service: speaksOf("Service") ? (inventory.services ?? 0) - row.gone_services : undefined,
    uninitialised: Math.max(0, inventory.uninitialised - row.initialised_nodes),
  };
}

const OF_HEARTBEAT = heartbeatSchema.def.innerType.shape;
const OF_PROCESS = z.object(heartbeatSchema.def.innerType.shape).pick({ inventory: true });
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
 * While nodes are being added, the leader's count is older than the rows, and no node is both OK and uninitialised. Once all have reported,
 * the leader's count wins: a node that got the taint again is OK in its row until it is observed.
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

/** The count and the share of a kind that make an alarm. */
const MANY = 3;
const SHARE = 0.1;
/** Machines that vanish within this time have one cause. */
const ONE_EVENT_MS = 600_000;

/** Returns undefined while few of the kind could not be observed. All objects of a small kind count as many. */
export function unknownAlarm(unseen: Omit<UnknownAlarm, "kind">): UnknownAlarm | undefined {
  const { count, total } = unseen;
  const isMany = count > 0 && (count === total || (count >= MANY && count >= total * SHARE));
  return isMany ? { kind: "unknown", ...unseen } : undefined;
}

/**
 * Returns the newest event in which machines vanished; a held deletion belongs to it however long ago it was. `present`: nodes that are in
 * the cluster now. Undefined while few vanished, and once all were removed and minutes have passed.
 */
export function vanishedAlarm(
  nodes: readonly VanishedNode[],
  { present, now }: { readonly present: number; readonly now: number },
): VanishedAlarm | undefined {
  const pending = nodes.filter(({ fate }) => fate !== "removed");
  const newest = Math.max(...nodes.map(({ at }) => at));
  if (pending.length === 0 && now - newest > ONE_EVENT_MS) return undefined;
  const first = Math.min(newest, ...pending.map(({ at }) => at));
  const involved = nodes.filter(({ at }) => at >= first - ONE_EVENT_MS);
  const count = (fate: VanishedNode["fate"]) => involved.filter((one) => one.fate === fate).length;
  const total = present + count("removed");
  if (involved.length < MANY || involved.length < total * SHARE) return undefined;
  const since = Math.min(...involved.map(({ at }) => at));
  return {
    kind: "vanished",
    count: involved.length,
    total,
    withinMs: Math.max(...involved.map(({ at }) => at)) - since,
    since,
    removed: count("removed"),
    held: count("held"),
  };
}
