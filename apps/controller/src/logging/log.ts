import { boundedText, visibleText } from "@cloudwright/core/model/values/bounded-text";
import { boundedFields, type Fields } from "./bounded-fields.ts";
import { toStandardError } from "./standard-error.ts";

export interface LogOptions {
  readonly format: "text" | "json";
  /** Upstream's `-v`: 0 for operators, 2 for details, 4 and more for each run. */
  readonly verbosity: number;
  /** Logs only warnings and errors, for a command whose output is its result. */
  readonly quiet?: boolean;
  /** Where lines go; stderr unless given. */
  readonly write?: (line: string, isUrgent: boolean) => void;
}

/** From the level that is always shown to the one shown last. */
const LEVELS = ["error", "warn", "info", "debug"] as const;
type Level = (typeof LEVELS)[number];
/** The last of the levels that are written immediately. */
const URGENT = LEVELS.indexOf("warn");

/** A log with constant messages and variables as fields; `log.error({ err }, …)` for errors (EXAMPLES.md section 8). */
export interface Log extends Readonly<Record<Level, (fields: object, message: string) => void>> {
  isLevelEnabled(level: Level): boolean;
}

/** A log whose level can be changed at runtime. */
export interface AdjustableLog extends Log {
  /** Sets `-v` from now on. */
  setVerbosity(verbosity: number): void;
}

/**
 * Writes warnings and errors immediately, and the rest after a moment, so that a killed process loses little. Every line has a
 * limited length, and invisible characters are escaped.
 */
export function createLog({
  format,
  verbosity,
  quiet = false,
  write = toStandardError,
}: LogOptions): AdjustableLog {
  let last = LEVELS.indexOf(levelOf(verbosity, quiet));
  const isLevelEnabled = (level: Level) => LEVELS.indexOf(level) <= last;
  const lineOf = format === "json" ? jsonLine : textLine;
  const logAt = (level: Level) => (fields: object, message: string) => {
    if (!isLevelEnabled(level)) return;
    const head = { level, time: new Date().toISOString(), msg: boundedText(message) };
    write(visibleText(lineOf(head, boundedFields(fields))), LEVELS.indexOf(level) <= URGENT);
  };
  return {
    error: logAt("error"),
    warn: logAt("warn"),
    info: logAt("info"),
    debug: logAt("debug"),
    isLevelEnabled,
    setVerbosity: (next) => {
      last = LEVELS.indexOf(levelOf(next, quiet));
    },
  };
}

function levelOf(verbosity: number, quiet: boolean): Level {
  if (verbosity >= 2) return "debug";
  return quiet ? "warn" : "info";
}

interface Head {
  readonly level: Level;
  readonly time: string;
  readonly msg: string;
}

function jsonLine({ level, time, msg }: Head, fields: Fields): string {
  return `${JSON.stringify({ level, time, ...fields, msg })}\n`;
}

/** Formats a line for reading: time, level, message, then `field=value`, followed by an error's stack. */
function textLine({ level, time, msg }: Head, { err, ...fields }: Fields): string {
  let line = `${time} ${level.toUpperCase().padEnd(5)} ${msg}`;
  for (const name in fields) {
    if (fields[name] !== undefined) line += ` ${name}=${shown(fields[name])}`;
  }
  return `${line}${err === undefined ? "" : errorPart(err)}\n`;
}

function shown(value: unknown): string {
  return typeof value === "string" && /^[\w./:@-]+$/.test(value) ? value : JSON.stringify(value);
}

function errorPart(error: unknown): string {
  if (typeof error !== "object" || error === null) return ` err=${shown(error)}`;
  const { message, stack } = error as { readonly message?: string; readonly stack?: string };
  return `${message === undefined ? "" : ` err=${JSON.stringify(message)}`}${stack === undefined ? "" : `\n${indented(stack)}`}`;
}

/** Indents a stack, which includes a message of several lines, so that none of them looks like a log line. */
function indented(stack: string): string {
  return stack.replaceAll(/\n(?! )/g, "\n    ");
}
