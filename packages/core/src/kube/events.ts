import type { Clock, Random } from "../model/time.ts";
import type { KubeClient } from "./client.ts";

export interface EventTarget {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
}

export interface EventText {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
}

/** Kubernetes Events of one source. Recording never blocks, fails or waits. */
export interface EventRecorder {
  event(object: EventTarget, text: EventText): void;
  /** Sends what is queued, until the deadline; answers how many events could not be delivered. */
  flush(deadlineMs: number): Promise<number>;
  /** Events lost to a full queue, to retries that ran out, or refused by the API server. */
  readonly dropped: number;
}

export interface EventRecorderOptions {
  /** Without a fence: the last event of a leader is sent after it stopped leading. */
  readonly client: Pick<KubeClient, "create" | "patch">;
  /** The component, such as `cloud-node-controller`. */
  readonly source: string;
  /** This process, for `reportingInstance`. */
  readonly instance: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly onError?: (error: unknown) => void;
  readonly onDrop?: (count: number) => void;
}

export declare function createEventRecorder(options: EventRecorderOptions): EventRecorder;
