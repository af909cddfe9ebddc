import type { Lookup } from "@cloudwright/provider-api";
import type { Next, NotTaken, Plan } from "../../model/plan.ts";
import type { Reason } from "../../model/reason.ts";
import { reasonOfLookup } from "../objects/lookup-reason.ts";
import {
  CLOUD_LABELS_ANNOTATION,
  instanceRefOf,
  providerIdOf,
  refOf,
} from "../objects/node-object.ts";
import { annotationsOf, labelsOf, valueAt } from "../objects/object-meta.ts";
import { wantedAddresses } from "./addresses/addresses.ts";
import { addressesNotTaken } from "./addresses/addresses-not-taken.ts";
import { changedAddressesWrite } from "./addresses/addresses-write.ts";
import type { LabelsPart, LabelsWrite, NodeChange } from "./changes.ts";
import { identityLeftAlone } from "./identity.ts";
import { copiedLabels, labelsToKeep, ownedLabels, type WantedLabels } from "./labels.ts";
import type { NodeObserved } from "./observed.ts";

/**
 * Keeps an initialised node in sync with the cloud: its addresses, and the labels that we own on it. A node that
 * somebody else initialised gets only upstream's upkeep (spec/10 §5 and §7). Without facts nothing is removed.
 */
export function planUpkeep(observed: NodeObserved): Plan<NodeChange> {
  const { node, facts, labels: wanted, lookup } = observed;
  const ignored = lookup === undefined ? false : IGNORED.has(lookup.kind);
  if (facts === undefined || wanted === undefined || ignored) {
    return {
      changes: copiesOf(observed),
      notTaken: [],
      next: nextOf(observed, []),
    };
  }
  const addresses = wantedAddresses(node, facts.addresses);
  const labels = ownedLabels(node) === undefined ? undefined : wanted;
  const leftAlone = identityLeftAlone(node, facts, wanted);
  const notTaken = [
    ...addressesNotTaken(addresses, observed.provider),
    ...(labels?.invalid ?? []).map((reason) => ({ step: "labels", reason })),
    ...twinNotTaken(observed),
    // On a node of ours, a label that a user has taken over is as it should be.
    ...(leftAlone === undefined || labels !== undefined
      ? []
      : [{ step: "identity", reason: leftAlone }]),
  ];
  const reasons = notTaken.map(({ reason }) => reason);
  return {
    changes: [
      ...changedAddressesWrite(node, addresses),
      ...(labels === undefined ? copiesOf(observed) : labelsWrite(observed, labels)),
    ],
    notTaken,
    next: nextOf(observed, leftAlone === undefined ? reasons : [...reasons, leftAlone]),
  };
}

/** Answers after which the node must not be touched. */
const IGNORED: ReadonlySet<Lookup["kind"]> = new Set(["unclaimed", "foreign", "malformed"]);

/** Reports the first reason why the node differs from the cloud. */
function nextOf(observed: NodeObserved, reasons: readonly Reason[]): Next {
  const { lookup } = observed;
  if (lookup === undefined || lookup.kind === "found") {
    return { kind: "settled", reason: reasons[0] ?? { code: "InStep" } };
  }
  const reason = reasonOfLookup(lookup, instanceRefOf(observed.node), observed.provider);
  switch (lookup.kind) {
    case "unclaimed":
    case "foreign":
      return { kind: "settled", reason };
    case "malformed":
      return { kind: "blocked", reason };
    case "absent":
    case "notListed":
      return { kind: "waiting", reason, forMs: observed.policy.refreshPeriodMs };
    case "failed":
      return { kind: "failed", reason };
  }
}

function twinNotTaken({ node, twin }: NodeObserved): readonly NotTaken[] {
  const providerID = providerIdOf(node);
  if (twin === undefined || providerID === undefined) return [];
  return [{ step: "providerID", reason: { code: "ProviderIDDuplicate", providerID, other: twin } }];
}

function copiesOf({ node }: NodeObserved): readonly LabelsWrite[] {
  return writeOf(node, { labels: copiedLabels(labelsOf(node)), annotations: {} });
}

/** A successor label follows its beta label even if the cloud does not report the fact (spec/10 §5). */
function labelsWrite({ node }: NodeObserved, wanted: WantedLabels): readonly LabelsWrite[] {
  const removed = wanted.remove.map((key) => [key, null] as const);
  return writeOf(node, {
    labels: {
      ...copiedLabels(labelsOf(node)),
      ...labelsToKeep(node, wanted),
      ...Object.fromEntries(removed),
    },
    annotations: { [CLOUD_LABELS_ANNOTATION]: wanted.owned.join(",") },
  });
}

function writeOf(node: NodeObserved["node"], wanted: LabelsPart): readonly LabelsWrite[] {
  const labels = differences(wanted.labels, labelsOf(node));
  const annotations = differences(wanted.annotations, annotationsOf(node));
  const fields = [...Object.keys(labels.after), ...Object.keys(annotations.after)];
  if (fields.length === 0) return [];
  return [
    {
      kind: "node.labels.write",
      system: "cluster",
      target: refOf(node),
      before: { labels: labels.before, annotations: annotations.before },
      after: { labels: labels.after, annotations: annotations.after },
      reason: { code: "FactsChanged", fields },
    },
  ];
}

function differences(
  wanted: LabelsPart["labels"],
  current: Readonly<Record<string, string>>,
): { readonly before: LabelsPart["labels"]; readonly after: LabelsPart["labels"] } {
  const keys = Object.keys(wanted).filter((key) => valueAt(wanted, key) !== valueAt(current, key));
  const pick = (from: LabelsPart["labels"]) =>
    Object.fromEntries(keys.map((key) => [key, valueAt(from, key)]));
  return { before: pick(current), after: pick(wanted) };
}
