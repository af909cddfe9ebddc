import type { InstanceFacts, NodeAddress } from "@cloudwright/provider-api";
import type { Node } from "../../kube/client.ts";
import type { NodeFacts } from "../../model/node-record.ts";
import type { Plan } from "../../model/plan.ts";
import type { Drift } from "../../model/state.ts";
import type { ApplyResult } from "../../reconcile/old-reconciler.ts";
import type { Projection } from "../../reconcile/reconciler.ts";
import { holdOf } from "../hold/hold.ts";
import { providerIdOf } from "../objects/node-object.ts";
import { cloudFacts, nodeRecord } from "../objects/node-record.ts";
import { labelsOf, nameOf, uidOf } from "../objects/object-meta.ts";
import { addressesOf, hasAddresses, type WantedAddresses, wantedAddresses } from "./addresses.ts";
import type { NodeChange } from "./changes.ts";
import { awaitsInitialisation } from "./identity.ts";
import { labelsToKeep, ownedLabels, type WantedLabels, wantedLabels } from "./labels.ts";
import type { NodeMemory } from "./node-memory.ts";
import type { NodeObserved } from "./observed.ts";

export interface NodeRun {
  readonly observed: NodeObserved;
  readonly plan: Plan<NodeChange>;
  readonly result: ApplyResult;
  /** The node after the run's writes. */
  readonly node: Node;
  readonly memory: NodeMemory;
}

/** What the pages show of a node: what it has, what the cloud says, what we want it to have. */
export function projectNode(run: NodeRun): Projection {
  const { node, observed, memory, result } = run;
  const { facts } = observed;
  const isAwaited = awaitsInitialisation({ ...observed, node });
  const labels = facts && wantedOf(node, facts, isAwaited);
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

/** Of a node that somebody else initialised only the addresses are ours to want. */
function wantedOf(node: Node, facts: InstanceFacts, isAwaited: boolean): WantedLabels | undefined {
  const isOurs = isAwaited || ownedLabels(node) !== undefined;
  return isOurs ? wantedLabels(node, facts) : undefined;
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

/** Also those that cannot be had, so that the page shows what the node lacks. */
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

/** Labels of the cloud that were left as somebody else had set them, with both values. */
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
