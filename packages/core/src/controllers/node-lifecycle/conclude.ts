import { type AbsenceProof, isNodeAddress, type Lookup } from "@cloudwright/provider-api";
import type { Node } from "../../kube/client.ts";
import { isKubeError } from "../../kube/errors.ts";
import { eventText } from "../../kube/events/event-object.ts";
import type { LifecycleDetail, MachineAnswer } from "../../model/records/machine-record.ts";
import { eventMessage } from "../../model/sentence.ts";
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

/** What is known, published and shown of a node's life after a run. */
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
 * The first proof of absence is kept for the next pass. Any other answer, a failure too, ends the row: the two proofs must be of
 * consecutive passes. That a node whose deletion is held is still not listed speaks neither for nor against its absence.
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

/** A lookup as the calls that upstream would have made: existence, and power only of what exists. */
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

/** Upstream's Events of a deletion; one that keeps failing is announced once. */
function deletionEffects({ observed, result, memory }: Run): readonly Effect[] {
  const { node } = observed;
  const isDone = result.written.some(({ answer }) => answer.kind === "deleted");
  const failure = result.failed.find(hasFailedToDelete)?.error;
  if (!isDone && failure === undefined) return [];
  const announced = memory.isAnnounced === true ? [] : [nodeEvent(node, announcement(node))];
  return failure === undefined ? announced : [...announced, nodeEvent(node, failed(node, failure))];
}

/** Neither when the guard kept it back nor when the node is another one by now, which is looked at again. */
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
 * The proof upon which the node's deletion is held after this run, and what the guard learns. It waits no more when it lives,
 * was deleted, or something else than the guard keeps it; a failure or the first proof say nothing yet.
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

/** What the pages show of a node's life; what it should have is the node loop's to say. */
function viewOf({ observed, plan, result }: Run): Projection {
  const { lookup } = observed;
  const node = result.written.map(({ answer }) => answer).findLast(isNode)?.node ?? observed.node;
  const isLeft = plan.changes.length > result.applied;
  return {
    name: nameOf(node),
    uid: uidOf(node),
    drift: isLeft ? "drifted" : lookup === undefined ? "notChecked" : "inStep",
    node: nodeRecord(node, (node.status?.addresses ?? []).filter(isNodeAddress), result.endedAt),
    ...(lookup?.kind === "found" ? { cloud: cloudFacts(lookup.facts, lookup) } : {}),
    ...detailOf(observed),
  };
}

function isNode(answer: LifecycleAnswer): answer is Extract<LifecycleAnswer, { kind: "node" }> {
  return answer.kind === "node";
}

/** Nothing where nobody was asked, or no answer came: what the cloud said before stands. */
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
