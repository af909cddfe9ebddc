import type { BatchContents } from "../spool/decode-lines.ts";
import type { FailureKind } from "./failure.ts";
import type { Written } from "./sink.ts";

/** What the thread that has the spool and the one that has the database say to each other. */
export type DrainRequest =
  | {
      readonly kind: "write";
      readonly id: number;
      /** Records, a line each. */
      readonly lines: Uint8Array;
      /** The runs that had begun and not ended before these lines. */
      readonly openRuns: readonly string[];
    }
  | { readonly kind: "interruptOrphans"; readonly id: number };

export interface DrainResult extends Written {
  readonly contents: BatchContents;
}

export type DrainReply =
  /** A sign of life: the thread has started, or the database has connected or answered a statement. */
  | { readonly kind: "heard" }
  /** Every now and then while a request is carried out: whatever the database had answered by now has been told before. */
  | { readonly kind: "waits" }
  | { readonly kind: "done"; readonly id: number; readonly result: DrainResult | undefined }
  | { readonly kind: "failed"; readonly id: number; readonly failure: DrainFailure };

/** An error as it goes from one thread to the other. */
export interface DrainFailure {
  readonly kind: FailureKind;
  readonly error: string;
  readonly code?: string;
}

export interface DrainWorkerData {
  readonly databaseUrl: string;
}
