import { z } from "zod/mini";
import {
  type ActionsByKind,
  CONTROLLER_NAMES,
  type ControllerName,
  controllerOf,
  isKnownController,
} from "../controller-names.ts";
import { t } from "../language/text.ts";
import { isKnownKind, type ObjectRef } from "../object-ref.ts";
import type { ReasonOf } from "../reason.ts";
import { clockTime } from "../reasons/text.ts";
import type { Json } from "../values/json.ts";
import { CONTROL_ACTIONS, GUARD_RELEASE_MS } from "./control-actions.ts";
import type { ActionFacts, AnyActionDefinition, PlannedAction, Typed } from "./define.ts";
import { OBJECT_ACTIONS } from "./object-actions.ts";
import { SETTING_ACTIONS } from "./setting-actions.ts";

export { GUARD_RELEASE_MS };

/** The actions that are carried out on the control record. */
const OF_CONTROLS = [...CONTROL_ACTIONS, ...SETTING_ACTIONS] as const;
const ACTIONS = [...OBJECT_ACTIONS, ...OF_CONTROLS] as const;
const [retry, ...others] = ACTIONS;

export const actionSchema = z.discriminatedUnion("kind", [
  retry.schema,
  ...others.map(({ schema }) => schema),
]);
/** What a user requests (UX.md section 10). A preview contains the action whose plan it asks for. */
export type Action = z.output<(typeof ACTIONS)[number]["schema"]>;
export type ActionKind = Action["kind"];
export type ActionOf<Kind extends ActionKind> = Extract<Action, { kind: Kind }>;
/** Actions on one object, which are carried out by a run of that object's loop. */
export type ObjectAction = z.output<(typeof OBJECT_ACTIONS)[number]["schema"]>;
/** Actions on a controller, the deletion guard or a setting, which are carried out on the control record. */
export type ControlAction = z.output<(typeof OF_CONTROLS)[number]["schema"]>;
/** Changes of a setting at run time. */
export type SettingAction = z.output<(typeof SETTING_ACTIONS)[number]["schema"]>;

export const ACTION_KINDS: readonly [ActionKind, ...ActionKind[]] = [
  retry.kind,
  ...others.map(({ kind }) => kind),
];

export function isControlAction(action: Action): action is ControlAction {
  return OF_CONTROLS.some(({ kind }) => kind === action.kind);
}

export function isSettingAction(action: Action): action is SettingAction {
  return SETTING_ACTIONS.some(({ kind }) => kind === action.kind);
}

const BY_KIND = new Map<string, AnyActionDefinition>(
  ACTIONS.map((action) => [action.kind, action]),
);

/** Returns the constant facts about an action. */
export function actionOf(kind: ActionKind): ActionFacts {
  return definitionOf(kind);
}

/**
 * Reports whether a controller carries an action out on a kind of object, as declared by its module, or else by the
 * record.
 */
export function carriesOut(
  { name, actions = controllerOf(name).actions }: ActionCarrier,
  action: ActionKind,
  kind: ObjectRef["kind"],
): boolean {
  return actionOf(action).carriers === "any" || actions?.[kind]?.includes(action) === true;
}

/** The actions that another user has to approve in clusters that require this. */
export const APPROVED_ACTIONS: readonly ActionKind[] = ACTION_KINDS.filter(
  (kind) => actionOf(kind).mayTakeTraffic === true,
);

/**
 * Returns the actions on a kind of object by its controller, except those that need more input than the object and an end, and those
 * that only the object's own page offers.
 */
export function actionsOn(
  carrier: ActionCarrier,
  kind: ObjectRef["kind"],
): readonly ObjectAction["kind"][] {
  const needsMore = (fields: object) =>
    Object.keys(fields).some((name) => name !== "until" && name !== "controllers");
  return OBJECT_ACTIONS.filter(
    ({ kind: action, fields }) =>
      actionOf(action).isOnOwnPageAlone !== true &&
      !needsMore(fields) &&
      carriesOut(carrier, action, kind),
  ).map(({ kind: action }) => action);
}

/** A controller module's declaration of its actions; if absent, the record's applies. */
export interface ActionCarrier {
  readonly name: ControllerName;
  readonly actions?: ActionsByKind | undefined;
}

/**
 * Returns the controller that may be asked for an action on a kind of object: `requested` itself if every controller is
 * allowed, or if this release knows neither it nor the kind, as its module then decides. Undefined if there is none.
 */
