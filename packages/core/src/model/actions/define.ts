import { z } from "zod/mini";
import type { ObjectRef } from "../object-ref.ts";
import type { Plan } from "../plan.ts";
import type { TimeLabels } from "../reasons/define.ts";
import type { Role } from "../roles.ts";
import type { Json } from "../values/json.ts";

/** Everything that is known of an action; dialog, request, check, claim and audit read it here. */
export interface Action<Kind extends string, Shape extends z.core.$ZodShape>
  extends ActionFacts,
    ActionLabels<z.output<z.ZodMiniObject<Shape>>> {
  /** What rows, requests and the audit call it; it never changes. */
  readonly kind: Kind;
  /** What it says besides its kind. */
  readonly fields: Shape;
}

/** What is always so of an action. */
export interface ActionFacts {
  /** The least role that may ask for it (DESIGN.md "Roles"). */
  readonly role: Role;
  /**
   * `any`: every controller that works on the object. `named`: the controller that is its object. `declared`: those that declare
   * it, in the model's record or, one that this release does not know, in its module.
   */
  readonly carriers: "any" | "named" | "declared";
  /** It is only accepted with the hash of the plan that the user was shown. */
  readonly needsPlan?: true;
  /** Open actions of one group on one object exclude each other: the plan that was shown holds only until the other is done. */
  readonly group?: "object" | "pause" | "guard";
  /** It may be requested for several objects in one batch. */
  readonly inBulk?: InBulk;
  /** It is what the controller would do by itself, only sooner: nobody is held to the plan that was shown. */
  readonly isOwnWork?: true;
  /** It is about the cluster alone: nobody waits for what the cloud says. */
  readonly isWithoutCloud?: true;
  /** It is carried out as often as it is asked for: its effect shows in what the controller would do by itself. */
  readonly isDoneEachTime?: true;
  /** That its object is gone afterwards is its effect. */
  readonly removes?: true;
  /** It is for a rare need: its object's own page offers it, and no list and no palette does. */
  readonly isOnOwnPageAlone?: true;
  /**
   * It can take away traffic that flows now: what it writes again or deletes may be in use, or it lets through a deletion that a
   * hold, a pause or the guard has kept back. A cluster may require another person's approval of these. A retry is none of them,
   * as the controller would do the same by itself a little later; nor are hold and pause, which stop writes and must wait for nobody.
   */
  readonly mayTakeTraffic?: true;
  /** It cannot be undone: the focus starts on Cancel, and Enter never confirms it. */
  readonly isDestructive?: true;
  /** How long it may last, milliseconds; absent for what has no end. */
  readonly lengths?: {
    readonly longest: number;
    readonly usual: number;
    readonly choices: readonly number[];
  };
  /** The verb of its audit entries; `*` is the family of the object. The name of the change that it comes to, where there is one. */
  readonly verb: string;
  /** What a role may do that may ask for it. */
  readonly right: () => string;
  /** The reason that a dialog fills in; absent where one has to be written. */
  readonly usualReason?: string;
}

/** How an action on several objects is worded, and which objects a batch may name. */
export interface InBulk {
  /** What is done to `3 nodes`. */
  readonly title: (things: string) => string;
  /** `held`, as in "none of these nodes can be held". */
  readonly done: () => string;
  /** Only objects that wait for consent by what the ledger knows. */
  readonly onlyWaiting?: true;
}

interface ActionLabels<Fields> {
  /** What opens its dialog: with an ellipsis where something is chosen there, or has to be confirmed. */
  readonly opener: () => string;
  /** Of an action on an object in words: `node w-9`. */
  readonly title: (action: Fields, object: string) => string;
  /** The button that confirms it; `word`: that of the kind of object. */
  readonly button: (action: Fields, word: string) => string;
  /** What follows from it, one sentence each; absent where the plan alone says that. */
  readonly consequences?: (action: Fields, plan: PlannedAction) => readonly string[];
  /** What of it an audit entry says, where all of it may be too long. */
  readonly brief?: (action: Fields) => Readonly<Record<string, Json>>;
  /** Of one that is carried out on the control record: what is so once it was done and seen, as a sentence. */
  readonly done?: (action: Fields, object: ObjectRef, clock: TimeLabels) => string;
  /** What has to be typed to confirm it, and what that is called. */
  readonly typed?: (action: Fields, object: ObjectRef) => Typed;
  /** Why it cannot be, whatever its object is like now, as a sentence; undefined when it can. */
  readonly problem?: (action: Fields, object: ObjectRef) => string | undefined;
  /** How many cloud calls it costs besides its writes; two unless given: a run looks once, and the look afterwards once more. */
  readonly calls?: (action: Fields) => number;
}

export interface Typed {
  readonly what: string;
  readonly text: string;
}

export interface PlannedAction extends Pick<Plan, "changes" | "notTaken"> {
  readonly clock: TimeLabels;
  /** How many keys wait for the controller. */
  readonly waiting: number;
}

/** An action as it is asked by somebody who has one of its kind. */
export interface AnyActionDefinition extends ActionFacts, ActionLabels<never> {
  readonly kind: string;
  readonly fields: z.core.$ZodShape;
}

export function defineAction<const Kind extends string, Shape extends z.core.$ZodShape>(
  action: Action<Kind, Shape>,
) {
  const schema = z.readonly(z.object({ kind: z.literal(action.kind), ...action.fields }));
  return { ...action, schema };
}

/** Milliseconds since the epoch. Absolute, so that a preview and what is done afterwards are the same plan. */
export const until = z.int().check(z.positive());

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
