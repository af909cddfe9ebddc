import type { NodeAddress } from "../../model/node-record.ts";
import type { Change } from "../../model/plan.ts";
import type { Taint } from "../node-object.ts";

/** The writes of the node loop, each with the fields that it touches before and after. */
export type NodeChange = AddressesWrite | Initialise | LabelsWrite;

export type AddressesWrite = Change & {
  readonly kind: "node.addresses.write";
  readonly before: AddressesPart;
  readonly after: AddressesPart;
};

/** One write that makes a node schedulable: provider ID, labels, our annotation and the taints that stay. */
export type Initialise = Change & {
  readonly kind: "node.initialise";
  readonly before: InitialisePart;
  readonly after: InitialisePart;
};

export type LabelsWrite = Change & {
  readonly kind: "node.labels.write";
  readonly before: LabelsPart;
  readonly after: LabelsPart;
};

export type AddressesPart = { readonly addresses: readonly NodeAddress[] };

/** A label or annotation that is null is absent. */
export type LabelsPart = {
  readonly labels: Readonly<Record<string, string | null>>;
  readonly annotations: Readonly<Record<string, string | null>>;
};

export type InitialisePart = LabelsPart & {
  readonly providerID: string | null;
  readonly taints: readonly Taint[];
};
