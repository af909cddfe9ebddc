import type { Clock, Random } from "../model/time.ts";
import type { EventRecorder } from "./events.ts";
import type { KubeConnection } from "./kube-client.ts";

export interface ElectionOptions {
  /** A client of its own without fence, so that no other call delays a renewal. */
  readonly client: KubeConnection;
  readonly namespace: string;
  readonly name: string;
  /** Hostname, underscore, random UUID (spec/00 §9). */
  readonly identity: string;
  readonly timings: ElectionTimings;
  readonly clock: Clock;
  readonly random: Random;
  readonly events?: EventRecorder;
  readonly onStartedLeading: (term: Term) => void;
  /** Called once after a term, when `isLeader()` answers false already. */
  readonly onStoppedLeading: (reason: StoppedReason) => void;
  readonly onNewLeader?: (identity: string) => void;
  /** Told of each failed attempt; the election goes on by itself. */
  readonly onError?: (error: unknown) => void;
  /** A renewal that needed a read first (`leader_election_slowpath_total`). */
  readonly onSlowPath?: () => void;
}

export interface ElectionTimings {
  readonly leaseDurationMs: number;
  readonly renewDeadlineMs: number;
  readonly retryPeriodMs: number;
}

export interface Term {
  readonly identity: string;
  readonly leaseTransitions: number;
}

export type StoppedReason = "released" | "renewalFailed" | "takenOver";

export interface Election {
  /** The write fence: true only while this process leads and its last renewal is younger than the lease. */
  isLeader(): boolean;
  /** The holder that was last seen, "" when free. */
  readonly leader: string;
  readonly term: Term | undefined;
  /** Milliseconds since the last successful renewal of the running term. */
  renewalAgeMs(): number | undefined;
  /** Stops competing or leading; releases the Lease if it is ours. */
  stop(): Promise<void>;
}

export declare function runElection(options: ElectionOptions): Election;
/** Whole sentences on what is wrong with the timings; empty when they are sound (spec/00 §9). */
export declare function electionTimingProblems(timings: ElectionTimings): readonly string[];
