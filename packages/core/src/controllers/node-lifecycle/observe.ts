import type { AbsenceProof, InstanceRef, Lookup } from "@cloudwright/provider-api";
import type { Node } from "../../kube/client.ts";
import type { Informer } from "../../kube/informer/informer-port.ts";
import type { DeletionGuard, GuardVerdict } from "../../reconcile/deletion-guard.ts";
import type { RunContext } from "../../reconcile/reconciler.ts";
import { activeHoldOf } from "../hold/hold.ts";
import { instanceRefOf, NODES_BY_PROVIDER, providerIdOf, readyOf } from "../objects/node-object.ts";
import type { NodeSightings } from "../objects/node-sightings.ts";
import { nameOf, uidOf } from "../objects/object-meta.ts";
import type { NodeView } from "../objects/written-nodes.ts";
import type { Absences } from "./absences.ts";
import { type CallCounter, countLookup } from "./call-counts.ts";
import type { HeldDeletions } from "./held-deletions.ts";
import type { LifecycleObserved, LifecyclePolicy } from "./observed.ts";

export interface LifecyclePorts {
  readonly view: NodeView;
  readonly informer: Pick<Informer<Node>, "byIndex">;
  readonly absences: Absences;
  readonly sightings: Pick<NodeSightings, "firstSeen">;
  readonly held: Pick<HeldDeletions, "proofOf">;
  /** Undefined when it is off. */
  readonly guard?: Pick<DeletionGuard, "verdict"> | undefined;
  readonly metrics: CallCounter;
  readonly provider: string;
  readonly policy: LifecyclePolicy;
}

/**
 * The node from the cache and, only when it is not Ready, what the cloud says of its instance. Many nodes are asked
 * for together; that one is absent counts only from a read of that instance alone.
 */
export async function observeLifecycle(
  ports: LifecyclePorts,
  key: string,
  run: RunContext,
): Promise<LifecycleObserved | undefined> {
  const before = ports.view.get(key);
  if (before === undefined) return undefined;
  if (!needsCloud(before, run.nowMs)) {
    ports.absences.forget(uidOf(before));
    return { node: before, ...unasked(ports) };
  }
  const heldUpon = heldProof(ports, before);
  const lookup = await lookUp(ports, before, { run, isHeld: heldUpon !== undefined });
  const node = ports.view.get(key);
  if (node === undefined) return undefined;
  if (uidOf(node) !== uidOf(before)) return observeLifecycle(ports, key, run);
  const seen = { ...unasked(ports), node, lookup, nodesOfCloud: countNodes(ports, node) };
  // That it is still not listed speaks neither for nor against its absence.
  if (heldUpon !== undefined && lookup.kind === "notListed") {
    return { ...seen, guard: verdictOn(ports, before), heldUpon };
  }
  const earlierAbsence = ports.absences.note(uidOf(node), lookup);
  return { ...seen, earlierAbsence, guard: verdictOn(ports, node) };
}

/** The proof upon which its deletion is held, if it still is. */
function heldProof(ports: LifecyclePorts, node: Node): AbsenceProof | undefined {
  const isHeld = verdictOn(ports, node)?.kind === "held";
  return isHeld ? ports.held.proofOf(uidOf(node)) : undefined;
}

function verdictOn({ guard }: LifecyclePorts, node: Node): GuardVerdict | undefined {
  return guard?.verdict({ name: nameOf(node), uid: uidOf(node) });
}

/** A Ready node is well whatever the cloud says, and is never asked for (spec/20 §2). */
function needsCloud(node: Node, nowMs: number): boolean {
  return readyOf(node).status !== "True" && activeHoldOf(node, nowMs) === undefined;
}

function unasked({ provider, policy }: LifecyclePorts): Omit<LifecycleObserved, "node"> {
  return {
    provider,
    policy,
    lookup: undefined,
    earlierAbsence: undefined,
    guard: undefined,
    heldUpon: undefined,
    nodesOfCloud: 0,
  };
}

/** A node without an ID of any cloud is taken for one of this cloud, as that is where it is looked up. */
function countNodes({ informer, provider }: LifecyclePorts, node: Node): number {
  const withId = informer.byIndex(NODES_BY_PROVIDER, provider).length;
  return providerIdOf(node) === undefined ? withId + 1 : withId;
}

async function lookUp(
  ports: LifecyclePorts,
  node: Node,
  { run, isHeld }: { readonly run: RunContext; readonly isHeld: boolean },
): Promise<Lookup> {
  const lookup = await lookUpAsNeeded(ports, node, { run, isHeld });
  countLookup(ports.metrics, lookup);
  return lookup;
}

async function lookUpAsNeeded(
  ports: LifecyclePorts,
  node: Node,
  { run, isHeld }: { readonly run: RunContext; readonly isHeld: boolean },
): Promise<Lookup> {
  const ref = instanceRefOf(node);
  if (ports.absences.has(uidOf(node)) && !isHeld) return lookUpAlone(ref, run);
  const lookup = await lookUpTogether(ports, node, run);
  return lookup.kind === "notListed" && !isHeld ? lookUpAlone(ref, run) : lookup;
}

function lookUpTogether(
  { policy, sightings }: LifecyclePorts,
  node: Node,
  run: RunContext,
): Promise<Lookup> {
  return run.instances.lookup(instanceRefOf(node), {
    maxAgeMs: run.trigger.kind === "intent" ? 0 : policy.monitorPeriodMs / 2,
    notBefore: sightings.firstSeen(uidOf(node)),
    mode: "batch",
    priority: run.trigger.kind === "intent" ? "person" : "refresh",
  });
}

function lookUpAlone(ref: InstanceRef, run: RunContext): Promise<Lookup> {
  const priority = run.trigger.kind === "intent" ? "person" : "deletion";
  return run.instances.lookup(ref, { maxAgeMs: 0, mode: "single", priority });
}
