import { z } from "zod/mini";
import type { Fault } from "./reasons/define.ts";
import type { Outcome } from "./run.ts";

export const STATES = ["stuck", "unknown", "waiting", "working", "held", "ok", "gone"] as const;
export const stateSchema = z.enum(STATES);
/** The state of a node, load balancer, route or volume, worst first (UX.md section 2). */
export type State = z.infer<typeof stateSchema>;

export const DRIFTS = ["drifted", "notChecked", "inStep"] as const;
export const driftSchema = z.enum(DRIFTS);
export type Drift = z.infer<typeof driftSchema>;

/** A failure that may pass by itself makes an object stuck after this long and this many times (DESIGN.md "State"). */
export const STUCK_AFTER = { failures: 3, ms: 120_000 } as const;

export interface StateInput {
  readonly outcome: Outcome;
  /** Whether the failure means that the cloud could not be asked: the state is then unknown, never OK. */
  readonly couldNotObserve: boolean;
  /** Whether only a user can fix the problem: then the object is stuck at once. */
  readonly fault: Fault;
  readonly failures: number;
  readonly failingSinceMs: number | undefined;
  readonly nowMs: number;
}

/** Returns the state in which a run's outcome leaves its object. */
export function stateAfter(input: StateInput): State {
  switch (input.outcome) {
    case "changed":
    case "unchanged":
      return input.fault === "user" ? "stuck" : "ok";
    case "waiting":
      return "waiting";
    case "blocked":
      return "stuck";
    case "interrupted":
      return "working";
    case "failed":
    case "timedOut":
      return failingState(input);
  }
}

function failingState(input: StateInput): State {
  if (input.fault === "user") return "stuck";
  const failingForMs = input.nowMs - (input.failingSinceMs ?? input.nowMs);
  if (input.failures >= STUCK_AFTER.failures && failingForMs >= STUCK_AFTER.ms) return "stuck";
  return input.couldNotObserve ? "unknown" : "working";
}
