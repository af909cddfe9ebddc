import type { InstanceFacts, NodeAddress } from "@cloudwright/provider-api";
import type { Node } from "../../kube/client.ts";
import { type EventText, eventText } from "../../kube/events/event-object.ts";
import type { NodeFacts } from "../../model/records/node-record.ts";
import { eventMessage } from "../../model/sentence.ts";
import type { Drift } from "../../model/state.ts";
import type { Effect, MetricDeclaration } from "../../reconcile/effects.ts";
import type { Concluded, Conclusion, Projection, Written } from "../../reconcile/reconciler.ts";
import { eventOfHold, eventOfRelease, holdOf } from "../hold/hold.ts";
import { nodeEvent } from "../objects/node-events.ts";
import { providerIdOf } from "../objects/node-object.ts";
import { cloudFacts, nodeRecord } from "../objects/node-record.ts";
import { createdAtOf, labelsOf, nameOf, uidOf } from "../objects/object-meta.ts";
import { hasUninitializedTaint, unfinishedOverride } from "./actions/override.ts";
import {
  addressesOf,
  hasAddresses,
  type WantedAddresses,
  wantedAddresses,
} from "./addresses/addresses.ts";
import type { Initialise, NodeChange } from "./changes.ts";
import { awaitsInitialisation } from "./identity.ts";
import { labelsToKeep, ownedLabels, type WantedLabels, wantedLabels } from "./labels.ts";
import type { NodeMemory } from "./node-memory.ts";
import type { NodeObserved } from "./observed.ts";
import { advanceTimeline } from "./timeline.ts";

export type NodeConcluded = Concluded<NodeObserved, NodeChange, NodeMemory, Node>;

/** Returns what to remember, publish and show of a node after a run. */
export function concludeNode(run: NodeConcluded): Conclusion<NodeMemory> {
  const node = nodeAfter(run);
  const memory = memoryAfter(run, node);
  return {
    memory,
    effects: run.result.written.flatMap(effectsOf),
    view: viewOf({ ...run, memory, node }),
  };
}

/** The node after the run's writes. */
function nodeAfter({ observed, result }: NodeConcluded): Node {
  return (result.applied > 0 ? result.written.at(-1)?.answer : undefined) ?? observed.node;
}

function memoryAfter(run: NodeConcluded, node: Node): NodeMemory {
  const { memory, observed, plan, result } = run;
  const { lookup, facts, isRequested } = observed;
  const timeline = advanceTimeline(memory.timeline, run);
  const initialised = result.written.find(({ change }) => change.kind === "node.initialise");
  const isSettled = result.isDone && plan.next.kind === "settled";
  return {
    ...memory,
    ...(isRequested && lookup !== undefined
      ? { lookup, facts, answeredAt: result.observedAt }
      : {}),
    ...(timeline === undefined ? {} : { timeline }),
    ...(initialised === undefined ? {} : { initialisedAt: initialised.at }),
    settledAt: isSettled ? node.metadata?.resourceVersion : undefined,
  };
}

/** The histograms of spec/10 §9. */
const TAINT_REMOVAL = "node_controller_cloud_provider_taint_removal_delay_seconds";
const INITIAL_SYNC = "node_controller_initial_node_sync_delay_seconds";
const DELAYS = [1, 4, 16, 64, 256, 1_024];

export const NODE_METRICS: readonly MetricDeclaration[] = [
  {
    name: TAINT_REMOVAL,
    help: "From a node's creation until its uninitialized taint was removed.",
    type: "histogram",
    buckets: DELAYS,
  },
  {
    name: INITIAL_SYNC,
    help: "From a node's creation until its initialisation was complete.",
    type: "histogram",
    buckets: DELAYS,
  },
];

function effectsOf({ change, answer, at }: Written<NodeChange, Node>): readonly Effect[] {
  if (change.kind === "node.initialise") {
    return [nodeEvent(answer, SYNCED), ...delaysOf(change, answer, at)];
  }
  const event = eventOfAction(change);
  return event === undefined ? [] : [nodeEvent(answer, event)];
}

const SYNCED = eventText("Synced", "Node synced successfully");

/** A node whose taint was overridden has lost the taint earlier. */
function delaysOf({ before }: Initialise, node: Node, at: number): readonly Effect[] {
  const value = (at - createdAtOf(node)) / 1_000;
  const names = hasUninitializedTaint(before.taints)
    ? [TAINT_REMOVAL, INITIAL_SYNC]
    : [INITIAL_SYNC];
  return names.map((name) => ({ kind: "metric", name, value }));
}

