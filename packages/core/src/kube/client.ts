import type {
  V1Lease,
  V1Node,
  V1PersistentVolume,
  V1PersistentVolumeClaim,
  V1Service,
  V1StorageClass,
} from "@kubernetes/client-node";
import type { AnswerBody } from "../model/values/answer-body.ts";

/** Metadata as in JSON: dates are strings, nothing is converted. */
export interface ObjectMeta {
  readonly name?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
}

/** The common part of all API objects. */
export interface KubeObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: ObjectMeta;
}

/** client-node's types, with Dates as the strings of the JSON. */
export type Wire<T> = T extends Date
  ? string
  : T extends readonly (infer Item)[]
    ? readonly Wire<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]: Wire<T[Key]> }
      : T;

export type Node = Wire<V1Node>;
export type Service = Wire<V1Service>;
export type Lease = Wire<V1Lease>;
export type PersistentVolume = Wire<V1PersistentVolume>;
export type PersistentVolumeClaim = Wire<V1PersistentVolumeClaim>;
export type StorageClass = Wire<V1StorageClass>;

export interface Resource {
  /** "" for the core group. */
  readonly group: string;
  readonly version: string;
  /** Plural, lower case. */
  readonly plural: string;
  readonly namespaced: boolean;
}

export const NODES = core("nodes", { namespaced: false });
export const SERVICES = core("services", { namespaced: true });
export const PERSISTENT_VOLUMES = core("persistentvolumes", { namespaced: false });
export const PERSISTENT_VOLUME_CLAIMS = core("persistentvolumeclaims", { namespaced: true });
export const EVENTS = core("events", { namespaced: true });
export const NAMESPACES = core("namespaces", { namespaced: false });
export const CONFIG_MAPS = core("configmaps", { namespaced: true });
export const SERVICE_ACCOUNTS = core("serviceaccounts", { namespaced: true });
export const STORAGE_CLASSES: Resource = {
  ...core("storageclasses", { namespaced: false }),
  group: "storage.k8s.io",
};
export const LEASES: Resource = {
  ...core("leases", { namespaced: true }),
  group: "coordination.k8s.io",
};

function core(plural: string, { namespaced }: Pick<Resource, "namespaced">): Resource {
  return { group: "", version: "v1", plural, namespaced };
}

export interface Target {
  readonly resource: Resource;
  readonly namespace?: string;
  readonly name?: string;
  readonly subresource?: "status" | "token";
}

export type PatchKind = "strategic" | "merge" | "json";

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** How many milliseconds until a call without an answer fails with `Unavailable`. */
  readonly timeoutMs?: number;
  /** Called at the end of the call; this is how a run gets its steps. */
  readonly observer?: KubeCallObserver;
  readonly query?: Readonly<Record<string, string>>;
  /** For a write that decides nothing, such as an Event: it may be sent although this process no longer leads. */
  readonly passesFence?: boolean;
}

export interface KubeCall {
  readonly verb: string;
  /** For example `nodes` or `nodes/status`. */
  readonly resource: string;
  readonly name: string;
  readonly startedAt: number;
  readonly durationMs: number;
  readonly limiterWaitMs: number;
  readonly status: number;
  /** How many requests were sent: 0 if none, more than 1 after waiting for a throttled API server. */
  readonly attempts: number;
  readonly error?: string;
  /** The API server's message when it refused the call. */
  readonly body?: AnswerBody;
}
export type KubeCallObserver = (call: KubeCall) => void;

/**
 * The Kubernetes API as the loops use it. Every method throws KubeError and waits for the client-side limit first.
 * Writes are fenced: once leadership is lost they throw KubeError `Unavailable` without a request.
 */
export interface KubeClient {
  get<T extends KubeObject>(target: Target, options?: CallOptions): Promise<T>;
  list<T extends KubeObject>(target: Target, options?: CallOptions): Promise<KubeList<T>>;
  /** Creates the object in the target's collection or, with a subresource, below the object that the target names. */
  create<T extends KubeObject>(target: Target, object: T, options?: CallOptions): Promise<T>;
  update<T extends KubeObject>(target: Target, object: T, options?: CallOptions): Promise<T>;
  patch<T extends KubeObject>(target: Target, patch: Patch, options?: CallOptions): Promise<T>;
  delete(target: Target, preconditions: DeletePreconditions, options?: CallOptions): Promise<void>;
  /** Requests a path that is not a resource, such as `/version` or `/healthz`; returns the text of the answer. */
  raw(path: string, options?: CallOptions): Promise<string>;
}

export interface Patch {
  readonly kind: PatchKind;
  readonly body: unknown;
}

export interface DeletePreconditions {
  readonly uid?: string;
  readonly resourceVersion?: string;
}

export interface KubeList<T> {
  readonly items: readonly T[];
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
}
