import { z } from "zod";
import { CONTROL_ACTIONS, GUARD_RELEASE_MS } from "./actions/control-actions.ts";
import type { ActionFacts, AskedAction, PlannedAction, Typed } from "./actions/define.ts";
import { OBJECT_ACTIONS } from "./actions/object-actions.ts";
import { type ControllerName, isKnownController } from "./controller-names.ts";
import { isKnownKind, type ObjectRef } from "./object-ref.ts";
import type { ReasonOf } from "./reason.ts";

export { GUARD_RELEASE_MS };

const ACTIONS = [...OBJECT_ACTIONS, ...CONTROL_ACTIONS] as const;
const [retry, ...others] = ACTIONS;

export const wishSchema = z.discriminatedUnion("kind", [
  retry.schema,
  ...others.map(({ schema }) => schema),
]);
/** What a user wants done (UX.md section 10). A preview names the action whose plan it asks for. */
export type Wish = z.output<(typeof ACTIONS)[number]["schema"]>;
export type WishKind = Wish["kind"];
export type WishOf<Kind extends WishKind> = Extract<Wish, { kind: Kind }>;
/** Actions on one object; they are carried out by a run of that object's loop. */
export type ObjectWish = z.output<(typeof OBJECT_ACTIONS)[number]["schema"]>;
/** Actions on a controller or the deletion guard; they are carried out on the control record. */
export type ControlWish = z.output<(typeof CONTROL_ACTIONS)[number]["schema"]>;

export const WISH_KINDS: readonly [WishKind, ...WishKind[]] = [
  retry.kind,
  ...others.map(({ kind }) => kind),
];

export function isControlWish(wish: Wish): wish is ControlWish {
  return CONTROL_ACTIONS.some(({ kind }) => kind === wish.kind);
}

const BY_KIND = new Map<string, AskedAction>(ACTIONS.map((action) => [action.kind, action]));

/** What is always so of an action. */
export function actionOf(kind: WishKind): ActionFacts {
  return definitionOf(kind);
}

/**
 * Which controller carries an action out on a kind of object, of those that may be asked: `asked` itself where every controller
 * does, or the kind is of one that this release does not know. Undefined where none does.
 */
export function carrierOf(
  wish: WishKind,
  kind: ObjectRef["kind"],
  asked: ControllerName,
): ControllerName | undefined {
  const { carriers, isForOthers } = actionOf(wish);
  if (typeof carriers === "string") return asked;
  const isOther = isForOthers === true && !isKnownController(asked) && !isKnownKind(kind);
  return carriers[kind] ?? (isOther ? asked : undefined);
}

/** What an action on an object is in words, which come as `node w-9`. */
export function titleOf(wish: Wish, object: string): string {
  return definitionOf(wish.kind).title(wish as never, object);
}

/** The button that confirms it; `word`: that of the kind of object. */
export function buttonOf(wish: Wish, word: string): string {
  return definitionOf(wish.kind).button(wish as never, word);
}

/** What follows from it, one sentence each; undefined where the plan alone says that. */
export function consequencesOf(wish: Wish, plan: PlannedAction): readonly string[] | undefined {
  return definitionOf(wish.kind).consequences?.(wish as never, plan);
}

/** What has to be typed to confirm it; undefined where nothing has. */
export function typedOf(wish: Wish, object: ObjectRef): Typed | undefined {
  return definitionOf(wish.kind).typed?.(wish as never, object);
}

/** Why it cannot be, whatever its object is like now, as a sentence; undefined when it can. */
export function problemOf(wish: Wish, object: ObjectRef): string | undefined {
  return definitionOf(wish.kind).problem?.(wish as never, object);
}

/** How many cloud calls it costs besides its writes: a run looks once, and the look afterwards once more. */
export function callsOf(wish: Wish): number {
  return definitionOf(wish.kind).calls?.(wish as never) ?? 2;
}

/** The action of this kind with what it says of all that is given. */
export function wishFrom(kind: WishKind, given: Readonly<Record<string, unknown>>): Wish {
  const said = Object.keys(definitionOf(kind).fields).filter((name) => given[name] !== undefined);
  return { kind, ...Object.fromEntries(said.map((name) => [name, given[name]])) } as Wish;
}

function definitionOf(kind: WishKind): AskedAction {
  return BY_KIND.get(kind) ?? retry;
}

/** A wish with who asked for it, as the run that carries it out gets it. */
export interface Asked<Kind extends Wish = Wish> {
  readonly wish: Kind;
  readonly intentId: string;
  /** The user's name. */
  readonly by: string;
  readonly why: string;
}

/** Why something is done that somebody asked for. */
export function personAsked({ by, why, intentId }: Asked): ReasonOf<"PersonAsked"> {
  return { code: "PersonAsked", by, why, intentId };
}