/** Returns the Event by which kubectl users learn of a user's action: who did it, and why. */
function eventOfAction(change: NodeChange): EventText | undefined {
  switch (change.kind) {
    case "node.hold":
      return eventOfHold(change.reason, change.after.hold.until);
    case "node.release":
      return eventOfRelease(change.reason);
    case "node.override": {
      const reason = unfinishedOverride({ ...change.reason, untilMs: change.after.until });
      return eventText("TaintOverridden", eventMessage(reason));
    }
    default:
      return undefined;
  }
}

interface NodeRun extends NodeConcluded {
  /** The node after the run's writes. */
  readonly node: Node;
}

/** Returns what the pages show of a node: what it has, what the cloud says, and what it should have. */
function viewOf(run: NodeRun): Projection {
  const { node, observed, memory, result } = run;
  const { facts } = observed;
  const wanted = labelsAfter(run);
  const isAwaited = awaitsInitialisation({ ...observed, node, labels: wanted });
  // On a node that somebody else initialised, only the addresses are ours to set.
  const labels = isAwaited || ownedLabels(node) !== undefined ? wanted : undefined;
  return {
    name: nameOf(node),
    uid: uidOf(node),
    drift: driftOf(run),
    node: nodeRecord(node, addressesOf(node), result.endedAt),
    ...(facts === undefined
      ? {}
      : {
          cloud: cloudFacts(facts, observed.lookup),
          wanted: wantedFacts(node, facts, { labels, isAwaited }),
        }),
    ...(memory.timeline === undefined ? {} : { timeline: memory.timeline }),
    ...(memory.initialisedAt === undefined ? {} : { initialisedAt: memory.initialisedAt }),
    ...keptLabels(node, facts, labels),
  };
}

function driftOf({ observed, plan, result }: NodeRun): Drift {
  const isHeld = holdOf(observed.node) !== undefined;
  if (observed.lookup?.kind !== "found" || isHeld) return "notChecked";
  const isPending = plan.changes.length > result.applied || plan.notTaken.length > 0;
  const isStuck = awaitsInitialisation(observed) && plan.next.kind !== "settled";
  return isPending || isStuck ? "drifted" : "inStep";
}

/** Returns the labels as observed, or as computed again if the run has written to the node. */
function labelsAfter({ node, observed }: NodeRun): WantedLabels | undefined {
  const { facts, labels } = observed;
  return node === observed.node ? labels : facts && wantedLabels(node, facts);
}

interface OurLabels {
  readonly labels: WantedLabels | undefined;
  readonly isAwaited: boolean;
}

function wantedFacts(
  node: Node,
  facts: InstanceFacts,
  { labels, isAwaited }: OurLabels,
): NodeFacts {
  const providerID = providerIdOf(node) ?? facts.providerID;
  return {
    ...(providerID === undefined ? {} : { providerID }),
    addresses: shownAddresses(node, wantedAddresses(node, facts.addresses)),
    ...(labels === undefined ? {} : topologyOf(facts)),
    labels: shownLabels(node, { labels, isAwaited }),
    asOf: facts.asOf,
  };
}

function shownLabels(node: Node, { labels, isAwaited }: OurLabels): NodeFacts["labels"] {
  if (labels === undefined) return {};
  return isAwaited ? labels.set : labelsToKeep(node, labels);
}

/** Includes addresses that cannot be set, so that the page shows what the node lacks. */
function shownAddresses(node: Node, wanted: WantedAddresses): readonly NodeAddress[] {
  switch (wanted.kind) {
    case "addresses":
      return hasAddresses(addressesOf(node), wanted) ? addressesOf(node) : wanted.addresses;
    case "missing":
      return addressesOf(node);
    case "refused":
      return wanted.ideal;
  }
}

function topologyOf({ type, zone, region }: InstanceFacts): Partial<NodeFacts> {
  return {
    ...(type === "" ? {} : { instanceType: type }),
    ...(zone === "" ? {} : { zone }),
    ...(region === "" ? {} : { region }),
  };
}

/** Returns the cloud's labels that were left at somebody else's value, with both values. */
function keptLabels(
  node: Node,
  facts: InstanceFacts | undefined,
  labels: WantedLabels | undefined,
): Pick<Projection, "detail"> {
  const kept = ownedLabels(node) === undefined ? [] : (labels?.kept ?? []);
  if (facts === undefined || kept.length === 0) return {};
  const present = labelsOf(node);
  return {
    detail: {
      keptLabels: kept.map((key) => ({
        key,
        node: present[key] ?? null,
        cloud: facts.additionalLabels[key] ?? null,
      })),
    },
  };
}
