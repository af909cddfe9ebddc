import { z } from "zod/mini";
import type { ObjectRef } from "../object-ref.ts";
import type { Plan } from "../plan.ts";
import type { TimeLabels } from "../reasons/define.ts";
import type { Role } from "../roles.ts";
import type { Json } from "../values/json.ts";

/** Everything that is known about an action; dialog, request, check, claim and audit read it here. */
export interface Action<Kind extends string, Shape extends z.core.$ZodShape>
  extends ActionFacts,
    ActionLabels<z.output<z.ZodMiniObject<Shape>>> {
  /** Its name in rows, requests and the audit, which never changes. */
  readonly kind: Kind;
  /** Its fields besides the kind. */
  readonly fields: Shape;
}

/** The constant facts about an action. */
export interface ActionFacts {
  /** The lowest role that may request it (DESIGN.md "Roles"). */
  readonly role: Role;
  /**
   * `any`: every controller that works on the object. `named`: the controller that is its object. `declared`: those that declare
   * it in the model's record or, if this release does not know the controller, in its module.
   */
  readonly carriers: "any" | "named" | "declared";
  /** Set if it is accepted only with the hash of the plan that was shown to the user. */
  readonly needsPlan?: true;
  /**
   * Open actions of one group on one object exclude each other: the plan that was shown is valid only until the other one is
   * done.
   */
  readonly group?: "object" | "pause" | "guard";
  /** Set if it may be requested for several objects in one batch. */
  readonly inBulk?: InBulk;
  /** Set if the controller would do the same by itself, only later: the plan that was shown is not binding. */
  readonly isOwnWork?: true;
  /** Set if it concerns only the cluster: nobody waits for the cloud. */
  readonly isWithoutCloud?: true;
  /**
   * Set if it is carried out each time it is requested: its effect is judged by what the controller would do by
   * itself.
   */
  readonly isDoneEachTime?: true;
  /** Set if its effect is that the object is gone. */
  readonly removes?: true;
  /** Set if it is rarely needed: only its object's own page offers it, no list and no palette. */
  readonly isOnOwnPageAlone?: true;
  /**
   * Set if it can interrupt traffic: what it rewrites or deletes may be in use, or it allows a deletion that a hold, a pause or the
   * guard has held back. A cluster may require another user's approval for these. A retry is not one of them, as the controller would
   * do the same by itself a little later; nor are hold and pause, which stop writes and must not wait for anybody.
   */
  readonly mayTakeTraffic?: true;
  /** Set if it cannot be undone: the focus starts on Cancel, and Enter never confirms it. */
  readonly isDestructive?: true;
  /** How long it may last, in milliseconds; absent if it has no end. */
  readonly lengths?: {
    readonly longest: number;
    readonly usual: number;
    readonly choices: readonly number[];
  };
  /**
   * The verb of its audit entries, in which `*` stands for the object's family. Equals the name of the resulting change, if there is
   * one.
   */
  readonly verb: string;
  /** What a role may do that may request it. */
  readonly right: () => string;
  /** The reason that a dialog fills in; if absent, the user has to write one. */
  readonly usualReason?: string;
}

/** The texts of an action on several objects, and which objects a batch may contain. */
export interface InBulk {
  /** The title for `3 nodes`. */
  readonly title: (things: string) => string;
  /** `held`, as in "none of these nodes can be held". */
  readonly done: () => string;
  /** Set if only objects that wait for consent according to the ledger are allowed. */
  readonly onlyWaiting?: true;
}

interface ActionLabels<Fields> {
  /** The label that opens its dialog, with an ellipsis if the dialog has a choice or a confirmation. */
  readonly opener: () => string;
  /** The text for an action on an object, which is given as `node w-9`. */
  readonly title: (action: Fields, object: string) => string;
  /** The label of the confirming button; `word`: that of the kind of object. */
  readonly button: (action: Fields, word: string) => string;
  /** The consequences, one sentence each; absent if only the plan shows them. */
  readonly consequences?: (action: Fields, plan: PlannedAction) => readonly string[];
  /** The part of it that an audit entry has, if all of it may be too long. */
  readonly brief?: (action: Fields) => Readonly<Record<string, Json>>;
  /** For an action on the control record, a sentence about the result once it was done and observed. */
  readonly done?: (action: Fields, object: ObjectRef, clock: TimeLabels) => string;
  /** What has to be typed for confirmation, and what that is called. */
  readonly typed?: (action: Fields, object: ObjectRef) => Typed;
  /** Why it is impossible whatever the object's present state, as a sentence; undefined if it is possible. */
  readonly problem?: (action: Fields, object: ObjectRef) => string | undefined;
  /**
   * How many cloud calls it costs besides its writes; two by default, as a run observes once and the check afterwards once more.
   */
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

/** An action definition for a caller that has an action of its kind. */
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

/** Milliseconds since the epoch. Absolute, so that a preview and the later action have the same plan. */
export const until = z.int().check(z.positive());

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