export function carrierOf(
  action: ActionKind,
  kind: ObjectRef["kind"],
  requested: ControllerName,
): ControllerName | undefined {
  const { carriers } = actionOf(action);
  if (carriers === "any" || carriers === "named") return requested;
  const isOther = !isKnownController(requested) && !isKnownKind(kind);
  const [, carrier] = carriersOf(action).find(([of]) => of === kind) ?? [];
  return carrier ?? (isOther ? requested : undefined);
}

/**
 * Returns the kinds of object that an action supports, each with the controller of this release that carries it out.
 */
export function carriersOf(action: ActionKind): readonly (readonly [string, ControllerName])[] {
  return CONTROLLER_NAMES.flatMap((name) =>
    Object.entries(controllerOf(name).actions ?? {}).flatMap(([kind, actions]) =>
      actions.includes(action) ? [[kind, name] as const] : [],
    ),
  );
}

/** Returns the text for an action on an object, which is given as `node w-9`. */
export function titleOf(action: Action, object: string): string {
  return definitionOf(action.kind).title(action as never, object);
}

/** Returns the label of the confirming button; `word`: that of the kind of object. */
export function buttonOf(action: Action, word: string): string {
  return definitionOf(action.kind).button(action as never, word);
}

/** Returns the label that opens the action's dialog on the page of an object. */
export function openerOf(kind: ActionKind): string {
  return definitionOf(kind).opener();
}

/**
 * Returns the consequences of an action that changes no setting; `consequencesOf` covers all actions
 * (`actions/whole-actions.ts`).
 */
export function plainConsequencesOf(
  action: Action,
  plan: PlannedAction,
): readonly string[] | undefined {
  return definitionOf(action.kind).consequences?.(action as never, plan);
}

/** Returns a sentence about the result, once the action was carried out on the control record and observed there. */
export function doneSentence(action: ControlAction, object: ObjectRef): string {
  const done = definitionOf(action.kind).done?.(action as never, object, clockTime);
  return done === undefined ? t`Done and confirmed.` : t`Done and confirmed: ${done}`;
}

/** Reports whether the controller would do the same by itself, only later. */
export function isOwnWork({ kind }: Pick<Action, "kind">): boolean {
  return actionOf(kind).isOwnWork === true;
}

/** Returns the loops that have to do it, if the action names them. */
export function namedLoops(action: Action): readonly ControllerName[] | undefined {
  return "controllers" in action ? action.controllers : undefined;
}

/** Returns the action as an audit entry has it: of long lists only the length. */
export function briefOf(action: Action): Json {
  return { ...action, ...definitionOf(action.kind).brief?.(action as never) };
}

/** Returns what has to be typed for confirmation; undefined if nothing. */
export function typedOf(action: Action, object: ObjectRef): Typed | undefined {
  return definitionOf(action.kind).typed?.(action as never, object);
}

/**
 * Returns why an action that changes no setting is impossible; `problemOf` covers all actions
 * (`actions/whole-actions.ts`).
 */
export function plainProblemOf(action: Action, object: ObjectRef): string | undefined {
  return definitionOf(action.kind).problem?.(action as never, object);
}

/**
 * Returns how many cloud calls it costs besides its writes: a run observes once, and the check afterwards once
 * more.
 */
export function callsOf(action: Action): number {
  return definitionOf(action.kind).calls?.(action as never) ?? 2;
}

/** Builds an action of this kind from those of the given values that it has as fields. */
export function actionFrom(kind: ActionKind, given: Readonly<Record<string, unknown>>): Action {
  const said = Object.keys(definitionOf(kind).fields).filter((name) => given[name] !== undefined);
  return { kind, ...Object.fromEntries(said.map((name) => [name, given[name]])) } as Action;
}

function definitionOf(kind: ActionKind): AnyActionDefinition {
  return BY_KIND.get(kind) ?? retry;
}

/** An action with who requested it, as the run that carries it out receives it. */
export interface RequestedAction<Kind extends Action = Action> {
  readonly action: Kind;
  readonly intentId: string;
  /** The user's name. */
  readonly by: string;
  readonly why: string;
}

/** Returns the reason for doing what a user requested. */
export function requestedByUser({ by, why, intentId }: RequestedAction): ReasonOf<"PersonAsked"> {
  return { code: "PersonAsked", by, why, intentId };
}
