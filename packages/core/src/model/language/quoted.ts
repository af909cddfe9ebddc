import { currentLanguage, t } from "./text.ts";

/** Quotes foreign English text within a text in another language. In English it stays as in Events and logs. */
export function quoted(text: string): string {
  return currentLanguage() === "en" || text === "" ? text : t`“${text}”`;
}
