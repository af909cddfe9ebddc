import { type ControllerName, controllerOf } from "@cloudwright/core/model/controller-names";
import { MODULES, type Module, nameMeantBy } from "../modules.ts";
import type { FlagValues } from "./definitions/all.ts";

/** Reports whether a list such as `--controllers` selects something: the first exact mention decides, wherever `*` stands (spec/00 §4). */
function isSelected(list: readonly string[], thing: SelectableThing): boolean {
  const mention = list.find((word) => word !== EVERYTHING && thing.isMeantBy(unprefixed(word)));
  if (mention !== undefined) return !mention.startsWith("-");
  return list.includes(EVERYTHING) && thing.isOnByDefault;
}

export interface SelectableThing {
  /** Reports whether a word without its `-` names it. */
  isMeantBy(word: string): boolean;
  /** Whether `*` turns it on. */
  readonly isOnByDefault: boolean;
}

/** Returns the words of a list without their `-`, and without `*`. */
function wordsOf(list: readonly string[]): readonly string[] {
  return list.filter((word) => word !== EVERYTHING).map(unprefixed);
}

const EVERYTHING = "*";

function unprefixed(word: string): string {
  return word.replace(/^-/, "");
}

/** Returns the words of a `--controllers` list that name no controller, without their `-` (spec/00 §4). */
export function unknownControllers(list: readonly string[]): readonly string[] {
  return wordsOf(list).filter((word) => nameMeantBy(word) === undefined);
}

/** Returns a `--controllers` list with the canonical names of the controllers that it names, as upstream stores it. */
export function canonicalControllers(list: readonly string[]): readonly string[] {
  return list.map((word) => {
    const name = nameMeantBy(unprefixed(word));
    if (name === undefined) return word;
    return word.startsWith("-") ? `-${name}` : name;
  });
}

/**
 * Returns the controllers that the flags select, in the fixed order in which they start: by `--controllers` (spec/00 §4). With
 * `--allocate-node-cidrs`, the controller that allocates pod ranges is selected without being named.
 */
export function selectedControllers(flags: FlagValues): readonly ControllerName[] {
  return MODULES.filter((module) =>
    isSelected(flags.controllers, {
      isMeantBy: (word) => nameMeantBy(word) === module.name,
      isOnByDefault: isOnByDefault(module, flags),
    }),
  ).map(({ name }) => name);
}

function isOnByDefault({ name, needs }: Module, flags: FlagValues): boolean {
  const { flag, isOnByFlag = false } = needs;
  if (isOnByFlag && flag !== undefined) return flags[flag] === true;
  return controllerOf(name).enabledByDefault;
}

/** The webhooks that this release can host. */
export const WEBHOOK_NAMES = ["pvlabel"] as const;
export type WebhookName = (typeof WEBHOOK_NAMES)[number];

/** Returns the words of a `--webhooks` list that name no webhook, without their `-`. */
export function unknownWebhooks(list: readonly string[]): readonly string[] {
  const known: readonly string[] = WEBHOOK_NAMES;
  return wordsOf(list).filter((word) => !known.includes(word));
}

/** Returns the webhooks that a `--webhooks` list selects; it is read like that of `--controllers` (spec/00 §4). */
export function selectedWebhooks(list: readonly string[]): readonly WebhookName[] {
  return WEBHOOK_NAMES.filter((name) =>
    isSelected(list, { isMeantBy: (word) => word === name, isOnByDefault: true }),
  );
}
