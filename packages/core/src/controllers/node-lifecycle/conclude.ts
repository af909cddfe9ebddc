import { type AbsenceProof, isNodeAddress, type Lookup } from "@cloudwright/provider-api";
import type { Node } from "../../kube/client.ts";
import { isKubeError } from "../../kube/errors.ts";
import { eventText } from "../../kube/events/event-object.ts";
import type { LifecycleDetail, MachineAnswer } from "../../model/records/machine-record.ts";
import { eventMessage } from "../../model/sentence.ts";
import type { Drift } from "../../model/state.ts";
import { messageOf } from "../../model/values/message-of.ts";
import type { Effect, MetricDeclaration, MetricEffect } from "../../reconcile/effects.ts";
import type { Concluded, Conclusion, Projection } from "../../reconcile/reconciler.ts";
import { nodeEvent } from "../objects/node-events.ts";
import { cloudFacts, nodeRecord } from "../objects/node-record.ts";
import { nameOf, uidOf } from "../objects/object-meta.ts";
import type { LifecycleAnswer, LifecycleChange } from "./changes.ts";
import type { LifecycleMemory, LifecycleObserved } from "./observed.ts";
import { goneReason } from "./plan-absent.ts";

type Run = Concluded<LifecycleObserved, LifecycleChange, LifecycleMemory, LifecycleAnswer>;

/** Returns what to remember, publish and show of a node's lifecycle after a run. */
export function concludeLifecycle(run: Run): Conclusion<LifecycleMemory> {
  const { memory, observed } = run;
  const deletion = deletionEffects(run);
  const guard = heldAfter(run);
  return {
    memory: {
      firstAbsence: firstAbsenceAfter(memory, observed),
      heldUpon: guard.heldUpon,
      isAnnounced: memory.isAnnounced === true || deletion.length > 0,
    },
    effects: [...callsOf(observed.lookup), ...deletion, ...guard.effects],
    view: viewOf(run),
  };
}

/**
 * Returns the first proof of absence to keep for the next pass. Any other answer, including a failure, resets it: the two proofs
 * must come from consecutive passes. For a node whose deletion is held, an absence in the listing proves nothing either way.
 */
function firstAbsenceAfter(
  { firstAbsence }: LifecycleMemory,
  { lookup, heldUpon }: LifecycleObserved,
): AbsenceProof | undefined {
  if (heldUpon !== undefined && lookup?.kind === "notListed") return firstAbsence;
  if (lookup?.kind !== "absent") return undefined;
  return firstAbsence?.by === lookup.proof.by ? firstAbsence : lookup.proof;
}

/** Upstream's metrics of this loop (spec/20 §5). */
const CALLS = "cloud_node_lifecycle_controller_cloud_provider_calls_total";
export const PASSES = "cloud_node_lifecycle_controller_monitor_nodes_duration_seconds";

export const LIFECYCLE_METRICS: readonly MetricDeclaration[] = [
  {
    name: CALLS,
    help: "Queries to the cloud by operation and result.",
    type: "counter",
    labels: ["operation", "result"],
  },
  {
    name: PASSES,
    help: "Duration of one pass over the nodes that are not Ready.",
    type: "histogram",
    // One millisecond, doubled fourteen times.
    buckets: Array.from({ length: 15 }, (_, power) => 0.001 * 2 ** power),
  },
];

/** Counts a lookup as the calls that upstream would have made: existence, and power only for what exists. */
function callsOf(lookup: Lookup | undefined): readonly MetricEffect[] {
  if (lookup === undefined) return [];
  const exists = callOf("instance_exists", resultOf(lookup));
  return lookup.kind === "found" ? [exists, callOf("instance_shutdown", "success")] : [exists];
}

function callOf(operation: string, result: string): MetricEffect {
  return { kind: "metric", name: CALLS, value: 1, labels: { operation, result } };
}

function resultOf(lookup: Lookup): string {
  switch (lookup.kind) {
    case "found":
    case "unclaimed":
    case "foreign":
    case "malformed":
      return "success";
    case "absent":
    case "notListed":
      return "instance_not_found";
    case "failed":
      return lookup.error.code === "Unsupported" ? "not_implemented" : "error";
  }
}

