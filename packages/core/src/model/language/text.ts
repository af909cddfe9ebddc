import { TTag } from "ttag";
import type { Language } from "./languages.ts";
import { messageKey } from "./message-key.ts";

/** The messages of one language by their English text, with the placeholders `${0}`, `${1}` in order; or by its key. */
export type Catalog = Readonly<Record<string, string>>;

/**
 * Provides the current language: on a page the page itself, on a server the code that handles the request. It is stored
 * in the global object, because a server is bundled in several parts, each with modules of its own.
 */
export interface LanguageSource {
  readonly language: Language;
  /** The seed of the keys, if catalogs use the keys of their texts, as in a browser (message-key.ts). */
  readonly seed?: number;
  /** Must return the same object each time, as it is parsed only once. */
  catalogOf(language: Language): Catalog | undefined;
}

/** The symbol of the source in the global object; a page gets it from a script (apps/web, app/messages). */
export const SOURCE_SYMBOL = "cloudwright.language";
const SOURCE = Symbol.for(SOURCE_SYMBOL);

/** From now on texts are in the source's language; without a source they are in English. */
export function speak(source: LanguageSource): void {
  Reflect.set(globalThis, SOURCE, source);
}

export function currentLanguage(): Language {
  return source()?.language ?? "en";
}

/**
 * Evaluates the texts in English, whoever reads them: for the record and the log. Only texts that are created during the call are in
 * English.
 */
export function englishOf<Said>(word: () => Said): Said {
  const before = source();
  Reflect.set(globalThis, SOURCE, undefined);
  try {
    return word();
  } finally {
    Reflect.set(globalThis, SOURCE, before);
  }
}

/**
 * Returns a text in the reader's language: t`${count} nodes are in sync`. The English text is the message's key in the
 * catalogs (apps/web/messages), so it must be in one place as a whole; `npm run messages` updates them. Call this while
 * something is rendered and never while a module is loaded, when the language is unknown.
 */
export function t(strings: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  return textParts(strings, ...values).join("");
}

/**
 * Returns a table of texts that are each evaluated when they are read, as tables are created while their module is
 * loaded.
 */
export function worded<Key extends string>(
  texts: Readonly<Record<Key, () => string>>,
): Readonly<Record<Key, string>> {
  const table = {};
  for (const [key, word] of Object.entries<() => string>(texts)) {
    Object.defineProperty(table, key, { enumerable: true, get: word });
  }
  return table as Readonly<Record<Key, string>>;
}

/** Returns the text in pieces, for texts with something other than text in the middle, such as a link. */
export function textParts<Part>(
  strings: TemplateStringsArray,
  ...values: readonly Part[]
): readonly (string | Part)[] {
  const language = currentLanguage();
  return language === "en"
    ? inEnglish(inOneLine(strings), values)
    : translated(language, strings, values);
}

const joined = new WeakMap<TemplateStringsArray, readonly string[]>();

/** A long text may span several lines of code, but its reader sees one. */
function inOneLine(strings: TemplateStringsArray): readonly string[] {
  const kept = joined.get(strings);
  if (kept !== undefined) return kept;
  const made = strings.map((text) => text.replaceAll(/\s*\n\s*/g, " "));
  joined.set(strings, made);
  return made;
}

function inEnglish<Part>(
  strings: readonly string[],
  values: readonly Part[],
): readonly (string | Part)[] {
  return strings.flatMap((text, index) => {
    const value = values[index];
    return value === undefined ? [text] : [text, value];
  });
}

function translated<Part>(
  language: Language,
  strings: TemplateStringsArray,
  values: readonly Part[],
): readonly (string | Part)[] {
  const texts = inOneLine(strings);
  const { catalog, seed } = catalogIn(language);
  const { text, id } = nameOf(strings, seed);
  const translation = catalog?.[id];
  if (catalog === undefined || translation === undefined) return inEnglish(texts, values);
  const { ttag, messages } = translatorOf(language, catalog);
  messages[text] ??= [translation];
  const template = Object.assign([...texts], { raw: texts });
  const parts: readonly (string | Part)[] = ttag.jt(template, ...values);
  return language === "zh" || language === "ja" ? closedUp(parts) : parts;
}

function catalogIn(language: Language) {
  const known = source();
  return { catalog: known?.catalogOf(language), seed: known?.seed };
}

interface MessageName {
  readonly seed: number | undefined;
  /** In English, with `${0}`, `${1}` for its values. */
  readonly text: string;
  /** Its key in a catalog. */
  readonly id: string;
}

const names = new WeakMap<TemplateStringsArray, MessageName>();

function nameOf(strings: TemplateStringsArray, seed: number | undefined): MessageName {
  const kept = names.get(strings);
  if (kept !== undefined && kept.seed === seed) return kept;
  const text = inOneLine(strings).reduce((before, part, at) => `${before}\${${at - 1}}${part}`);
  const name = { seed, text, id: seed === undefined ? text : String(messageKey(text, seed)) };
  names.set(strings, name);
  return name;
}

/** Chinese and Japanese have a space beside a name or a number, and none between their own characters. */
function closedUp<Part>(parts: readonly (string | Part)[]): readonly (string | Part)[] {
  const filled = parts.filter((part) => part !== "");
  return filled.map((part, index) => {
    if (typeof part !== "string") return part;
    const ended = isOwn(filled[index + 1], STARTS) ? part.replace(OWN_AND_SPACE, "$1") : part;
    return isOwn(filled[index - 1], ENDS) ? ended.replace(SPACE_AND_OWN, "$1") : ended;
  });
}

function isOwn(part: unknown, at: RegExp): boolean {
  return typeof part === "string" && at.test(part);
}

const OWN =
  "[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\u3001-\\u301f\\uff00-\\uffef]";
const STARTS = new RegExp(`^${OWN}`, "u");
const ENDS = new RegExp(`${OWN}$`, "u");
const OWN_AND_SPACE = new RegExp(`(${OWN}) $`, "u");
const SPACE_AND_OWN = new RegExp(`^ (${OWN})`, "u");

interface Translator {
  readonly ttag: TTag;
  /** The messages that ttag knows: each is added on first use, as most are never used. */
  readonly messages: Record<string, string[]>;
}

const translators = new WeakMap<Catalog, Translator>();

function translatorOf(language: Language, catalog: Catalog): Translator {
  const kept = translators.get(catalog);
  if (kept !== undefined) return kept;
  const ttag = new TTag();
  ttag.setDedent(false);
  const contexts: Record<string, Translator["messages"]> = { "": {} };
  const headers = { Language: language, "Plural-Forms": "nplurals=1; plural=0;" };
  const locale = { charset: "utf-8", headers, contexts };
  ttag.addLocale(language, locale);
  ttag.useLocale(language);
  // ttag keeps the locale object that it was given, and copies its contexts.
  const made = { ttag, messages: locale.contexts[""] ?? {} };
  translators.set(catalog, made);
  return made;
}

function source(): LanguageSource | undefined {
  return Reflect.get(globalThis, SOURCE) as LanguageSource | undefined;
}
