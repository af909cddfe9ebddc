import { z } from "zod/mini";
import type { ControllerFolder } from "../controller-names.ts";

/** What an object needs first comes first: a cause there explains what fails further down (UX.md section 2). */
export const DEPTHS = [
  "machine",
  "initialisation",
  "identity",
  "podRange",
  "network",
  "volume",
] as const;
export type Depth = (typeof DEPTHS)[number];

/** Milliseconds to wait for whoever allows no more calls and names no time. */
export const PAUSE_WHEN_UNTOLD_MS = 1_000;

/** `user`: only a user can fix it. `passing`: it may pass by itself. `none`: it is no fault. */
export const FAULTS = ["user", "passing", "none"] as const;
export type Fault = (typeof FAULTS)[number];

/** The states that a reason puts its object into, whatever the run's outcome. */
export type GivenState = "held" | "waiting" | "gone" | "unknown";

/** How a point in time, milliseconds since the epoch, is written in a sentence. */
export type TimeLabels = (ms: number) => string;

/** `warning`: worth an Event of that type. Not when it is meant to be so, when a user made it so, or time alone heals it. */
export type Severity = "warning" | "info";

/** A fact of a reason: always the same, or as its fields say. */
export type Fact<Fields, Value> = Value | ((reason: Fields) => Value);

/** Everything that is known of a reason; whatever asks about reasons reads it here. */
export interface Definition<Code extends string, Shape extends z.core.$ZodShape>
  extends Facts,
    ReportedNode<z.output<z.ZodMiniObject<Shape>>> {
  /** What rows, Events and exports call it; it never changes. */
  readonly code: Code;
  readonly fields: Shape;
}

/** A definition as it is asked by somebody who has a reason of its code. */
export interface AskedDefinition extends Facts, ReportedNode<never> {}

/** What a reason says, in view of its fields. */
interface ReportedNode<Fields> {
  /** The cause in plain words, as the middle of a sentence: no capital, no full stop. */
  readonly cause: (reason: Fields, time: TimeLabels) => string;
  /** What a user can do about it, as a sentence; absent where nothing is needed. */
  readonly advice?: Fact<Fields, string>;
  /** Who can fix it; absent where it is no fault. */
  readonly fault?: Fact<Fields, Fault>;
  /**
   * The state that it puts its object into whatever the run's outcome; `gone` once nothing is left to do. `unknown`: the
   * truth could not be seen, until the fault makes the object stuck. Absent: as the outcome and the fault say.
   */
  readonly state?: Fact<Fields, GivenState | undefined>;
  /** Milliseconds that whoever refused asked us to wait before the next try: no failure, so that no backoff grows. */
  readonly pauseMs?: (reason: Fields) => number | undefined;
}

/** What is always so of a reason. */
export interface Facts {
  /** `warning` for every fault, and `info` for all else, unless given. */
  readonly severity?: Severity;
  /** How deep the cause lies; `controller` for what may befall any call: as deep as what its controller does. */
  readonly depth: Depth | "controller";
  /** The controllers whose objects, changes and steps it is given for. */
  readonly appearsIn: "all" | readonly ControllerFolder[];
  /**
   * How much of what fails further down follows from it: everything where there is no machine; where it only stands still,
   * what a user need not fix.
   */
  readonly explains?: "all" | "passing";
  /** Somebody wrote it into the object and can correct it there: another mistake in its place is reported anew. */
  readonly isMistake?: true;
  /** It was dealt with: it is worth one Event, and not another one while it stays so. */
  readonly isReportedOnce?: true;
  /** Nobody has to do anything about it, and would wonder without a word of it: the log and the lists name it. */
  readonly isNoted?: true;
  /** Time may heal it, or somebody has to: the log names it as soon as an object waits for it. */
  readonly isLoggedWhileWaiting?: true;
  /** One answer alone does not prove it: the next one decides. */
  readonly needsProof?: true;
  /** The cloud is at work: it is given its time. */
  readonly isCloudAtWork?: true;
  /** Of a Service's load balancer: it is as it should be, as far as that is possible, and serves its members, or has none to serve. */
  readonly serves?: "members" | "nothing";
  /** Of a load balancer that is deleted: another one is made in its place. */
  readonly replaces?: true;
  /** What becomes of a node whose machine vanished. */
  readonly vanished?: "removed" | "held" | "doubted";
  /** The action that a page offers for it before all others. */
  readonly offers?: "adopt" | "release" | "release-guard";
}

export type Defined<Code extends string, Shape extends z.core.$ZodShape> = Definition<
  Code,
  Shape
> & {
  readonly schema: z.ZodMiniReadonly<
    z.ZodMiniObject<{ readonly code: z.ZodMiniLiteral<Code> } & Shape>
  >;
};

/** Defines reasons that are alike in what is given here; each may say otherwise. */
export function reasonsOf(alike: Pick<Facts, "depth" | "appearsIn">) {
  return <const Code extends string, Shape extends z.core.$ZodShape>(
    own: Omit<Definition<Code, Shape>, keyof typeof alike> & Partial<typeof alike>,
  ): Defined<Code, Shape> => ({
    ...alike,
    ...own,
    schema: z.readonly(z.object({ code: z.literal(own.code), ...own.fields })),
  });
}
