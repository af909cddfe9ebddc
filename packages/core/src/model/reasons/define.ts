import { z } from "zod/mini";
import type { ControllerFolder } from "../controller-names.ts";

/** What an object needs first comes first: a cause there explains failures further down (UX.md section 2). */
export const DEPTHS = [
  "machine",
  "initialisation",
  "identity",
  "podRange",
  "network",
  "volume",
] as const;
export type Depth = (typeof DEPTHS)[number];

/** How many milliseconds to wait if calls are throttled without a given time. */
export const PAUSE_WHEN_UNTOLD_MS = 1_000;

/** `user`: only a user can fix it. `passing`: it may pass by itself. `none`: it is not a fault. */
export const FAULTS = ["user", "passing", "none"] as const;
export type Fault = (typeof FAULTS)[number];

/** The states into which a reason puts its object, whatever the run's outcome. */
export type GivenState = "held" | "waiting" | "gone" | "unknown";

/** Formats a point in time, in milliseconds since the epoch, within a sentence. */
export type TimeLabels = (ms: number) => string;

/** `warning`: worth an Event of that type. Not if it is intended, if a user made it so, or if time alone fixes it. */
export type Severity = "warning" | "info";

/** A fact about a reason: constant, or derived from its fields. */
export type Fact<Fields, Value> = Value | ((reason: Fields) => Value);

/** Everything that is known about a reason; all code that asks about reasons reads it here. */
export interface Definition<Code extends string, Shape extends z.core.$ZodShape>
  extends Facts,
    ReportedNode<z.output<z.ZodMiniObject<Shape>>> {
  /** The name in rows, Events and exports, which never changes. */
  readonly code: Code;
  readonly fields: Shape;
}

/** A definition for a caller that has a reason of its code. */
export interface AskedDefinition extends Facts, ReportedNode<never> {}

/** The texts of a reason, derived from its fields. */
interface ReportedNode<Fields> {
  /** The cause in plain words, as the middle of a sentence: no capital, no full stop. */
  readonly cause: (reason: Fields, time: TimeLabels) => string;
  /** What a user can do about it, as a sentence; absent if nothing is needed. */
  readonly advice?: Fact<Fields, string>;
  /** Who can fix it; absent if it is not a fault. */
  readonly fault?: Fact<Fields, Fault>;
  /**
   * The state into which it puts its object whatever the run's outcome; `gone` once nothing is left to do. `unknown`:
   * the object could not be observed, until the fault makes it stuck. Absent: outcome and fault decide.
   */
  readonly state?: Fact<Fields, GivenState | undefined>;
  /**
   * How many milliseconds we were asked to wait before the next attempt. This is not a failure, so no backoff grows.
   */
  readonly pauseMs?: (reason: Fields) => number | undefined;
}

/** The constant facts about a reason. */
export interface Facts {
  /** By default `warning` for every fault, and `info` for all else. */
  readonly severity?: Severity;
  /** How deep the cause lies; `controller` for what any call can have: as deep as the controller's work. */
  readonly depth: Depth | "controller";
  /** The controllers for whose objects, changes and steps it occurs. */
  readonly appearsIn: "all" | readonly ControllerFolder[];
  /**
   * Which failures further down follow from it: `all` if there is no machine; `passing` if it is only stopped, which
   * covers those that a user need not fix.
   */
  readonly explains?: "all" | "passing";
  /**
   * Set if somebody wrote it into the object and can correct it there: the next mistake in its place is reported
   * again.
   */
  readonly isMistake?: true;
  /** Set if it was dealt with: it is worth one Event, and no more while it lasts. */
  readonly isReportedOnce?: true;
  /** Set if nobody has to act, but an operator would wonder if it were not mentioned: the log and the lists name it. */
  readonly isNoted?: true;
  /** Set if time or a user may fix it: the log names it as soon as an object waits for it. */
  readonly isLoggedWhileWaiting?: true;
  /** Set if one answer alone does not prove it: the next one decides. */
  readonly needsProof?: true;
  /** Set if the cloud is at work, and is given time. */
  readonly isCloudAtWork?: true;
  /** Set if a Service's load balancer is as it should be, as far as possible, and serves its members or has none to serve. */
  readonly serves?: "members" | "nothing";
  /** Set if the load balancer is deleted and replaced by another one. */
  readonly replaces?: true;
  /** What happens to a node whose machine vanished. */
  readonly vanished?: "removed" | "held" | "doubted";
  /** The action that a page offers first. */
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

/** Defines reasons that share the given facts; each may override them. */
export function reasonsOf(alike: Pick<Facts, "depth" | "appearsIn">) {
  return <const Code extends string, Shape extends z.core.$ZodShape>(
    own: Omit<Definition<Code, Shape>, keyof typeof alike> & Partial<typeof alike>,
  ): Defined<Code, Shape> => ({
    ...alike,
    ...own,
    schema: z.readonly(z.object({ code: z.literal(own.code), ...own.fields })),
  });
}
