import { visibleText } from "@cloudwright/core/model/values/bounded-text";

/** The line separator of CSV (RFC 4180). */
export const CSV_LINE_END = "\r\n";

export type CsvValue = string | number | boolean | null | undefined;

/** Returns one line without its end. */
export function csvLine(values: readonly CsvValue[]): string {
  return values.map(csvField).join(",");
}

/**
 * Quotes a field by RFC 4180; disarms a leading formula sign, and escapes invisible characters, as these files are opened in spreadsheets.
 */
function csvField(value: CsvValue): string {
  if (value === undefined || value === null) return "";
  if (typeof value !== "string") return String(value);
  const shown = visibleText(value);
  const text = /^[=+\-@\t\r\n＝＋－＠]/.test(shown) ? `'${shown}` : shown;
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
