import { Writable } from "node:stream";
import pino, { type Logger } from "pino";
import { textLine } from "./text-line.ts";

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

/** Writes each line at once: a process that dies leaves nothing behind in a buffer. */
export function createLog({
  format,
  verbosity,
  quiet = false,
  write = toStderr,
}: LogOptions): AdjustableLog {
  const stream = new Writable({
    decodeStrings: false,
    write: (chunk: string, _encoding, done) => {
      write(format === "json" ? chunk : textLine(chunk));
      done();
    },
  });
  const logger = pino(
    {
      level: levelOf(verbosity, quiet),
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: ["*.token", "*.authorization", "token", "authorization"], censor: "…" },
    },
    stream,
  );
  return Object.assign(logger, {
    setVerbosity: (next: number) => {
      logger.level = levelOf(next, quiet);
    },
  });
}

function levelOf(verbosity: number, quiet: boolean): string {
  if (verbosity >= 2) return "debug";
  return quiet ? "warn" : "info";
}

function toStderr(line: string): void {
  process.stderr.write(line);
}
