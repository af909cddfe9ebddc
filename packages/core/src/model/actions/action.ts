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

/** What is carried out on the control record. */
const OF_CONTROLS = [...CONTROL_ACTIONS, ...SETTING_ACTIONS] as const;
const ACTIONS = [...OBJECT_ACTIONS, ...OF_CONTROLS] as const;
const [retry, ...others] = ACTIONS;

export const actionSchema = z.discriminatedUnion("kind", [
  retry.schema,
  ...others.map(({ schema }) => schema),
]);
/** What a user wants done (UX.md section 10). A preview names the action whose plan it asks for. */
export type Action = z.output<(typeof ACTIONS)[number]["schema"]>;
export type ActionKind = Action["kind"];
export type ActionOf<Kind extends ActionKind> = Extract<Action, { kind: Kind }>;
/** Actions on one object; they are carried out by a run of that object's loop. */
export type ObjectAction = z.output<(typeof OBJECT_ACTIONS)[number]["schema"]>;
/** Actions on a controller, the deletion guard or a setting; they are carried out on the control record. */
export type ControlAction = z.output<(typeof OF_CONTROLS)[number]["schema"]>;
/** Changes of a setting while controllers run. */
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

/** What is always so of an action. */
export function actionOf(kind: ActionKind): ActionFacts {
  return definitionOf(kind);
}

/** Whether a controller carries an action out on a kind of object: as its module declares, else as the record does. */
export function carriesOut(
  { name, actions = controllerOf(name).actions }: ActionCarrier,
  action: ActionKind,
  kind: ObjectRef["kind"],
): boolean {
  return actionOf(action).carriers === "any" || actions?.[kind]?.includes(action) === true;
}

/** The actions that another person has to approve where a cluster requires that. */
export const APPROVED_ACTIONS: readonly ActionKind[] = ACTION_KINDS.filter(
  (kind) => actionOf(kind).mayTakeTraffic === true,
);

/**
 * What can be done with an object of a kind by its controller, but for what needs more to be named than the object and an end, and for
 * what only the object's own page offers.
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

/** What a controller's module declares of its actions; absent: what the record has under its name. */
export interface ActionCarrier {
  readonly name: ControllerName;
  readonly actions?: ActionsByKind | undefined;
}

/**
 * Which controller may be asked for an action on a kind of object: `requested` itself where every controller is, or where this
 * release knows neither it nor the kind: then its module decides. Undefined where none is.
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

/** The kinds of object that an action is for, each with the controller of this release that carries it out there. */
export function carriersOf(action: ActionKind): readonly (readonly [string, ControllerName])[] {
  return CONTROLLER_NAMES.flatMap((name) =>
    Object.entries(controllerOf(name).actions ?? {}).flatMap(([kind, actions]) =>
      actions.includes(action) ? [[kind, name] as const] : [],
    ),
  );
}

/** What an action on an object is in words, which come as `node w-9`. */
export function titleOf(action: Action, object: string): string {
  return definitionOf(action.kind).title(action as never, object);
}

/** The button that confirms it; `word`: that of the kind of object. */
export function buttonOf(action: Action, word: string): string {
  return definitionOf(action.kind).button(action as never, word);
}

/** What opens its dialog on the page of an object. */
export function openerOf(kind: ActionKind): string {
  return definitionOf(kind).opener();
}

/** What follows from one that changes no setting; of any action `consequencesOf` says it (`actions/whole-actions.ts`). */
export function plainConsequencesOf(
  action: Action,
  plan: PlannedAction,
): readonly string[] | undefined {
  return definitionOf(action.kind).consequences?.(action as never, plan);
}

/** What is so once it was carried out on the control record and seen there, as a sentence. */
export function doneSentence(action: ControlAction, object: ObjectRef): string {
  const done = definitionOf(action.kind).done?.(action as never, object, clockTime);
  return done === undefined ? t`Done and confirmed.` : t`Done and confirmed: ${done}`;
}

/** Whether it is what the controller would do by itself, only sooner. */
export function isOwnWork({ kind }: Pick<Action, "kind">): boolean {
  return actionOf(kind).isOwnWork === true;
}

/** The loops that are to do it, where it names them. */
export function namedLoops(action: Action): readonly ControllerName[] | undefined {
  return "controllers" in action ? action.controllers : undefined;
}

/** As an audit entry has it: of what may be long its length. */
export function briefOf(action: Action): Json {
  return { ...action, ...definitionOf(action.kind).brief?.(action as never) };
}

/** What has to be typed to confirm it; undefined where nothing has. */
export function typedOf(action: Action, object: ObjectRef): Typed | undefined {
  return definitionOf(action.kind).typed?.(action as never, object);
}

/** Why one that changes no setting cannot be; of any action `problemOf` says it (`actions/whole-actions.ts`). */
export function plainProblemOf(action: Action, object: ObjectRef): string | undefined {
  return definitionOf(action.kind).problem?.(action as never, object);
}

/** How many cloud calls it costs besides its writes: a run looks once, and the look afterwards once more. */
export function callsOf(action: Action): number {
  return definitionOf(action.kind).calls?.(action as never) ?? 2;
}

/** The action of this kind with what it says of all that is given. */
export function actionFrom(kind: ActionKind, given: Readonly<Record<string, unknown>>): Action {
  const said = Object.keys(definitionOf(kind).fields).filter((name) => given[name] !== undefined);
  return { kind, ...Object.fromEntries(said.map((name) => [name, given[name]])) } as Action;
}

function definitionOf(kind: ActionKind): AnyActionDefinition {
  return BY_KIND.get(kind) ?? retry;
}

/** An action with who asked for it, as the run that carries it out gets it. */
export interface RequestedAction<Kind extends Action = Action> {
  readonly action: Kind;
  readonly intentId: string;
  /** The user's name. */
  readonly by: string;
  readonly why: string;
}

/** Why something is done that somebody asked for. */
export function requestedByUser({ by, why, intentId }: RequestedAction): ReasonOf<"PersonAsked"> {
  return { code: "PersonAsked", by, why, intentId };
}
