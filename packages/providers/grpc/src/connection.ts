import type {
  DescMessage,
  DescMethodUnary,
  MessageInitShape,
  MessageShape,
} from "@bufbuild/protobuf";
import type { ProviderError } from "@cloudwright/provider-api";

/** One connection with one start of a provider process, from its handshake until either side ends it; it is never made anew. */
export interface Connection {
  readonly info: ConnectionInfo;
  /**
   * One call. Throws ProviderError, whatever went wrong; the signal's reason when that aborts, which is passed on to the process
   * as a cancellation. A failure without an answer says by its `cause` when nothing can have left.
   */
  call<Input extends DescMessage, Output extends DescMessage>(
    method: DescMethodUnary<Input, Output>,
    request: MessageInitShape<Input>,
    options: CallOptions,
  ): Promise<MessageShape<Output>>;
  /** What the process says of itself by grpc.health.v1. Throws like `call` when it does not say anything. */
  health(options: CallOptions): Promise<"serving" | "notServing">;
  /** Calls the listener once when the connection has ended, with the sentence that says why; at once when it has already. */
  onClosed(listener: (why: string) => void): void;
  close(): void;
}

export interface ConnectionInfo {
  /** Scheme of provider IDs. */
  readonly providerName: string;
  /** Of the provider's program, for users to read. */
  readonly version: string;
  /** Differs for each start of the process. */
  readonly instance: string;
}

export interface CallOptions {
  readonly signal: AbortSignal;
  /** Until the answer; the process gets it as the deadline of the call. */
  readonly timeoutMs: number;
}

/** Where the connection with the provider process comes from: whoever starts it, or waits for a sidecar. */
export interface ConnectionSource {
  /** The one to use now, or why there is none: `Unavailable` with a sentence for the operator. */
  current(): Connection | ProviderError;
  /** Calls the listener with each connection that is made from now on; answers what ends that. */
  onConnected(listener: (connection: Connection) => void): () => void;
}

/** The cluster's objects as last seen, from which those are sent that a provider reads. */
export interface ObjectSource {
  /** A Node by its name. */
  node(name: string): SourceObject | undefined;
  /** A Service by its UID; also one that is gone, as long as its load balancer may have to be removed. */
  service(uid: string): SourceObject | undefined;
  /** Everything of a kind, for a provider that reads all of it. */
  all(kind: SourceKind): Iterable<SourceObject>;
  /** Calls the listener whenever an object was added, has changed, or is not known any more; answers what ends that. */
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
  /** The object as the API server's JSON, without managedFields; made when it is asked for. */
  json(): string;
}

export interface SourceChange {
  readonly kind: SourceKind;
  readonly uid: string;
  /** The object is not known any more: neither `node` nor `service` will answer it. */
  readonly isGone: boolean;
}

/** What is sent with every call that changes the cloud. */
export interface LeaseFence {
  /** The Lease as this replica holds it now; undefined when it does not. */
  current(): HeldLease | undefined;
}

export interface HeldLease {
  readonly holder: string;
  /** The Lease's number of transitions. */
  readonly term: number;
  /** Until when it holds for certain, milliseconds since the epoch. */
  readonly validUntil: number;
}
