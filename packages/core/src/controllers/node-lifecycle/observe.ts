import type { Node } from "../../kube/client.ts";
import type { Informer } from "../../kube/informer-port.ts";
import type { InstanceRef, Lookup } from "../../provider/provider.ts";
import type { RunContext } from "../../reconcile/reconciler.ts";
import {
  holdOf,
  instanceRefOf,
  NODES_BY_PROVIDER,
  providerIdOf,
  readyOf,
  uidOf,
} from "../node-object.ts";
import type { NodeView } from "../written-nodes.ts";
import type { Absences } from "./absences.ts";
import { type CallCounter, countLookup } from "./call-counts.ts";
import type { LifecycleObserved, LifecyclePolicy } from "./observed.ts";

export interface LifecyclePorts {
  readonly view: NodeView;
  readonly informer: Pick<Informer<Node>, "byIndex">;
  readonly absences: Absences;
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
  if (!needsCloud(before)) {
    ports.absences.forget(uidOf(before));
    return { node: before, ...unasked(ports) };
  }
  const lookup = await lookUp(ports, before, run);
  const node = ports.view.get(key);
  if (node === undefined) return undefined;
  if (uidOf(node) !== uidOf(before)) return observeLifecycle(ports, key, run);
  return {
    ...unasked(ports),
    node,
    lookup,
    earlierAbsence: ports.absences.note(uidOf(node), lookup),
    nodesOfCloud: countNodes(ports, node),
  };
}

/** A Ready node is well whatever the cloud says, and is never asked for (spec/20 §2). */
function needsCloud(node: Node): boolean {
  return readyOf(node).status !== "True" && holdOf(node) === undefined;
}

function unasked({ provider, policy }: LifecyclePorts): Omit<LifecycleObserved, "node"> {
  return { provider, policy, lookup: undefined, earlierAbsence: undefined, nodesOfCloud: 0 };
}

/** A node without an ID of any cloud is taken for one of this cloud, as that is where it is looked up. */
function countNodes({ informer, provider }: LifecyclePorts, node: Node): number {
  const withId = informer.byIndex(NODES_BY_PROVIDER, provider).length;
  return providerIdOf(node) === undefined ? withId + 1 : withId;
}

async function lookUp(ports: LifecyclePorts, node: Node, run: RunContext): Promise<Lookup> {
  const ref = instanceRefOf(node);
  const lookup = ports.absences.has(uidOf(node))
    ? await lookUpAlone(ref, run)
    : await lookUpTogether(ports.policy, ref, run);
  countLookup(ports.metrics, lookup);
  return lookup;
}

async function lookUpTogether(
  policy: LifecyclePolicy,
  ref: InstanceRef,
  run: RunContext,
): Promise<Lookup> {
  const lookup = await run.instances.lookup(ref, {
    maxAgeMs: run.trigger.kind === "intent" ? 0 : policy.monitorPeriodMs / 2,
    mode: "batch",
    priority: run.trigger.kind === "intent" ? "person" : "refresh",
  });
  return lookup.kind === "notListed" ? lookUpAlone(ref, run) : lookup;
}

function lookUpAlone(ref: InstanceRef, run: RunContext): Promise<Lookup> {
  const priority = run.trigger.kind === "intent" ? "person" : "deletion";
  return run.instances.lookup(ref, { maxAgeMs: 0, mode: "single", priority });
}
