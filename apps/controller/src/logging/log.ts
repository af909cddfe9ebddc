import { boundedText, visibleText } from "@cloudwright/core/model/values/bounded-text";
import pino, { type LogFn, type Logger } from "pino";
import { boundedFields } from "./bounded-fields.ts";

export interface LogOptions {
  readonly format: "text" | "json";
  /** Upstream's `-v`: 0 what an operator reads, 2 detail, 4 and more each run. */
  readonly verbosity: number;
  /** Keeps to what is wrong, for a command whose output is its answer. */
  readonly quiet?: boolean;
  /** Where lines go; stderr unless given. */
  readonly write?: (line: string) => void;
}

/** Constant message, variables as fields; `log.error({ err }, …)` for errors (EXAMPLES.md section 8). */
export type Log = Pick<Logger, "error" | "warn" | "info" | "debug" | "isLevelEnabled">;

/** A log whose level can be changed while it is written. */
export interface AdjustableLog extends Log {
  /** `-v` from now on. */
  setVerbosity(verbosity: number): void;
}

/**
 * Writes each line at once: a process that dies leaves nothing behind in a buffer. Whatever a line is about, its length is
 * bounded, and characters that are not seen stand in it as their escapes.
 */
export function createLog({
  format,
  verbosity,
  quiet = false,
  write = toStderr,
}: LogOptions): AdjustableLog {
  const stream = {
    write: (line: string) => write(visibleText(format === "json" ? line : textLine(line))),
  };
  const logger = pino(
    {
      level: levelOf(verbosity, quiet),
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: boundedFields },
      hooks: { logMethod: logBounded },
    },
    stream,
  );
  return Object.assign(logger, {
    setVerbosity: (next: number) => {
      logger.level = levelOf(next, quiet);
    },
  });
}

function logBounded(this: Logger, inputs: Parameters<LogFn>, method: LogFn): void {
  const bounded = inputs.map((input: unknown) =>
    typeof input === "string" ? boundedText(input) : input,
  );
  method.apply(this, bounded as Parameters<LogFn>);
}

function levelOf(verbosity: number, quiet: boolean): string {
  if (verbosity >= 2) return "debug";
  return quiet ? "warn" : "info";
}

function toStderr(line: string): void {
  process.stderr.write(line);
}

const RESERVED: ReadonlySet<string> = new Set(["time", "level", "msg", "err"]);

/** One JSON line of the log as a user reads it: time, level, message, then `field=value`. An error's stack follows. */
function textLine(json: string): string {
  const entry = JSON.parse(json) as Readonly<Record<string, unknown>>;
  const fields = Object.entries(entry)
    .filter(([name]) => !RESERVED.has(name))
    .map(([name, value]) => ` ${name}=${shown(value)}`);
  const level = String(entry.level).toUpperCase().padEnd(5);
  const head = `${String(entry.time)} ${level} ${String(entry.msg ?? "")}`;
  return `${head}${fields.join("")}${errorPart(entry.err)}\n`;
}

function shown(value: unknown): string {
  if (typeof value === "string") return /^[\w./:@-]+$/.test(value) ? value : JSON.stringify(value);
  return JSON.stringify(value);
}

function errorPart(error: unknown): string {
  if (typeof error !== "object" || error === null) return "";
  const { message, stack } = error as { readonly message?: string; readonly stack?: string };
  return `${message === undefined ? "" : ` err=${JSON.stringify(message)}`}${stack === undefined ? "" : `\n${indented(stack)}`}`;
}

/** A message of several lines stands in its stack: none of them may look like a line of the log. */
function indented(stack: string): string {
  return stack.replaceAll(/\n(?! )/g, "\n    ");
}
