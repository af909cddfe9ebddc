import type { NodeAddress } from "@cloudwright/provider-api";
import type { Change } from "../../model/plan.ts";
import type { ReasonOf } from "../../model/reason.ts";
import type { HoldWrite, Release } from "../hold/hold-changes.ts";
import type { Taint } from "../objects/node-object.ts";

/** The writes of the node loop, each with the fields that it touches before and after. */
export type NodeChange =
  | AddressesWrite
  | Initialise
  | LabelsWrite
  | HoldWrite<"node.hold">
  | Release<"node.release">
  | OverrideWrite
  | OverrideEnd;

export type AddressesWrite = Change & {
  readonly kind: "node.addresses.write";
  readonly before: AddressesPart;
  readonly after: AddressesPart;
};

/** The one write that makes a node schedulable: provider ID, labels, our annotation and the remaining taints. */
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

/** Overrides the taint of an uninitialised node. Who did it and why is in the reason, so that it does not affect the plan's hash. */
export type OverrideWrite = Change & {
  readonly kind: "node.override";
  readonly before: TaintsPart;
  readonly after: TaintsPart & { readonly until: number };
  readonly reason: ReasonOf<"PersonAsked">;
};

export type OverrideEnd = Change & {
  readonly kind: "node.override-end";
  readonly before: TaintsPart & { readonly until: number | null };
  readonly after: TaintsPart;
};

export type TaintsPart = { readonly taints: readonly Taint[] };

export type AddressesPart = { readonly addresses: readonly NodeAddress[] };

/** Null means that the label or annotation is absent. */
export type LabelsPart = {
  readonly labels: Readonly<Record<string, string | null>>;
  readonly annotations: Readonly<Record<string, string | null>>;
};

export type InitialisePart = LabelsPart & {
  readonly providerID: string | null;
  readonly taints: readonly Taint[];
};