/** Returns upstream's Events of a deletion; a deletion that keeps failing is announced once. */
function deletionEffects({ observed, result, memory }: Run): readonly Effect[] {
  const { node } = observed;
  const isDone = result.written.some(({ answer }) => answer.kind === "deleted");
  const failure = result.failed.find(hasFailedToDelete)?.error;
  if (!isDone && failure === undefined) return [];
  const announced = memory.isAnnounced === true ? [] : [nodeEvent(node, announcement(node))];
  return failure === undefined ? announced : [...announced, nodeEvent(node, failed(node, failure))];
}

/** It has not failed if the guard held it back, or if the node has changed and is observed again. */
function hasFailedToDelete({ change, error }: Run["result"]["failed"][number]): boolean {
  if (change.kind !== "node.delete") return false;
  if (!isKubeError(error)) return true;
  return error.code !== "Conflict" && error.call.resource === "nodes";
}

function announcement(node: Node) {
  const message = `Deleting node ${nameOf(node)} because it does not exist in the cloud provider`;
  return eventText("DeletingNode", message);
}

function failed(node: Node, error: unknown) {
  const cause = messageOf(error);
  return eventText("DeletingNodeFailed", `Failed deleting node ${nameOf(node)}: ${cause}`);
}

/**
 * Returns the proof on which the node's deletion is held after this run, and what to report to the guard. The deletion no
 * longer waits when the node lives, was deleted, or is kept by something other than the guard; a failure or a first proof
 * decides nothing yet.
 */
function heldAfter({ observed, plan, result, memory }: Run): {
  readonly heldUpon: AbsenceProof | undefined;
  readonly effects: readonly Effect[];
} {
  const { node, lookup, heldUpon } = observed;
  const { kind, reason } = plan.next;
  const held = { kind: "guard", node: { name: nameOf(node), uid: uidOf(node) } } as const;
  if (reason.code === "DeletionGuardHeld") {
    const proof = lookup?.kind === "absent" ? lookup.proof : heldUpon;
    if (proof === undefined) return { heldUpon: memory.heldUpon, effects: [] };
    const because = eventMessage(goneReason(observed, proof));
    return { heldUpon: proof, effects: [{ ...held, because }] };
  }
  const isOver = kind === "settled" || kind === "blocked";
  return isOver && result.applied === plan.changes.length
    ? { heldUpon: undefined, effects: [{ ...held, because: undefined }] }
    : { heldUpon: memory.heldUpon, effects: [] };
}

/** Returns what the pages show of a node's lifecycle; what the node should have is left to the node loop. */
function viewOf(run: Run): Projection {
  const { observed, result } = run;
  const { lookup } = observed;
  const node = result.written.map(({ answer }) => answer).findLast(isNode)?.node ?? observed.node;
  return {
    name: nameOf(node),
    uid: uidOf(node),
    drift: driftOf(run),
    node: nodeRecord(node, (node.status?.addresses ?? []).filter(isNodeAddress), result.endedAt),
    ...(lookup?.kind === "found" ? { cloud: cloudFacts(lookup.facts, lookup) } : {}),
    ...detailOf(observed),
  };
}

/** A node whose deletion the guard holds differs from its cloud, which does not have its machine. */
function driftOf({ observed, plan, result }: Run): Drift {
  const isLeft = plan.changes.length > result.applied;
  if (isLeft || plan.next.reason.code === "DeletionGuardHeld") return "drifted";
  return observed.lookup === undefined ? "notChecked" : "inStep";
}

function isNode(answer: LifecycleAnswer): answer is Extract<LifecycleAnswer, { kind: "node" }> {
  return answer.kind === "node";
}

/** Nothing if the cloud was not asked or gave no answer: its earlier answer stands. */
function detailOf(observed: LifecycleObserved): { readonly detail?: LifecycleDetail } {
  const answer = answerOf(observed);
  return answer === undefined ? {} : { detail: { kind: "lifecycle", answer } };
}

function answerOf({ lookup, heldUpon }: LifecycleObserved): MachineAnswer | undefined {
  if (lookup?.kind === "found") {
    const { power, asOf } = lookup.facts;
    return { kind: power, asOf, ...requestOf(lookup) };
  }
  const proof = lookup?.kind === "absent" ? lookup.proof : heldUpon;
  return proof && { kind: "absent", asOf: proof.at, ...requestOf(proof) };
}

function requestOf({ requestId }: { readonly requestId?: string | undefined }) {
  return requestId === undefined ? {} : { requestId };
}
