import type {
  DescMessage,
  DescMethodUnary,
  MessageInitShape,
  MessageShape,
} from "@bufbuild/protobuf";
import type { ProviderError } from "@cloudwright/provider-api";

/** One connection to one start of a provider process, from its handshake until either side ends it. It never reconnects. */
export interface Connection {
  readonly info: ConnectionInfo;
  /**
   * Makes one call. Throws ProviderError for any failure; if the signal aborts, cancels the call in the process and throws the
   * signal's reason. The `cause` of a failure without an answer says so if nothing can have been sent.
   */
  call<Input extends DescMessage, Output extends DescMessage>(
    method: DescMethodUnary<Input, Output>,
    request: MessageInitShape<Input>,
    options: CallOptions,
  ): Promise<MessageShape<Output>>;
  /** Asks for the process's health by grpc.health.v1. Throws like `call` if there is no answer. */
  health(options: CallOptions): Promise<"serving" | "notServing">;
  /** Calls the listener once when the connection has ended, with a sentence that says why; immediately if it has already ended. */
  onClosed(listener: (why: string) => void): void;
  close(): void;
}

export interface ConnectionInfo {
  /** Scheme of provider IDs. */
  readonly providerName: string;
  /** Version of the provider's program, for users. */
  readonly version: string;
  /** Differs for each start of the process. */
  readonly instance: string;
}

export interface CallOptions {
  readonly signal: AbortSignal;
  /** The time limit, sent to the process as the call's deadline. */
  readonly timeoutMs: number;
}

/** Provides the connection to the provider process: by starting it, or by waiting for a sidecar. */
export interface ConnectionSource {
  /** Returns the current connection, or why there is none: `Unavailable` with a sentence for the operator. */
  current(): Connection | ProviderError;
  /** Calls the listener with each connection made from now on; returns a function that unsubscribes. */
  onConnected(listener: (connection: Connection) => void): () => void;
}

/** The cluster's objects as last seen, from which the provider is sent those that it reads. */
export interface ObjectSource {
  /** Returns a Node by its name. */
  node(name: string): SourceObject | undefined;
  /** Returns a Service by its UID; also a deleted one, as long as its load balancer may have to be removed. */
  service(uid: string): SourceObject | undefined;
  /** Returns all objects of a kind, for a provider that reads all of them. */
  all(kind: SourceKind): Iterable<SourceObject>;
  /** Calls the listener whenever an object is added, changes or is removed; returns a function that unsubscribes. */
  onChange(listener: (change: SourceChange) => void): () => void;
}

export type SourceKind = "Node" | "Service";

export interface SourceObject {
  readonly kind: SourceKind;
  readonly uid: string;
  readonly resourceVersion: string;
  /** Empty for a Node. */
  readonly namespace: string;
  readonly name: string;
  /** Returns the object as the API server's JSON, without managedFields; serialised on demand. */
  json(): string;
}

export interface SourceChange {
  readonly kind: SourceKind;
  readonly uid: string;
  /** Whether the object was removed: neither `node` nor `service` returns it any more. */
  readonly isGone: boolean;
}

/** The fence sent with every call that changes the cloud. */
export interface LeaseFence {
  /** Returns the Lease as this replica holds it now; undefined if it does not. */
  current(): HeldLease | undefined;
}

export interface HeldLease {
  readonly holder: string;
  /** The Lease's number of transitions. */
  readonly term: number;
  /** How long it is certain to be valid, milliseconds since the epoch. */
  readonly validUntil: number;
}
