import type { InstanceFacts } from "@cloudwright/provider-api";
import type { Node } from "../../kube/client.ts";
import type { Reason } from "../../model/reason.ts";
import { providerIdOf } from "../objects/node-object.ts";
import { labelsOf, valueAt } from "../objects/object-meta.ts";
import { isUnfinished } from "./actions/override.ts";
import { labelsToKeep, ownedLabels, type WantedLabels } from "./labels.ts";
import type { NodeObserved } from "./observed.ts";

/**
 * Whether the node still has to get provider ID and labels: it carries the taint, an admin overrode that, or somebody lifted it
 * before the cloud had answered. One that was without it from the start is left as it is (spec/10 §3).
 */
export function awaitsInitialisation(
  observed: Pick<NodeObserved, "node" | "facts" | "labels" | "wasUninitialised">,
): boolean {
  if (isUnfinished(observed.node)) return true;
  return observed.wasUninitialised && lacksIdentity(observed);
}

/** Without facts only its provider ID shows it: other controllers that initialise nodes set that, too. */
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

/** What of a node in use is not as the cloud says, and stays so because it is not this controller's to set. */
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
