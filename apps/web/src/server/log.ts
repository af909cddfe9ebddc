import { boundedText, visibleText } from "@cloudwright/core/model/values/bounded-text";

type Fields = Readonly<Record<string, string | number | boolean | undefined>>;

/** Writes one line of JSON per message to standard error: a constant message, its variables as fields, no secrets. */
export const log = {
  info: (message: string, fields: Fields = {}) => write("info", message, fields),
  warn: (message: string, fields: Fields = {}) => write("warn", message, fields),
  error: (message: string, fields: Fields = {}) => write("error", message, fields),
} as const;

function write(level: string, message: string, fields: Fields): void {
  const line = { level, time: new Date().toISOString(), service: "web", message, ...fields };
  const text = JSON.stringify(line, (_name, value: unknown) =>
    typeof value === "string" ? boundedText(value) : value,
  );
  process.stderr.write(`${visibleText(text)}\n`);
}
