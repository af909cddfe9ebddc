import { currentLanguage, t } from "./text.ts";

/** What others say in English, within a text in another language. In English it stands as Events and logs have it. */
export function quoted(text: string): string {
  return currentLanguage() === "en" || text === "" ? text : t`“${text}”`;
}
