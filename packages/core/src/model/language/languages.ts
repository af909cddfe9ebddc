import { z } from "zod/mini";

/** The languages of the dashboard. Events, logs, metrics and the HTTP API are always in English. */
export const LANGUAGES = ["en", "fr", "zh", "ja"] as const;
export type Language = (typeof LANGUAGES)[number];
export const languageSchema = z.enum(LANGUAGES);

/** Each language's own name, so that its speakers find it. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  en: "English",
  fr: "Français",
  zh: "中文（简体）",
  ja: "日本語",
};

/** The locales for numbers and dates: `en` alone would put the month first. */
export const LOCALES: Readonly<Record<Language, string>> = {
  en: "en-GB",
  fr: "fr-FR",
  zh: "zh-CN",
  ja: "ja-JP",
};

/** The cookie with the browser's chosen language, so that the server renders the first page in it. */
export const LANGUAGE_COOKIE = "cloudwright.language";

/**
 * Returns the first available language of those that a browser asks for (`fr-CA, fr;q=0.9, en;q=0.8`), otherwise
 * English.
 */
export function languageAskedFor(acceptLanguage: string): Language {
  const asked = acceptLanguage
    .split(",")
    .map(rangeOf)
    .filter(({ quality }) => quality > 0)
    .toSorted((a, b) => b.quality - a.quality);
  for (const { tag } of asked) {
    const language = languageSchema.safeParse(tag);
    if (language.success) return language.data;
  }
  return "en";
}

function rangeOf(text: string): { readonly tag: string; readonly quality: number } {
  const [range = "", ...parameters] = text
    .trim()
    .toLowerCase()
    .split(/\s*;\s*/);
  const quality = parameters.find((each) => each.startsWith("q="))?.slice(2);
  return {
    tag: range.split("-", 1)[0] ?? "",
    quality: quality === undefined ? 1 : Number(quality),
  };
}
