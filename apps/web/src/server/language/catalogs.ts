import { createHash } from "node:crypto";
import type { Language } from "@cloudwright/core/model/language/languages";
import type { Catalog } from "@cloudwright/core/model/language/text";
import fr from "../../../messages/fr.json" with { type: "json" };
import ja from "../../../messages/ja.json" with { type: "json" };
import zh from "../../../messages/zh.json" with { type: "json" };

/** English is what the code says. Each of the others must have every message of the first one: the compiler sees to it. */
const CATALOGS: Readonly<Record<Exclude<Language, "en">, Record<keyof typeof fr, string>>> = {
  fr,
  zh,
  ja,
};

export function catalogOf(language: Language): Catalog | undefined {
  return language === "en" ? undefined : CATALOGS[language];
}

/** Where a page loads its messages from; another address for other messages, so that browsers keep them for good. */
export function messagesAddress(language: Language): string | undefined {
  const catalog = catalogOf(language);
  if (catalog === undefined) return undefined;
  const text = JSON.stringify(catalog);
  const version = createHash("sha256").update(text).digest("hex").slice(0, 12);
  return `/messages/${language}?v=${version}`;
}
