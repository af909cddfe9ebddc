import { currentLanguage } from "@cloudwright/core/model/language/text";

/** Returns the `lang` of English text, so that screen readers and translators know that it differs from the page's; undefined if not. */
export function english(): "en" | undefined {
  return currentLanguage() === "en" ? undefined : "en";
}
