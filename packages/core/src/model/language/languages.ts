import { z } from "zod/mini";

/** The languages of the dashboard. Events, logs, metrics and the HTTP API are in English whatever is chosen. */
export const LANGUAGES = ["en", "fr", "zh", "ja"] as const;
export type Language = (typeof LANGUAGES)[number];
export const languageSchema = z.enum(LANGUAGES);

/** As each calls itself, so that somebody who reads no other one finds theirs. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  en: "English",
  fr: "Français",
  zh: "中文（简体）",
  ja: "日本語",
};

/** By which numbers and dates are written: `en` alone would put the month first. */
export const LOCALES: Readonly<Record<Language, string>> = {
  en: "en-GB",
  fr: "fr-FR",
  zh: "zh-CN",
  ja: "ja-JP",
};

/** The cookie in which a browser keeps what was chosen, so that the server draws the first picture in it. */
export const LANGUAGE_COOKIE = "cloudwright.language";

/** The first of those that a browser asks for (`fr-CA, fr;q=0.9, en;q=0.8`) which there is; English else. */
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
