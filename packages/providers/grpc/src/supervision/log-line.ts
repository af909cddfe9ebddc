import { z } from "zod";

export type LogLevel = "error" | "warn" | "info" | "debug";

/** One line written by a provider process, parsed for our log. */
export interface LogLine {
  readonly level: LogLevel;
  readonly message: string;
  /** The other fields of a JSON line, if they are plain values. */
  readonly fields: Readonly<Record<string, string | number | boolean>>;
  /** Whether it says why a program crashed, while the lines after it only contain the stack. */
  readonly isCrash: boolean;
}

/** Parses a line in any format of the contract: JSON, klog's, or plain text, which gets level info. */
export function readLogLine(text: string): LogLine {
  return jsonLine(text) ?? klogLine(text) ?? plainLine(text);
}

const entry = z.record(z.string(), z.unknown());

function jsonLine(text: string): LogLine | undefined {
  if (!text.startsWith("{")) return undefined;
  const parsed = entry.safeParse(parsedJson(text));
  if (!parsed.success) return undefined;
  const { level, severity, msg, message, ts: _, time: __, timestamp: ___, ...rest } = parsed.data;
  const said = msg ?? message;
  if (typeof said !== "string") return undefined;
  return {
    level: levelOf(level ?? severity, rest),
    message: said,
    fields: plainValues(rest),
    isCrash: false,
  };
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const LEVELS: ReadonlyMap<string, LogLevel> = new Map<string, LogLevel>([
  ["trace", "debug"],
  ["debug", "debug"],
  ["warn", "warn"],
  ["warning", "warn"],
  ["error", "error"],
  ["critical", "error"],
  ["panic", "error"],
  ["fatal", "error"],
]);

/** Reads the level from a name, from a number as in pino and bunyan, or from the fields that klog's JSON has instead. */
function levelOf(level: unknown, rest: Readonly<Record<string, unknown>>): LogLevel {
  if (typeof level === "string") return LEVELS.get(level.toLowerCase()) ?? "info";
  if (typeof level === "number") return levelOfNumber(level);
  if (rest.err !== undefined) return "error";
  return typeof rest.v === "number" && rest.v >= DETAIL ? "debug" : "info";
}

/** The klog verbosity from which on a line is debug output, as in our own log. */
const DETAIL = 2;

function levelOfNumber(level: number): LogLevel {
  if (level >= 50) return "error";
  if (level >= 40) return "warn";
  return level >= 30 ? "info" : "debug";
}

const plain = z.union([z.string(), z.number(), z.boolean()]);

function plainValues(rest: Readonly<Record<string, unknown>>): LogLine["fields"] {
  return Object.fromEntries(
    Object.entries(rest).flatMap(([name, value]) => {
      const parsed = plain.safeParse(value);
      return parsed.success ? [[name, parsed.data]] : [];
    }),
  );
}

/** `E0123 12:34:56.789012    1234 file.go:12] message` */
const KLOG = /^([IWEF])\d{4} \d{2}:\d{2}:\d{2}\.\d+\s+\d+ [^\]\s]+\] ?(.*)$/;
const KLOG_LEVELS: ReadonlyMap<string, LogLevel> = new Map<string, LogLevel>([
  ["I", "info"],
  ["W", "warn"],
  ["E", "error"],
  ["F", "error"],
]);

function klogLine(text: string): LogLine | undefined {
  const [, letter = "", message = ""] = KLOG.exec(text) ?? [];
  const level = KLOG_LEVELS.get(letter);
  if (level === undefined) return undefined;
  return { level, message, fields: {}, isCrash: letter === "F" };
}

/** How the runtimes of Go, JavaScript, Python, Java and Rust begin the message of a crash. */
const CRASH =
  /^(panic:|fatal error:|(Uncaught )?([A-Z]\w*)?(Error|Exception)\b|Exception in thread|thread '.*' panicked)/;

function plainLine(text: string): LogLine {
  const isCrash = CRASH.test(text);
  return { level: isCrash ? "error" : "info", message: text, fields: {}, isCrash };
}
