import type { InstanceRef, Lookup } from "@cloudwright/provider-api";
import type { InstanceDirectory } from "../../cloud/ports.ts";
import type { Node } from "../../kube/client.ts";
import type { Informer } from "../../kube/informer/informer-port.ts";
import type { DeletionGuard, GuardVerdict } from "../../reconcile/deletion-guard.ts";
import type { RunContext } from "../../reconcile/reconciler.ts";
import { activeHoldOf } from "../hold/hold.ts";
import { instanceRefOf, NODES_BY_PROVIDER, providerIdOf, readyOf } from "../objects/node-object.ts";
import type { NodeSightings } from "../objects/node-sightings.ts";
import { nameOf, uidOf } from "../objects/object-meta.ts";
import type { NodeView } from "../objects/written-nodes.ts";
import type { LifecycleContext, LifecycleObserved, LifecyclePolicy } from "./observed.ts";

export interface LifecyclePorts {
  readonly instances: InstanceDirectory;
  readonly view: NodeView;
  readonly informer: Pick<Informer<Node>, "byIndex">;
  readonly sightings: Pick<NodeSightings, "firstSeen">;
  /** Undefined while the guard is off. */
  readonly guard?: Pick<DeletionGuard, "verdict"> | undefined;
  readonly provider: string;
  readonly policy: LifecyclePolicy;
}

/**
 * Reads the node from the cache and, only if it is not Ready, what the cloud says of its instance. Many nodes share
 * one lookup; an absence counts only if a read of that instance alone confirms it.
 */
export async function observeLifecycle(
  ports: LifecyclePorts,
  key: string,
  run: LifecycleContext,
): Promise<LifecycleObserved | undefined> {
  const before = ports.view.get(key);
  if (before === undefined) return undefined;
  const { memory } = run;
  if (!needsCloud(before, run.nowMs)) return { node: before, ...unasked(ports) };
  // Applies only while the guard still holds the deletion.
  const isHeld = verdictOn(ports, before)?.kind === "held";
  const heldUpon = isHeld ? memory.heldUpon : undefined;
  const lookup = await lookUp(ports, before, { run, isHeld: heldUpon !== undefined });
  const node = ports.view.get(key);
  if (node === undefined || uidOf(node) !== uidOf(before)) return undefined;
  return {
    ...unasked(ports),
    node,
    lookup,
    nodesOfCloud: countNodes(ports, node),
    earlierAbsence: memory.firstAbsence,
    guard: verdictOn(ports, node),
    heldUpon: lookup.kind === "notListed" ? heldUpon : undefined,
  };
}

function verdictOn({ guard }: LifecyclePorts, node: Node): GuardVerdict | undefined {
  return guard?.verdict({ name: nameOf(node), uid: uidOf(node) });
}

/** A Ready node is healthy whatever the cloud says, and never needs a lookup (spec/20 §2). */
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

/** A node without a provider ID counts as one of this cloud, as that is where it is looked up. */
function countNodes({ informer, provider }: LifecyclePorts, node: Node): number {
  const withId = informer.byIndex(NODES_BY_PROVIDER, provider).length;
  return providerIdOf(node) === undefined ? withId + 1 : withId;
}

async function lookUp(
  ports: LifecyclePorts,
  node: Node,
  { run, isHeld }: { readonly run: LifecycleContext; readonly isHeld: boolean },
): Promise<Lookup> {
  const ref = instanceRefOf(node);
  if (run.memory.firstAbsence !== undefined && !isHeld) return lookUpAlone(ports, ref, run);
  const lookup = await lookUpTogether(ports, node, run);
  return lookup.kind === "notListed" && !isHeld ? lookUpAlone(ports, ref, run) : lookup;
}

function lookUpTogether(
  { policy, sightings, instances }: LifecyclePorts,
  node: Node,
  run: RunContext,
): Promise<Lookup> {
  return run.cloud(instances).lookup(instanceRefOf(node), {
    maxAgeMs: run.trigger.kind === "intent" ? 0 : policy.monitorPeriodMs / 2,
    notBefore: sightings.firstSeen(uidOf(node)),
    mode: "batch",
    priority: run.trigger.kind === "intent" ? "person" : "refresh",
  });
}

function lookUpAlone(
  { instances }: LifecyclePorts,
  ref: InstanceRef,
  run: RunContext,
): Promise<Lookup> {
  const priority = run.trigger.kind === "intent" ? "person" : "deletion";
  return run.cloud(instances).lookup(ref, { maxAgeMs: 0, mode: "single", priority });
}
