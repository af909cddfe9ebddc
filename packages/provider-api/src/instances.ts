import type { CallContext } from "./call-context.ts";
import type { ProviderError } from "./errors.ts";

/** Identifies the instance of a Node: by provider ID when the Node has one, else by name. Compared by value through `instanceKey`. */
export interface InstanceRef {
  readonly nodeName: string;
  readonly providerID: string | undefined;
}

/** Returns the ref's key in the maps of answers. */
export function instanceKey(ref: InstanceRef): string {
  return ref.providerID === undefined ? `name:${ref.nodeName}` : `id:${ref.providerID}`;
}

export interface Instances {
  /**
   * Looks up many instances with as few requests as possible. Every ref has an answer under `instanceKey(ref)`.
   * - An entry missing from a listing is never *absent*: absence needs a single-instance read that says so (`proof`).
   * - One bad ref never fails the others.
   * - A ref whose provider ID is malformed or has another scheme is answered without a request.
   * Throws only when the signal aborts.
   */
  describe(
    refs: readonly InstanceRef[],
    options: DescribeOptions,
    context: CallContext,
  ): Promise<ReadonlyMap<string, Lookup>>;
}

export interface DescribeOptions {
  /** `single`: one read per instance, never from a listing or a cache, as the deletion rule requires. */
  readonly mode: "batch" | "single";
}

export type Lookup =
  | {
      readonly kind: "found";
      readonly facts: InstanceFacts;
      readonly requestId?: string;
      /** For people: how the instance was found, and the cloud's name for its state if that says more than `power`. */
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
   * Whether a listing of the same cloud, requested at the same time, showed any instance at all. A cloud that shows none may be the wrong
   * project: then a cluster with several nodes keeps them.
   */
  readonly cloudShowsOthers: boolean;
  readonly at: number;
}

export interface InstanceFacts {
  /** `<provider>://<id>`, which never changes; undefined when the cloud gives none. */
  readonly providerID: string | undefined;
  /** Set when the cloud gives its machines no IDs: then a Node is initialised without one. Absent: a missing ID is waited for. */
  readonly withoutIDs?: true;
  readonly name: string;
  readonly type: string;
  readonly zone: string;
  readonly region: string;
  readonly addresses: readonly NodeAddress[];
  readonly additionalLabels: Readonly<Record<string, string>>;
  readonly power: "running" | "stopped" | "pending";
  /** When the cloud reported this, milliseconds since the epoch. */
  readonly asOf: number;
}

/** A machine's address, of a type that Kubernetes knows. */
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

/** Reports whether an address of the API has a type that Kubernetes knows. */
export function isNodeAddress(address: {
  readonly type: string;
  readonly address: string;
}): address is NodeAddress {
  return (ADDRESS_TYPES as readonly string[]).includes(address.type);
}
