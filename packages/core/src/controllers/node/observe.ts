import type { Lookup } from "@cloudwright/provider-api";
import type { Node } from "../../kube/client.ts";
import type { Informer } from "../../kube/informer/informer-port.ts";
import type { Clock } from "../../model/time.ts";
import type { RunContext } from "../../reconcile/reconciler.ts";
import { isUninitialised, NODES_BY_PROVIDER_ID, providerIdOf } from "../objects/node-object.ts";
import { nameOf, uidOf } from "../objects/object-meta.ts";
import type { RoutesUnderWay } from "../objects/routes-under-way.ts";
import type { NodeView } from "../objects/written-nodes.ts";
import { type LookUpPorts, lookUp } from "./look-up.ts";
import type { NodeMemories, NodeMemory } from "./node-memory.ts";
import type { NodeObserved } from "./observed.ts";

export interface ObservePorts extends LookUpPorts {
  readonly view: NodeView;
  readonly informer: Pick<Informer<Node>, "byIndex">;
  readonly memories: NodeMemories;
  /** Of the controller that makes routes, where it runs beside. */
  readonly routesUnderWay?: Pick<RoutesUnderWay, "settled"> | undefined;
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
  const [lookup] = await Promise.all([
    lookUp(ports, { node: before, memory }, run),
    isUninitialised(before) ? ports.routesUnderWay?.settled(key) : undefined,
  ]);
  if (lookup !== undefined) remember(memory, lookup, { clock: ports.clock, runId: run.runId });
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
    wasUninitialised: ports.sightings.wasUninitialised(uidOf(node)),
    asked: run.asked,
    twin: twinOf(ports, node, memory),
  };
}

function remember(
  memory: NodeMemory,
  lookup: Lookup,
  { clock, runId }: { readonly clock: Clock; readonly runId: string },
): void {
  memory.lookup = lookup;
  memory.lookedAt = clock.now();
  memory.answeredAt = clock.monotonic();
  memory.lookedBy = runId;
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
