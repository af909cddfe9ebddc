import { controllerOf, inOrder } from "@cloudwright/core/model/controller-names";
import type {
  KnownObject,
  StoredPart,
  StoredParts,
} from "@cloudwright/core/model/kinds/known-object";
import { reasonName } from "@cloudwright/core/model/reason";
import type { NodeFacts, ObjectState } from "@cloudwright/core/model/records/node-record";
import type { Presence } from "@cloudwright/core/model/records/presence-record";
import type { Drift } from "@cloudwright/core/model/state";

/**
 * Returns what is known after one more record. The newest by `at` wins, per controller; facts missing from a record stay as they were.
 * Another UID is another object: the newer one replaces the older one with all its facts. A dry run is ignored once an acting controller
 * has reported, which replaces it completely.
 */
export function mergeState(known: KnownObject | undefined, record: ObjectState): KnownObject {
  if (known === undefined) return startOver(record);
  if (known.dryRun !== isDry(record)) return known.dryRun ? startOver(record) : known;
  if (known.uid !== record.uid) return isNewer(known, record) ? startOver(record) : known;
  const before = known.parts[record.controller];
  return before !== undefined && before.at > record.at ? known : withPart(known, record);
}

function withPart(known: KnownObject, record: ObjectState): KnownObject {
  const before = known.parts[record.controller];
  return {
    ...known,
    parts: {
      ...known.parts,
      [record.controller]: {
        ...partOf(record),
        ...partDetail(record, before),
        ...heldBack(record, before),
        since: since(before, record),
      },
    },
    node: newestNode(known.node, record.node),
    cloud: newestFacts(known.cloud, record.cloud),
    wanted: newestFacts(known.wanted, record.wanted),
    timeline: record.timeline ?? known.timeline,
    initialisedAt: known.initialisedAt ?? record.initialisedAt,
    createdAt: record.createdAt ?? known.createdAt,
    detail: isReportedByMany(record) ? undefined : (record.detail ?? known.detail),
  };
}

export function listParts(parts: StoredParts): readonly StoredPart[] {
  return inOrder(Object.keys(parts))
    .map((name) => parts[name])
    .filter((part) => part !== undefined);
}

/** One controller that found a difference is enough; one that did not look says nothing. */
export function driftOf(parts: StoredParts): Drift {
  const drifts = listParts(parts).map((part) => part.drift);
  if (drifts.includes("drifted")) return "drifted";
  return drifts.includes("inStep") ? "inStep" : "notChecked";
}

function startOver(record: ObjectState): KnownObject {
  return {
    cluster: record.cluster,
    kind: kindOf(record),
    name: record.name,
    uid: record.uid,
    parts: { [record.controller]: { ...partOf(record), ...partDetail(record, undefined) } },
    node: record.node,
    cloud: record.cloud,
    wanted: record.wanted,
    timeline: record.timeline,
    initialisedAt: record.initialisedAt,
    createdAt: record.createdAt,
    detail: isReportedByMany(record) ? undefined : record.detail,
    dryRun: isDry(record),
  };
}

/** Returns the kind of the reported object: that of its controller unless the report names another. */
export function kindOf({ kind, controller }: ObjectState): string {
  return kind ?? controllerOf(controller).objectKind;
}

/** Reports whether several controllers report on the object, each with its own detail. */
function isReportedByMany(record: ObjectState): boolean {
  return kindOf(record) === "Node";
}

function partDetail(
  record: ObjectState,
  before: StoredPart | undefined,
): Pick<StoredPart, "detail"> {
  return isReportedByMany(record) ? { detail: record.detail ?? before?.detail } : {};
}

/** A hold hides what was wrong without fixing it: while it lasts nobody looks. */
function heldBack(
  { state }: ObjectState,
  before: StoredPart | undefined,
): Pick<StoredPart, "underneath"> {
  if (state !== "held" || before === undefined || before.state === "ok") return {};
  if (before.state === "held") return { underneath: before.underneath };
  const { state: was, reason, since: from } = before;
  return { underneath: { state: was, reason, since: from } };
}

function isDry({ dryRun }: ObjectState): boolean {
  return dryRun ?? false;
}

function isNewer(known: KnownObject, record: ObjectState): boolean {
  return listParts(known.parts).every((part) => part.at <= record.at);
}

function partOf(record: ObjectState): StoredPart {
  return {
    controller: record.controller,
    at: record.at,
    state: record.state,
    reason: record.reason,
    since: record.since,
    nextAt: record.nextAt,
    failures: record.failures,
    drift: record.drift,
    runId: record.runId,
    outcome: record.outcome,
  };
}

/**
 * Returns since when the state lasts. A process that starts or takes over counts from its own first look, but a state that it finds as its
 * predecessor left it has lasted longer.
 */
function since(before: StoredPart | undefined, record: ObjectState): number {
  if (before === undefined || !goesOn(before, record)) return record.since;
  return Math.min(before.since, record.since);
}

function goesOn(before: StoredPart, record: ObjectState): boolean {
  const isSameReason = reasonName(before.reason) === reasonName(record.reason);
  if (!isInTrouble(before) || !isInTrouble(record)) {
    return isSameReason && before.state === record.state;
  }
  // An interrupted run has no reason of its own; and a state that began before the stored report is the stored one.
  const saysNothing = before.outcome === "interrupted" || record.outcome === "interrupted";
  return isSameReason || saysNothing || record.since <= before.at;
}

/** Reports whether the part is failing or stuck: a stuck one is no longer tried and counts no failures. */
function isInTrouble({ state, failures }: Pick<StoredPart, "state" | "failures">): boolean {
  return failures > 0 || state === "stuck";
}

function newestNode(known: ObjectState["node"], seen: ObjectState["node"]): ObjectState["node"] {
  if (known === undefined || seen === undefined) return seen ?? known;
  const order = orderOf(seen.resourceVersion, known.resourceVersion);
  return (order || seen.facts.asOf - known.facts.asOf) >= 0 ? seen : known;
}

/** Compares resource versions: a controller with a stale cache may report last, but its node is still the older one. 0 when unknown. */
function orderOf(left: string | undefined, right: string | undefined): number {
  if (left === undefined || right === undefined) return 0;
  return left.length - right.length || left.localeCompare(right);
}

function newestFacts(
  known: NodeFacts | undefined,
  seen: NodeFacts | undefined,
): NodeFacts | undefined {
  if (known === undefined || seen === undefined) return seen ?? known;
  return seen.asOf >= known.asOf ? seen : known;
}

/** Returns the state of an object that went away unnoticed, as the controller reports it that misses it. */
export function withoutTrace(object: KnownObject, presence: Presence): KnownObject {
  const { cluster, controller, kind, at, dryRun } = presence;
  const state: ObjectState = {
    type: "state",
    cluster,
    controller,
    kind,
    name: object.name,
    uid: object.uid,
    at,
    state: "gone",
    reason: { code: "ObjectGone" },
    since: at,
    failures: 0,
    drift: "notChecked",
    runId: object.parts[controller]?.runId ?? "",
    outcome: "unchanged",
    ...(dryRun === true ? { dryRun } : {}),
  };
  return mergeState(object, state);
}
