import { createHash } from "node:crypto";
import type { Language } from "@cloudwright/core/model/language/languages";
import { KEY_LENGTH, messageKey } from "@cloudwright/core/model/language/message-key";
import { type Catalog, SOURCE_SYMBOL } from "@cloudwright/core/model/language/text";
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

/** Messages by the keys of their English texts, all of them in one string: that is half of what the texts would be. */
function scriptOf(language: Language, catalog: Catalog): string {
  const texts = Object.keys(catalog);
  const seed = seedFor(texts);
  const keys = texts.map((text) => messageKey(text, seed)).join("");
  return [
    `{const keys=${JSON.stringify(keys)},catalog={};`,
    `${JSON.stringify(Object.values(catalog))}.forEach((text,at)=>{`,
    `catalog[keys.slice(at*${KEY_LENGTH},(at+1)*${KEY_LENGTH})]=text});`,
    `globalThis[Symbol.for(${JSON.stringify(SOURCE_SYMBOL)})]=`,
    `{language:${JSON.stringify(language)},seed:${seed},catalogOf:()=>catalog};}`,
  ].join("");
}

/** The first with which no two texts have the same key. */
function seedFor(texts: readonly string[]): number {
  for (let seed = 0; ; seed += 1) {
    if (new Set(texts.map((text) => messageKey(text, seed))).size === texts.length) return seed;
  }
}
