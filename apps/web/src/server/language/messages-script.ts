import type { Language } from "@cloudwright/core/model/language/languages";
import { KEY_LENGTH, messageKey } from "@cloudwright/core/model/language/message-key";
import { SOURCE_SYMBOL } from "@cloudwright/core/model/language/text";
import { catalogOf, versionOf } from "./catalogs.ts";
import { chunksOfPage, textsOf } from "./page-messages.ts";

/**
 * Where the page of this path loads its messages from. The address names the scripts whose messages they are; without names they are
 * those of all pages.
 */
export function messagesAddress(language: Language, path: string): string | undefined {
  if (language === "en") return undefined;
  const chunks = chunksOfPage(path);
  const named = chunks === undefined ? "" : `chunks=${chunks.join(",")}&`;
  return `/messages/${language}?${named}v=${versionOf(language)}`;
}

/**
 * A script that says which language is spoken, and adds messages to those that the page has already. Their keys are one text, because
 * each is as long as the others.
 */
export function messagesScript(
  language: Exclude<Language, "en">,
  chunks: readonly string[] | undefined,
): string {
  const catalog = catalogOf(language) ?? {};
  const keys = textsOf(chunks)
    ?.map(messageKey)
    .filter((key) => key in catalog);
  const sent = keys ?? Object.keys(catalog);
  return [
    `{const source=globalThis[Symbol.for(${JSON.stringify(SOURCE_SYMBOL)})]??=`,
    `{language:${JSON.stringify(language)},messages:{},catalogOf(){return this.messages}};`,
    `const keys=${JSON.stringify(sent.join(""))};`,
    `${JSON.stringify(sent.map((key) => catalog[key]))}.forEach((text,index)=>{`,
    `source.messages[keys.slice(index*${KEY_LENGTH},(index+1)*${KEY_LENGTH})]=text})}`,
  ].join("");
}
