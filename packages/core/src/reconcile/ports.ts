import type { Intent, IntentState, LoopProgress } from "../model/actions/intent.ts";
import type { Reason } from "../model/reason.ts";
import type { LedgerRecord } from "../model/records/record.ts";

/**
 * Where decisions are recorded. `append` returns at once, and the record survives the death of this process; it
 * never waits for a database and never throws because of one. The order of appends is the order of the ledger.
 */
export interface Recorder {
  append(record: LedgerRecord): void;
}

/** The users' actions, offered to the leader. */
export interface IntentSource {
  /**
   * Calls back for every open intent of this cluster and for each new one, including those that another leader had
   * claimed. Stops when the signal aborts. Database failures are retried inside and never thrown.
   */
  watch(handler: (intent: Intent) => void, signal: AbortSignal): void;
  /**
   * Returns true if this leader may work on the intent; false when it is final, expired or claimed by a leader
   * with a newer lease.
   */
  claim(intent: Intent, claimant: Claimant): Promise<boolean>;
  /** Moves a claimed intent on; returns false when another leader has claimed it since. */
  report(intent: Intent, claimant: Claimant, report: IntentReport): Promise<boolean>;
}

export interface Claimant {
  readonly identity: string;
  readonly leaseTransitions: number;
}

export interface IntentReport {
  readonly state: IntentState;
  readonly result?: string;
  /** The reason behind the result's sentence, for users who read another language. */
  readonly evidence?: { readonly reason: Reason };
  readonly runId?: string;
  readonly preview?: Intent["preview"];
  /** How far each loop has come, for an action that several loops carry out. */
  readonly loops?: readonly LoopProgress[];
}
