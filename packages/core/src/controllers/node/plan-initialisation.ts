import type { InstanceFacts } from "@cloudwright/provider-api";
import type { Next, Plan } from "../../model/plan.ts";
import type { Reason } from "../../model/reason.ts";
import { type LookupWithoutFacts, reasonOfLookup } from "../objects/lookup-reason.ts";
import {
  CLOUD_LABELS_ANNOTATION,
  instanceRefOf,
  PROVIDED_NODE_IP_ANNOTATION,
  providerIdOf,
  refOf,
  taintsOf,
} from "../objects/node-object.ts";
import {
  annotationOf,
  annotationsOf,
  createdAtOf,
  labelsOf,
  valueAt,
} from "../objects/object-meta.ts";
import { OVERRIDE_ANNOTATION, withoutUninitializedTaint } from "./actions/override.ts";
import { type WantedAddresses, wantedAddresses } from "./addresses/addresses.ts";
import { addressesNotTaken } from "./addresses/addresses-not-taken.ts";
import { firstAddressesWrite } from "./addresses/addresses-write.ts";
import { preferProvidedIPs } from "./addresses/provided-node-ip.ts";
import type { Initialise, NodeChange } from "./changes.ts";
import { type WantedLabels, wantedLabels } from "./labels.ts";
import type { NodeObserved } from "./observed.ts";

/** The longest pause between two lookups of a new node's instance. */
const LONGEST_WAIT_MS = 3_000;
const SHORTEST_WAIT_MS = 250;

/**
 * Plans two writes, addresses first, so that the node is never schedulable without them (DESIGN.md "Order of
 * writing a node"). All facts are checked before the first write: a node that cannot be finished has nothing
 * written.
 */
export function planInitialisation(observed: NodeObserved, nowMs: number): Plan<NodeChange> {
  const { lookup } = observed;
  if (lookup === undefined) return nothing({ kind: "failed", reason: { code: "Uninitialised" } });
  if (lookup.kind !== "found") return planWithoutFacts(observed, lookup, nowMs);
  const { facts } = lookup;
  const { labels = wantedLabels(observed.node, facts) } = observed;
  const addresses = wantedAddresses(observed.node, facts.addresses);
  const problem = problemOf(observed, { facts, labels, addresses });
  if (problem !== undefined) return nothing({ kind: "failed", reason: problem });
  const notTaken = addressesNotTaken(addresses, observed.provider);
  return {
    changes: [
      ...firstAddressesWrite(observed.node, addresses),
      initialise(observed, facts, labels),
    ],
    notTaken,
    next: { kind: "settled", reason: notTaken[0]?.reason ?? { code: "Initialised" } },
  };
}

interface Wanted {
  readonly facts: InstanceFacts;
  readonly labels: WantedLabels;
  readonly addresses: WantedAddresses;
}

function problemOf(observed: NodeObserved, wanted: Wanted): Reason | undefined {
  const { node, provider, twin } = observed;
  const providerID = providerIdOf(node) ?? wanted.facts.providerID;
  if (providerID === undefined && wanted.facts.withoutIDs !== true)
    return { code: "ProviderIDMissing", provider };
  if (twin !== undefined && providerID !== undefined)
    return { code: "ProviderIDDuplicate", providerID, other: twin };
  // A host name that reads as that IP is only the kubelet's own name for it, and no proof (spec/10
  // §3).
  const annotation = annotationOf(node, PROVIDED_NODE_IP_ANNOTATION);
  const provided = preferProvidedIPs(annotation, wanted.facts.addresses);
  if (provided.kind === "refused") return provided.reason;
  if (wanted.addresses.kind === "refused") return wanted.addresses.reason;
  return wanted.labels.invalid[0];
}

function planWithoutFacts(
  observed: NodeObserved,
  lookup: LookupWithoutFacts,
  nowMs: number,
): Plan<NodeChange> {
  const reason = reasonOfLookup(lookup, instanceRefOf(observed.node), observed.provider);
  switch (lookup.kind) {
    case "foreign":
      return nothing({ kind: "settled", reason });
    case "unclaimed":
    case "malformed":
      return nothing({ kind: "blocked", reason });
    case "failed":
      return nothing({ kind: "failed", reason });
    case "absent":
    case "notListed":
      return planUnknownToCloud(observed, reason, nowMs);
  }
}

/** Clouds list a new machine late: while the node is new, its lookup is repeated after short pauses. */
function planUnknownToCloud(
  observed: NodeObserved,
  reason: Reason,
  nowMs: number,
): Plan<NodeChange> {
  const createdAt = createdAtOf(observed.node);
  const untilMs = createdAt + observed.policy.newNodeGraceMs;
  if (nowMs >= untilMs) return nothing({ kind: "failed", reason });
  const half = (nowMs - createdAt) / 2;
  const forMs = Math.round(Math.min(LONGEST_WAIT_MS, Math.max(SHORTEST_WAIT_MS, half)));
  return {
    changes: [],
    notTaken: [{ step: "initialise", reason: { code: "NewNodeGrace", untilMs } }],
    next: { kind: "waiting", reason, forMs },
  };
}

function initialise(
  observed: NodeObserved,
  facts: InstanceFacts,
  labels: WantedLabels,
): Initialise {
  const { node } = observed;
  const present = labelsOf(node);
  const removed = labels.remove.filter((key) => Object.hasOwn(present, key));
  const keys = [...Object.keys(labels.set), ...removed];
  const providerID = providerIdOf(node) ?? null;
  const annotations = { [CLOUD_LABELS_ANNOTATION]: labels.owned.join(","), ...pastOverride(node) };
  return {
    kind: "node.initialise",
    system: "cluster",
    target: refOf(node),
    before: {
      providerID,
      labels: Object.fromEntries(keys.map((key) => [key, valueAt(present, key)])),
      annotations: Object.fromEntries(
        Object.keys(annotations).map((key) => [key, valueAt(annotationsOf(node), key)]),
      ),
      taints: taintsOf(node),
    },
    after: {
      providerID: providerID ?? facts.providerID ?? null,
      labels: Object.fromEntries(keys.map((key) => [key, valueAt(labels.set, key)])),
      annotations,
      taints: withoutUninitializedTaint(taintsOf(node)),
    },
    reason: { code: "Uninitialised" },
  };
}

/** Removes the override's record, as initialisation has made it unnecessary. */
function pastOverride(node: NodeObserved["node"]): Readonly<Record<string, null>> {
  return annotationOf(node, OVERRIDE_ANNOTATION) === undefined
    ? {}
    : { [OVERRIDE_ANNOTATION]: null };
}

function nothing(next: Next): Plan<NodeChange> {
  return { changes: [], notTaken: [], next };
}
