import type { CallPriority } from "../model/call-priority.ts";
import type { NodeAddress } from "../model/node-record.ts";
import type { ProviderError } from "./errors.ts";
import type { LoadBalancers } from "./load-balancers.ts";
import type { Routes } from "./routes.ts";
import type { Volumes } from "./volumes.ts";

export { CALL_PRIORITIES, type CallPriority } from "../model/call-priority.ts";

/**
 * What a cloud plug-in exports. `apiVersion` guards against a plug-in written for another contract.
 * Source of the capabilities: spec/60 §1 and §8; the shapes are DESIGN.md's "Provider".
 */
export interface ProviderPlugin {
  readonly apiVersion: 1;
  /**
   * Builds the provider from the text of `--cloud-config` (undefined when the flag is absent).
   * Throws ProviderError `Invalid` naming the field for a config it cannot use. Makes no cloud call.
   */
  create(config: ProviderConfig): Promise<Provider> | Provider;
}

export interface ProviderConfig {
  /** The text of the file, or undefined. */
  readonly text: string | undefined;
  /** Its path, for messages. */
  readonly path: string | undefined;
  readonly userAgent: string;
}

/** One cloud. Every ability is optional: what is absent is not supported, and its loop is not started. */
export interface Provider {
  /** Scheme of provider IDs and prefix of messages. */
  readonly name: string;
  /** Whether the config names a cluster in the cloud; without it the process refuses to start (`--allow-untagged-cloud`). */
  readonly hasClusterId: boolean;
  readonly instances?: Instances;
  readonly zones?: true;
  readonly loadBalancers?: LoadBalancers;
  readonly routes?: Routes;
  readonly volumes?: Volumes;
  /**
   * Called once after the lease is held, before any loop; ends with the signal. `clusterUid` is undefined while the API server
   * does not let this process read it: nodes and volumes are served then, and nothing is made that carries an owner. One that
   * cannot begin without it throws, is given no work, and is called again when it is known.
   */
  initialize?(context: {
    readonly clusterUid: string | undefined;
    readonly signal: AbortSignal;
  }): Promise<void>;
  /** Closes connections. */
  close?(): Promise<void>;
}

/** What every call to a cloud gets: who waits for it and how each HTTP call is reported and limited. */
export interface CallContext {
  readonly signal: AbortSignal;
  readonly priority: CallPriority;
  /**
   * Wraps one request to the cloud: waits for the budget, times it, records it for the runs that wait, and learns
   * from its error. A provider sends every request through it and nothing else around it.
   */
  call<T>(call: CallDescription, send: Send<T>): Promise<T>;
}

/**
 * Makes one request. Whoever waits for a connection before the first byte leaves asks `mayLeave` once more then (with undici:
 * `fencedDispatch`), and throws NotSent when it says no: a process that was stopped meanwhile may have lost its lease.
 */
export type Send<T> = (signal: AbortSignal, mayLeave: () => boolean) => Promise<Answered<T>>;

export interface CallDescription {
  readonly operation: string;
  readonly target: string;
  /** Whether it changes the cloud: those are fenced by the lease. */
  readonly mutates: boolean;
}

export interface Answered<T> {
  readonly value: T;
  readonly status: number;
  readonly requestId?: string;
}

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
  | { readonly kind: "found"; readonly facts: InstanceFacts; readonly requestId?: string }
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
