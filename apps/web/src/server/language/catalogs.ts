import { createHash } from "node:crypto";
import type { Language } from "@cloudwright/core/model/language/languages";
import { byKey } from "@cloudwright/core/model/language/message-key";
import type { Catalog } from "@cloudwright/core/model/language/text";
import fr from "../../../messages/fr.json" with { type: "json" };
import ja from "../../../messages/ja.json" with { type: "json" };
import zh from "../../../messages/zh.json" with { type: "json" };

/** English is what the code says. Each of the others must have every message of the first one: the compiler sees to it. */
const TRANSLATIONS: Readonly<Record<Exclude<Language, "en">, Record<keyof typeof fr, string>>> = {
  fr,
  zh,
  ja,
};

const CATALOGS = { fr: catalog("fr"), zh: catalog("zh"), ja: catalog("ja") };

export function catalogOf(language: Language): Catalog | undefined {
  return language === "en" ? undefined : CATALOGS[language].byKey;
}

/** Other translations have another version, so that browsers may keep what they have loaded for good. */
export function versionOf(language: Exclude<Language, "en">): string {
  return CATALOGS[language].version;
}

function catalog(language: Exclude<Language, "en">) {
  const translations = TRANSLATIONS[language];
  const text = JSON.stringify(translations);
  const version = createHash("sha256").update(text).digest("hex").slice(0, 12);
  return { byKey: byKey(translations), version };
}
