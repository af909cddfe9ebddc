import type { Node } from "../../kube/client.ts";
import type { Informer } from "../../kube/informer/informer-port.ts";
import { NODES_BY_PROVIDER_ID, providerIdOf } from "../objects/node-object.ts";
import { nameOf, uidOf } from "../objects/object-meta.ts";
import type { NodeView } from "../objects/written-nodes.ts";
import { wantedLabels } from "./labels.ts";
import { type LookUpPorts, lookUp } from "./look-up.ts";
import type { NodeContext, NodeObserved } from "./observed.ts";

export interface ObservePorts extends LookUpPorts {
  readonly view: Pick<NodeView, "get">;
  readonly informer: Pick<Informer<Node>, "byIndex">;
}

/**
 * Reads the node from the cache and the cloud's facts about it. An initialised node needs a lookup only when it is
 * due for one: a mere change of its object is judged by the facts last seen.
 */
export async function observeNode(
  ports: ObservePorts,
  key: string,
  run: NodeContext,
): Promise<NodeObserved | undefined> {
  const before = ports.view.get(key);
  if (before === undefined) return undefined;
  const answer = await lookUp(ports, before, run);
  const node = ports.view.get(key);
  if (node === undefined || uidOf(node) !== uidOf(before)) return undefined;
  const known = run.earlier ?? run.memory;
  const facts = answer?.kind === "found" ? answer.facts : known.facts;
  return {
    node,
    provider: ports.provider,
    policy: ports.policy,
    lookup: answer ?? known.lookup,
    isRequested: answer !== undefined || run.earlier?.isRequested === true,
    facts,
    labels: facts && wantedLabels(node, facts),
    wasUninitialised: ports.sightings.wasUninitialised(uidOf(node)),
    requested: run.requested,
    twin: twinOf(ports, node, facts),
  };
}

function twinOf(
  { informer }: ObservePorts,
  node: Node,
  facts: NodeObserved["facts"],
): string | undefined {
  const providerID = providerIdOf(node) ?? facts?.providerID;
  if (providerID === undefined) return undefined;
  return informer
    .byIndex(NODES_BY_PROVIDER_ID, providerID)
    .map(nameOf)
    .find((name) => name !== nameOf(node));
}
