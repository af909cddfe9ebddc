import { createHash } from "node:crypto";
import type { Language } from "@cloudwright/core/model/language/languages";
import { messageKey } from "@cloudwright/core/model/language/message-key";
import { type Catalog, SOURCE_SYMBOL } from "@cloudwright/core/model/language/text";
import serverOnly from "../../../messages/server-only.json" with { type: "json" };
import { catalogOf } from "./catalogs.ts";

/** A script that gives a page its language and its messages, which it runs before its own. The same for everybody. */
export function messagesScript(language: Language): string | undefined {
  const kept = scripts.get(language);
  if (kept !== undefined) return kept;
  const catalog = catalogOf(language);
  if (catalog === undefined) return undefined;
  const made = scriptOf(language, catalog);
  scripts.set(language, made);
  return made;
}

/** Where a page loads its messages from; another address for another script, so that browsers keep it for good. */
export function messagesAddress(language: Language): string | undefined {
  const script = messagesScript(language);
  if (script === undefined) return undefined;
  const version = createHash("sha256").update(script).digest("hex").slice(0, 12);
  return `/messages/${language}?v=${version}`;
}

const scripts = new Map<Language, string>();

/**
 * Writes messages by the keys of their English texts, half the size of the texts: in order, each key as its difference from the previous
 * one. Leaves out messages that no page uses.
 */
function scriptOf(language: Language, catalog: Catalog): string {
  const texts = textsOnPages(catalog);
  const seed = seedFor(texts);
  const keyed = texts
    .map((text) => ({ key: messageKey(text, seed), message: catalog[text] }))
    .toSorted((left, right) => left.key - right.key);
  const steps = keyed.map(({ key }, at) => (key - (keyed[at - 1]?.key ?? 0)).toString(36));
  return [
    `{const catalog={},texts=${JSON.stringify(keyed.map(({ message }) => message))};let key=0;`,
    `${JSON.stringify(steps.join(" "))}.split(" ").forEach((step,at)=>{`,
    "catalog[key+=parseInt(step,36)]=texts[at]});",
    `globalThis[Symbol.for(${JSON.stringify(SOURCE_SYMBOL)})]=`,
    `{language:${JSON.stringify(language)},seed:${seed},catalogOf:()=>catalog};}`,
  ].join("");
}

/** Returns the English texts of the messages that a page may use. */
export function textsOnPages(catalog: Catalog): readonly string[] {
  return Object.keys(catalog).filter((text) => !SERVER_ONLY.has(text));
}

const SERVER_ONLY: ReadonlySet<string> = new Set(serverOnly);

/** Finds the first seed that gives every text a key of its own. */
function seedFor(texts: readonly string[]): number {
  for (let seed = 0; ; seed += 1) {
    if (new Set(texts.map((text) => messageKey(text, seed))).size === texts.length) return seed;
  }
}
