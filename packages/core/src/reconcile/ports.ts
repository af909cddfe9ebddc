import type { Intent, IntentState, LoopProgress } from "../model/actions/intent.ts";
import type { Reason } from "../model/reason.ts";
import type { LedgerRecord } from "../model/records/record.ts";

/**
 * Where decisions are written down. `append` returns at once and survives the death of this process; it never waits
 * for a database and never throws for one. The order of appends is the order of the ledger.
 */
export interface Recorder {
  append(record: LedgerRecord): void;
}

/** A user's actions, offered to the leader. */
export interface IntentSource {
  /**
   * Calls back for every open intent of this cluster and for each new one, also those that another leader had claimed.
   * Ends with the signal. Database failures are retried inside and never thrown.
   */
  watch(handler: (intent: Intent) => void, signal: AbortSignal): void;
  /** True if this leader may work on it; false when it is final, expired or another's with a newer lease. */
  claim(intent: Intent, claimant: Claimant): Promise<boolean>;
  /** Moves a claimed intent on; refused (false) when another leader has claimed it since. */
  report(intent: Intent, claimant: Claimant, report: IntentReport): Promise<boolean>;
}

export interface Claimant {
  readonly identity: string;
  readonly leaseTransitions: number;
}

export interface IntentReport {
  readonly state: IntentState;
  readonly result?: string;
  /** The reason that the result says, for those who read it in another language. */
  readonly evidence?: { readonly reason: Reason };
  readonly runId?: string;
  readonly preview?: Intent["preview"];
  /** Of what several loops carry out: how far each has come. */
  readonly loops?: readonly LoopProgress[];
}
