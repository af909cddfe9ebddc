import type { InstanceFacts, Lookup, NodeAddress } from "@cloudwright/provider-api";
import type { Node } from "../../kube/client.ts";
import type { NodeFacts } from "../../model/records/node-record.ts";
import type { Projection } from "../../reconcile/reconciler.ts";
import { providerIdOf, readyOf, taintsOf } from "./node-object.ts";
import { createdAtOf, labelsOf, valueAt } from "./object-meta.ts";

/** Returns what the pages show of a node in the cluster. */
export function nodeRecord(
  node: Node,
  addresses: readonly NodeAddress[],
  asOf: number,
): NonNullable<Projection["node"]> {
  const ready = readyOf(node);
  const kubeletVersion = node.status?.nodeInfo?.kubeletVersion;
  const providerID = providerIdOf(node);
  const resourceVersion = node.metadata?.resourceVersion;
  return {
    createdAt: createdAtOf(node),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
    ready: ready.status,
    ...(ready.since === undefined ? {} : { readySince: ready.since }),
    ...(kubeletVersion === undefined ? {} : { kubeletVersion }),
    taints: taintsOf(node).map(({ key, effect, value }) =>
      value === undefined ? { key, effect } : { key, effect, value },
    ),
    facts: {
      ...(providerID === undefined ? {} : { providerID }),
      addresses,
      ...topology(node),
      labels: labelsOf(node),
      asOf,
    },
  };
}

/** The explanation comes from a provider, and is stored in the ledger at each change. */
const LONGEST_EXPLANATION = 256;
const NOT_FOUND = { requestId: undefined, explained: undefined };

/** Returns what the pages show of the cloud's answer about a node's instance. */
export function cloudFacts(facts: InstanceFacts, lookup: Lookup | undefined): NodeFacts {
  const { requestId, explained } = lookup?.kind === "found" ? lookup : NOT_FOUND;
  const { providerID, type, zone, region, addresses, additionalLabels, power, asOf } = facts;
  return {
    ...(providerID === undefined ? {} : { providerID }),
    ...(requestId === undefined ? {} : { requestId }),
    ...(explained === undefined ? {} : { explained: explained.slice(0, LONGEST_EXPLANATION) }),
    addresses,
    instanceType: type,
    zone,
    region,
    labels: additionalLabels,
    power,
    asOf,
  };
}

function topology(node: Node): Partial<Pick<NodeFacts, "instanceType" | "zone" | "region">> {
  const labels = labelsOf(node);
  const instanceType = eitherOf(labels, LABELS.instanceType);
  const zone = eitherOf(labels, LABELS.zone);
  const region = eitherOf(labels, LABELS.region);
  return {
    ...(instanceType === null ? {} : { instanceType }),
    ...(zone === null ? {} : { zone }),
    ...(region === null ? {} : { region }),
  };
}

/** The current label, and its predecessor. */
const LABELS = {
  instanceType: ["node.kubernetes.io/instance-type", "beta.kubernetes.io/instance-type"],
  zone: ["topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone"],
  region: ["topology.kubernetes.io/region", "failure-domain.beta.kubernetes.io/region"],
} as const;

function eitherOf(
  labels: Readonly<Record<string, string>>,
  [current, beta]: readonly [string, string],
): string | null {
  return valueAt(labels, current) ?? valueAt(labels, beta);
}
