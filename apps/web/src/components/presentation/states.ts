import { t } from "@cloudwright/core/model/language/text";
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
  /** What a row of a list usually is: there it stands back, so that the exceptions stand out. */
  readonly isUsual?: true;
}

/** How each state looks and reads; shape and word carry the meaning, colour only helps (UX brief, section 2). */
export const STATE_PRESENTATION = {
  stuck: {
    get label() {
      return t`Stuck`;
    },
    shape: "octagon",
    tone: "stuck",
    get help() {
      return t`Failing repeatedly or blocked: somebody has to look into it. Retries continue.`;
    },
  },
  unknown: {
    get label() {
      return t`Unknown`;
    },
    shape: "dashed-circle",
    tone: "unknown",
    get help() {
      return t`It could not be observed, so its state is not known.`;
    },
  },
  waiting: {
    get label() {
      return t`Waiting`;
    },
    shape: "hourglass",
    tone: "waiting",
    get help() {
      return t`Waits for a known timer or an outside condition and resumes by itself.`;
    },
  },
  working: {
    get label() {
      return t`Working`;
    },
    shape: "half-circle",
    tone: "waiting",
    get help() {
      return t`A run is in progress or due.`;
    },
  },
  held: {
    get label() {
      return t`Held`;
    },
    shape: "square-bars",
    tone: "held",
    get help() {
      return t`A user has put it on hold.`;
    },
  },
  ok: {
    label: "OK",
    shape: "disc",
    tone: "ok",
    isUsual: true,
    get help() {
      return t`It is in sync with the cloud.`;
    },
  },
  gone: {
    get label() {
      return t`Gone`;
    },
    shape: "ring-dash",
    tone: "neutral",
    get help() {
      return t`It is no longer in the cluster; its history is kept.`;
    },
  },
} as const satisfies Record<State, Presentation>;

export const DRIFT_PRESENTATION = {
  drifted: {
    get label() {
      return t`Drifted`;
    },
    shape: "diamond",
    tone: "drifted",
    get help() {
      return t`It differs from what it should be.`;
    },
  },
  notChecked: {
    get label() {
      return t`Not checked`;
    },
    shape: "dashed-circle",
    tone: "unknown",
    get help() {
      return t`The actual state has not been compared with the desired state.`;
    },
  },
  inStep: {
    get label() {
      return t`In sync`;
    },
    shape: "disc",
    tone: "ok",
    isUsual: true,
    get help() {
      return t`The actual state matches the desired state.`;
    },
  },
} as const satisfies Record<Drift, Presentation>;
