import type { CallContext } from "./call-context.ts";
import type { ProviderError } from "./errors.ts";

/** How a Node is looked up: by provider ID when it has one, else by name. Compared by value through `instanceKey`. */
export interface InstanceRef {
  readonly nodeName: string;
  readonly providerID: string | undefined;
}

/** Stands for the ref in answers' maps. */
export function instanceKey(ref: InstanceRef): string {
  return ref.providerID === undefined ? `name:${ref.nodeName}` : `id:${ref.providerID}`;
}

export interface Instances {
  /**
   * Looks many instances up with as few requests as it can. Every ref has an answer under `instanceKey(ref)`.
   * - An entry that a listing lacks is never *absent*: absence needs a single-instance read that says so (`proof`).
   * - One bad ref never fails the others.
   * - A ref whose provider ID is of another scheme or malformed is answered without a request.
   * Throws only when the signal aborts.
   */
  describe(
    refs: readonly InstanceRef[],
    options: DescribeOptions,
    context: CallContext,
  ): Promise<ReadonlyMap<string, Lookup>>;
}

export interface DescribeOptions {
  /** `single`: one read an instance, never from a listing or a cache, as the deletion rule demands. */
  readonly mode: "batch" | "single";
}

export type Lookup =
  | {
      readonly kind: "found";
      readonly facts: InstanceFacts;
      readonly requestId?: string;
      /** For reading: by which rule it was found, and what the cloud calls its state where that says more than `power`. */
      readonly explained?: string;
    }
  | { readonly kind: "absent"; readonly proof: AbsenceProof }
  | { readonly kind: "notListed"; readonly requestId?: string }
  | { readonly kind: "unclaimed" }
  | { readonly kind: "foreign" }
  | { readonly kind: "malformed"; readonly expected: string }
  | { readonly kind: "failed"; readonly error: ProviderError };

export interface AbsenceProof {
  /** The request that answered "not found". */
  readonly requestId?: string;
  readonly by: "providerID" | "name";
  /**
   * Whether the same cloud, asked for a listing in the same breath, showed any instance at all. A cloud that shows
   * none may be the wrong project: then a cluster with several nodes keeps them.
   */
  readonly cloudShowsOthers: boolean;
  readonly at: number;
}

export interface InstanceFacts {
  /** `<provider>://<id>`, stable for ever; undefined when the cloud gives none. */
  readonly providerID: string | undefined;
  /** Whether the cloud gives no machine an ID: then a Node is initialised without. Absent: no, and an ID that is missing is waited for. */
  readonly withoutIDs?: true;
  readonly name: string;
  readonly type: string;
  readonly zone: string;
  readonly region: string;
  readonly addresses: readonly NodeAddress[];
  readonly additionalLabels: Readonly<Record<string, string>>;
  readonly power: "running" | "stopped" | "pending";
  /** When the cloud said so, milliseconds since the epoch. */
  readonly asOf: number;
}

/** An address of a machine, of a type that Kubernetes knows. */
export type NodeAddress = {
  readonly type: (typeof ADDRESS_TYPES)[number];
  readonly address: string;
};

export const ADDRESS_TYPES = [
  "Hostname",
  "InternalIP",
  "ExternalIP",
  "InternalDNS",
  "ExternalDNS",
] as const;

/** Whether an address of the API is of a type that Kubernetes knows. */
export function isNodeAddress(address: {
  readonly type: string;
  readonly address: string;
}): address is NodeAddress {
  return (ADDRESS_TYPES as readonly string[]).includes(address.type);
}
