import type { Language } from "@cloudwright/core/model/language/languages";
import type { Catalog } from "@cloudwright/core/model/language/text";
import fr from "../../../messages/fr.json" with { type: "json" };
import ja from "../../../messages/ja.json" with { type: "json" };
import zh from "../../../messages/zh.json" with { type: "json" };

/** English is in the code. The compiler ensures that each of the other catalogs has every message of the first. */
const CATALOGS: Readonly<Record<Exclude<Language, "en">, Record<keyof typeof fr, string>>> = {
  fr,
  zh,
  ja,
};

export function catalogOf(language: Language): Catalog | undefined {
  return language === "en" ? undefined : CATALOGS[language];
}
