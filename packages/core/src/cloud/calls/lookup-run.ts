import type { Step } from "../../model/run.ts";

/** The run that asks the cloud for something which others may ask for as well. */
export interface LookupRun {
  /** Milliseconds since the epoch: steps count from here. */
  readonly startedAt: number;
  /** When it aborts, what this run waits for rejects with its reason; a shared call goes on for the others. */
  readonly signal: AbortSignal;
  step(step: Omit<Step, "phase">): void;
}
