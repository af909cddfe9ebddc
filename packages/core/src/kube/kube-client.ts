import type { Clock } from "../model/time.ts";
import type { CallOptions, KubeCall, KubeClient, KubeObject, Target } from "./client.ts";
import type { ClusterAccess } from "./kubeconfig.ts";

export interface KubeClientOptions {
  readonly access: ClusterAccess;
  /** Calls a second on average; 0 or less means no limit. */
  readonly qps: number;
  /** Calls at once before the average counts. */
  readonly burst: number;
  readonly clock: Clock;
  readonly userAgent: string;
  /** Asked right before each write is sent; false stops it. Absent: writes always go. */
  readonly fence?: () => boolean;
  /** Told of every call when it ended, for metrics. */
  readonly onCall?: (call: KubeCallReport) => void;
}

export interface KubeCallReport extends KubeCall {
  readonly method: string;
  readonly host: string;
  /** Requests that were sent; more than 1 after waiting for a throttled API server. */
  readonly attempts: number;
  readonly requestBytes: number;
}

/** A client that holds connections, and can watch. */
export interface KubeConnection extends KubeClient {
  /**
   * Follows changes until the server ends the watch (resolves) or it fails (KubeError). `onEvent` is called in order,
   * `onHeard` whenever bytes came.
   */
  watch<T extends KubeObject>(target: Target, options: WatchOptions<T>): Promise<void>;
  /** Ends every open call and connection. */
  close(): Promise<void>;
}

export interface WatchOptions<T> extends CallOptions {
  readonly onEvent: (event: WatchEvent<T>) => void;
  readonly onHeard: () => void;
}

export interface WatchEvent<T> {
  readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK";
  readonly object: T;
}

export declare function createKubeClient(options: KubeClientOptions): KubeConnection;
