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
  /** The usual value in a list is subdued, so that the exceptions stand out. */
  readonly isUsual?: true;
}

type Look = Omit<Presentation, "label" | "help">;
type Words = { readonly [Name in "label" | "help"]: () => string };

/** Like `worded`: texts are translated when the table is read, because the table is created when its module loads. */
export function presentations<Key extends string>(
  table: Readonly<Record<Key, Look & Words>>,
): Readonly<Record<Key, Presentation>> {
  const all = Object.entries<Look & Words>(table).map(([key, one]) => [key, presented(one)]);
  return Object.fromEntries(all) as Readonly<Record<Key, Presentation>>;
}

export function presented({ label, help, ...look }: Look & Words): Presentation {
  return {
    ...look,
    get label() {
      return label();
    },
    get help() {
      return help();
    },
  };
}

/** How each state looks and reads; shape and word carry the meaning, colour only helps (UX brief, section 2). */
export const STATE_PRESENTATION = presentations<State>({
  stuck: {
    label: () => t`Stuck`,
    shape: "octagon",
    tone: "stuck",
    help: () => t`Failing repeatedly or blocked: somebody has to look into it. Retries continue.`,
  },
  unknown: {
    label: () => t`Unknown`,
    shape: "dashed-circle",
    tone: "unknown",
    help: () => t`It could not be observed, so its state is not known.`,
  },
  waiting: {
    label: () => t`Waiting`,
    shape: "hourglass",
    tone: "waiting",
    help: () => t`Waits for a known timer or an outside condition and resumes by itself.`,
  },
  working: {
    label: () => t`Working`,
    shape: "half-circle",
    tone: "waiting",
    help: () => t`A run is in progress or due.`,
  },
  held: {
    label: () => t`Held`,
    shape: "square-bars",
    tone: "held",
    help: () => t`A user has put it on hold.`,
  },
  ok: {
    label: () => "OK",
    shape: "disc",
    tone: "ok",
    isUsual: true,
    help: () => t`It is in sync with the cloud.`,
  },
  gone: {
    label: () => t`Gone`,
    shape: "ring-dash",
    tone: "neutral",
    help: () => t`It is no longer in the cluster; its history is kept.`,
  },
});

export const DRIFT_PRESENTATION = presentations<Drift>({
  drifted: {
    label: () => t`Drifted`,
    shape: "diamond",
    tone: "drifted",
    help: () => t`It differs from what it should be.`,
  },
  notChecked: {
    label: () => t`Not checked`,
    shape: "dashed-circle",
    tone: "unknown",
    help: () => t`The actual state has not been compared with the desired state.`,
  },
  inStep: {
    label: () => t`In sync`,
    shape: "disc",
    tone: "ok",
    isUsual: true,
    help: () => t`The actual state matches the desired state.`,
  },
});
