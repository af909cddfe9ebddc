import { visibleText } from "@cloudwright/core/model/values/bounded-text";

/** What separates the lines of a CSV file (RFC 4180). */
export const CSV_LINE_END = "\r\n";

export type CsvValue = string | number | boolean | null | undefined;

/** Fields of one line, without its end. */
export function csvLine(values: readonly CsvValue[]): string {
  return values.map(csvField).join(",");
}

/**
 * Quoted by RFC 4180; a leading sign of a formula is disarmed, and characters that are not seen stand as their escapes, as
 * this is opened in spreadsheets.
 */
function csvField(value: CsvValue): string {
  if (value === undefined || value === null) return "";
  if (typeof value !== "string") return String(value);
  const shown = visibleText(value);
  const text = /^[=+\-@\t\r\n＝＋－＠]/.test(shown) ? `'${shown}` : shown;
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
