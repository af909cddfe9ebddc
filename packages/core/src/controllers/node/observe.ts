import type { Node } from "../../kube/client.ts";
import type { Informer } from "../../kube/informer-port.ts";
import type { Trigger } from "../../model/run.ts";
import type { Clock } from "../../model/time.ts";
import type { LookupOptions } from "../../provider/lookup-port.ts";
import type { Lookup } from "../../provider/provider.ts";
import type { RunContext } from "../../reconcile/reconciler.ts";
import {
  holdOf,
  instanceRefOf,
  isUninitialised,
  NODES_BY_PROVIDER_ID,
  nameOf,
  providerIdOf,
  uidOf,
} from "../node-object.ts";
import type { NodeView } from "../written-nodes.ts";
import type { NodeMemories, NodeMemory } from "./node-memory.ts";
import type { NodeObserved, NodePolicy } from "./observed.ts";

/** How old the cloud's answer may be that initialises a node (DESIGN.md "Freshness"). */
const FRESH_FOR_NEW_NODES_MS = 10_000;

export interface ObservePorts {
  readonly view: NodeView;
  readonly informer: Pick<Informer<Node>, "byIndex">;
  readonly memories: NodeMemories;
  readonly provider: string;
  readonly policy: NodePolicy;
  readonly clock: Clock;
}

/**
 * The node from the cache and what the cloud says of it. An initialised node costs a lookup only when it is due for
 * one: a mere change of its object is judged by the facts last seen.
 */
export async function observeNode(
  ports: ObservePorts,
  key: string,
  run: RunContext,
): Promise<NodeObserved | undefined> {
  const before = ports.view.get(key);
  if (before === undefined) return undefined;
  const memory = ports.memories.of(uidOf(before));
  const options = lookupOptions(ports, before, run.trigger);
  if (options !== undefined) {
    const lookup = await run.instances.lookup(instanceRefOf(before), options);
    remember(memory, lookup, ports.clock.now());
  }
  const node = ports.view.get(key);
  if (node === undefined || uidOf(node) !== uidOf(before)) {
    ports.memories.forget(uidOf(before));
    return node === undefined ? undefined : observeNode(ports, key, run);
  }
  return {
    node,
    provider: ports.provider,
    policy: ports.policy,
    lookup: memory.lookup,
    facts: memory.facts,
    asked: options !== undefined,
    twin: twinOf(ports, node, memory),
  };
}

/** How to ask the cloud, or undefined when what is known is good enough. */
function lookupOptions(
  ports: ObservePorts,
  node: Node,
  trigger: Trigger,
): LookupOptions | undefined {
  if (holdOf(node) !== undefined) return undefined;
  if (isUninitialised(node)) return optionsForNewNode(trigger);
  if (trigger.kind === "intent") return { maxAgeMs: 0, mode: "batch", priority: "person" };
  if (trigger.kind === "change" && !isDue(ports, node)) return undefined;
  const maxAgeMs = Math.min(FRESH_FOR_NEW_NODES_MS, ports.policy.refreshPeriodMs / 2);
  return { maxAgeMs, mode: "batch", priority: "refresh" };
}

/** A retry asks anew: the answer that made the last try fail must not make this one fail. */
function optionsForNewNode(trigger: Trigger): LookupOptions {
  switch (trigger.kind) {
    case "intent":
      return { maxAgeMs: 0, mode: "batch", priority: "person" };
    case "retry":
      return { maxAgeMs: 0, mode: "batch", priority: "new" };
    case "change":
    case "period":
    case "start":
      return { maxAgeMs: FRESH_FOR_NEW_NODES_MS, mode: "batch", priority: "new" };
  }
}

/** A change may have swallowed the periodic look that waited for its turn. */
function isDue({ memories, policy, clock }: ObservePorts, node: Node): boolean {
  const { lookedAt } = memories.of(uidOf(node));
  return lookedAt === undefined || clock.now() - lookedAt > policy.refreshPeriodMs;
}

function remember(memory: NodeMemory, lookup: Lookup, now: number): void {
  memory.lookup = lookup;
  memory.lookedAt = now;
  if (lookup.kind === "found") memory.facts = lookup.facts;
}

function twinOf(ports: ObservePorts, node: Node, memory: NodeMemory): string | undefined {
  const providerID = providerIdOf(node) ?? memory.facts?.providerID;
  if (providerID === undefined) return undefined;
  return ports.informer
    .byIndex(NODES_BY_PROVIDER_ID, providerID)
    .map(nameOf)
    .find((name) => name !== nameOf(node));
}
