import type { Drift, State } from "@cloudwright/core/model/state";

export type Shape =
  | "octagon"
  | "dashed-circle"
  | "hourglass"
  | "half-circle"
  | "square-bars"
  | "diamond"
  | "disc"
  | "ring-dash"
  | "cross"
  | "clock"
  | "broken-bar"
  | "delta"
  | "equals"
  | "plus"
  | "minus"
  | "turn"
  | "dotted-ring"
  | "slashed-ring";

export type Tone = "stuck" | "unknown" | "waiting" | "held" | "drifted" | "ok" | "neutral";

export interface Presentation {
  readonly label: string;
  readonly shape: Shape;
  readonly tone: Tone;
  readonly help: string;
}

/** How each state looks and reads; shape and word carry the meaning, colour only helps (UX brief, section 2). */
export const STATE_PRESENTATION = {
  stuck: {
    label: "Stuck",
    shape: "octagon",
    tone: "stuck",
    help: "Failing repeatedly or blocked: somebody has to look into it. Retries continue.",
  },
  unknown: {
    label: "Unknown",
    shape: "dashed-circle",
    tone: "unknown",
    help: "It could not be observed, so its state is not known.",
  },
  waiting: {
    label: "Waiting",
    shape: "hourglass",
    tone: "waiting",
    help: "Waits for a known timer or an outside condition and resumes by itself.",
  },
  working: {
    label: "Working",
    shape: "half-circle",
    tone: "waiting",
    help: "A run is in progress or due.",
  },
  held: {
    label: "Held",
    shape: "square-bars",
    tone: "held",
    help: "A user has put it on hold.",
  },
  ok: { label: "OK", shape: "disc", tone: "ok", help: "It is in sync with the cloud." },
  gone: {
    label: "Gone",
    shape: "ring-dash",
    tone: "neutral",
    help: "It is no longer in the cluster; its history is kept.",
  },
} as const satisfies Record<State, Presentation>;

export const DRIFT_PRESENTATION = {
  drifted: {
    label: "Drifted",
    shape: "diamond",
    tone: "drifted",
    help: "It differs from what it should be.",
  },
  notChecked: {
    label: "Not checked",
    shape: "dashed-circle",
    tone: "unknown",
    help: "What is there has not been compared with what should be.",
  },
  inStep: {
    label: "In sync",
    shape: "disc",
    tone: "ok",
    help: "What is there is what should be.",
  },
} as const satisfies Record<Drift, Presentation>;
