import type { InstanceFacts } from "@cloudwright/provider-api";
import type { Node } from "../../kube/client.ts";
import type { Reason } from "../../model/reason.ts";
import { providerIdOf } from "../objects/node-object.ts";
import { labelsOf, valueAt } from "../objects/object-meta.ts";
import { isUnfinished } from "./actions/override.ts";
import { labelsToKeep, ownedLabels, type WantedLabels } from "./labels.ts";
import type { NodeObserved } from "./observed.ts";

/**
 * Reports whether the node still needs its provider ID and labels: it carries the taint, an admin overrode the taint, or
 * somebody removed it before the cloud had answered. A node that never had the taint is left as it is (spec/10 §3).
 */
export function awaitsInitialisation(
  observed: Pick<NodeObserved, "node" | "facts" | "labels" | "wasUninitialised">,
): boolean {
  if (isUnfinished(observed.node)) return true;
  return observed.wasUninitialised && lacksIdentity(observed);
}

/** Without facts only a missing provider ID shows this: other controllers that initialise nodes set the ID, too. */
function lacksIdentity({
  node,
  facts,
  labels,
}: Pick<NodeObserved, "node" | "facts" | "labels">): boolean {
  if (providerIdOf(node) === undefined && facts?.withoutIDs !== true) return true;
  if (labels === undefined) return false;
  const present = labelsOf(node);
  return Object.keys(labels.set).some((key) => !Object.hasOwn(present, key));
}

/** Returns what differs from the cloud on a node in use and stays so, because it is not this controller's to set. */
export function identityLeftAlone(
  node: Node,
  facts: InstanceFacts,
  wanted: WantedLabels,
): Reason | undefined {
  const labels = differingLabels(node, facts, wanted);
  const lacksProviderID = providerIdOf(node) === undefined && facts.providerID !== undefined;
  if (!lacksProviderID && labels.length === 0) return undefined;
  return { code: "IdentityLeftAlone", lacksProviderID, labels };
}

function differingLabels(node: Node, facts: InstanceFacts, wanted: WantedLabels): string[] {
  const ours = ownedLabels(node) === undefined ? {} : labelsToKeep(node, wanted);
  const present = labelsOf(node);
  const cloud = { ...facts.additionalLabels, ...wanted.set };
  return [...Object.keys(wanted.set), ...wanted.kept].filter(
    (key) => !Object.hasOwn(ours, key) && valueAt(present, key) !== valueAt(cloud, key),
  );
}
