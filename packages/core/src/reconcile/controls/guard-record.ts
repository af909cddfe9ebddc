import type { GuardedNode, GuardRelease, GuardStatus } from "../../model/controls.ts";
import type { GuardPolicy } from "../../model/settings/setting-kinds.ts";
import type { GuardVerdict } from "../deletion-guard.ts";

/** What the deletion guard remembers. All functions here are pure; one that changes nothing returns the same object. */
export interface GuardRecord {
  readonly window?: GuardWindow | undefined;
  /** Nodes whose deletion waits for an admin, longest first. */
  readonly held: readonly HeldNode[];
  readonly releases: readonly GuardRelease[];
}

export interface GuardWindow {
  /** When the first deletion was counted, in milliseconds since the epoch. */
  readonly startedAt: number;
  /** How many nodes the cluster had at that time. */
  readonly nodes: number;
  /** UIDs of the nodes whose deletion was counted: a retried one counts only once. */
  readonly taken: readonly string[];
}

export type HeldNode = GuardedNode & { readonly since: number; readonly because: string };

/** What a decision of the guard depends on apart from its record. */
export interface GuardMoment {
  readonly policy: GuardPolicy;
  readonly nowMs: number;
  /** The number of nodes in the cluster now, which determines the limit of a window that starts now. */
  readonly nodeCount: number;
}

export const EMPTY_GUARD: GuardRecord = { held: [], releases: [] };

export function verdictOf(
  guard: GuardRecord,
  node: GuardedNode,
  moment: GuardMoment,
): GuardVerdict {
  const release = releaseOf(guard, node, moment.nowMs);
  if (release !== undefined) {
    return { kind: "released", by: release.by, intentId: release.intentId };
  }
  const window = openWindow(guard, moment);
  const taken = window?.taken ?? [];
  // The nodes rarely have to be counted.
  if (taken.length < moment.policy.nodes || taken.includes(node.uid)) return { kind: "free" };
  const limit = limitNow(guard, moment);
  if (taken.length < limit) return { kind: "free" };
  const others = guard.held.filter(({ uid }) => uid !== node.uid).length;
  const { windowMs } = moment.policy;
  return { kind: "held", deleted: taken.length, limit, windowMs, held: others + 1 };
}

/** Counts a deletion, unless it was released. Returns undefined when the limit is reached. */
export function takeDeletion(
  guard: GuardRecord,
  node: GuardedNode,
  moment: GuardMoment,
): GuardRecord | undefined {
  const verdict = verdictOf(guard, node, moment);
  if (verdict.kind === "held") return undefined;
  const window = openWindow(guard, moment);
  if (verdict.kind === "released" || window?.taken.includes(node.uid)) return guard;
  const { startedAt, nodes, taken } = window ?? newWindow(moment);
  return { ...guard, window: { startedAt, nodes, taken: [...taken, node.uid] } };
}

export function holdDeletion(
  guard: GuardRecord,
  node: GuardedNode,
  said: { readonly because: string; readonly nowMs: number },
): GuardRecord {
  if (guard.held.some(({ uid }) => uid === node.uid)) return guard;
  const held = { name: node.name, uid: node.uid, since: said.nowMs, because: said.because };
  return { ...guard, held: [...guard.held, held] };
}

export function endHold(guard: GuardRecord, isOver: (node: GuardedNode) => boolean): GuardRecord {
  const held = guard.held.filter((node) => !isOver(node));
  return held.length === guard.held.length ? guard : { ...guard, held };
}

/** Lets the nodes of the release through; releases that have ended are dropped. */
export function addRelease(guard: GuardRecord, release: GuardRelease): GuardRecord {
  const others = guard.releases.filter(
    ({ until, intentId }) => until > release.at && intentId !== release.intentId,
  );
  return { ...guard, releases: [...others, release] };
}

export function statusOf(guard: GuardRecord, moment: GuardMoment): GuardStatus {
  const window = openWindow(guard, moment);
  return {
    limit: limitNow(guard, moment),
    windowMs: moment.policy.windowMs,
    deleted: window?.taken.length ?? 0,
    ...(window === undefined ? {} : { windowEndsAt: window.startedAt + moment.policy.windowMs }),
    held: guard.held.slice(0, MOST_SHOWN),
    ...(guard.held.length > MOST_SHOWN ? { heldCount: guard.held.length } : {}),
  };
}

/** Pages show at most this many, and each heartbeat carries the status. */
const MOST_SHOWN = 500;

/** A window that has held a deletion stays open until nothing is held any more: its end alone releases no node. */
function openWindow(
  { window, held }: GuardRecord,
  { policy, nowMs }: GuardMoment,
): GuardWindow | undefined {
  if (window === undefined) return undefined;
  const isOver = nowMs >= window.startedAt + policy.windowMs && held.length === 0;
  return isOver ? undefined : window;
}

function newWindow({ nowMs, nodeCount }: GuardMoment): GuardWindow {
  return { startedAt: nowMs, nodes: nodeCount, taken: [] };
}

function limitNow(guard: GuardRecord, moment: GuardMoment): number {
  const { nodes } = openWindow(guard, moment) ?? newWindow(moment);
  const { policy } = moment;
  return Math.max(policy.nodes, Math.floor((nodes * policy.percent) / 100));
}

function releaseOf(
  { releases }: GuardRecord,
  node: GuardedNode,
  nowMs: number,
): GuardRelease | undefined {
  return releases.find(
    ({ until, nodes }) => until > nowMs && nodes.some(({ uid }) => uid === node.uid),
  );
}
