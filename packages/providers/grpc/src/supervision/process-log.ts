import type { Readable } from "node:stream";
import type { Clock } from "./clock.ts";
import { LineSplitter } from "./line-splitter.ts";
import { type LogLine, readLogLine } from "./log-line.ts";

/** The maximum number of lines passed on in each window; further lines are dropped, and one line reports how many. */
const LINES_A_WINDOW = 200;
const WINDOW_MS = 10_000;

export interface ProcessLogOptions {
  /** The executable's name, for the line about omissions. */
  readonly name: string;
  readonly clock: Clock;
  onLine(line: LogLine): void;
}

/** Passes the output of one process, from all of its streams, on to our log. */
export class ProcessLog {
  readonly #options: ProcessLogOptions;
  #lastLine = "";
  #crash: string | undefined;
  #passedOn = 0;
  #leftOut = 0;
  #endWindow: (() => void) | undefined;

  constructor(options: ProcessLogOptions) {
    this.#options = options;
  }

  /** Reads a stream to its end: a process whose output nobody reads would block. */
  follow(stream: Readable): void {
    const splitter = new LineSplitter((line) => this.#take(line));
    stream.on("data", (bytes: Buffer) => splitter.write(bytes));
    stream.on("end", () => splitter.end());
    // An early end shows in how the process ended.
    stream.on("error", () => undefined);
  }

  /** The line that best explains why the process ended, "" if it wrote none. */
  get lastWords(): string {
    return this.#crash ?? this.#lastLine;
  }

  /** Reports what was left out of the last window. */
  end(): void {
    this.#endWindow?.();
    this.#closeWindow();
  }

  #take(text: string): void {
    const line = readLogLine(text);
    this.#lastLine = line.message;
    if (line.isCrash) this.#crash = line.message;
    this.#endWindow ??= this.#options.clock.after(WINDOW_MS, () => this.#closeWindow());
    if (this.#passedOn < LINES_A_WINDOW) {
      this.#passedOn += 1;
      this.#options.onLine(line);
    } else {
      this.#leftOut += 1;
    }
  }

  #closeWindow(): void {
    const { name, onLine } = this.#options;
    const leftOut = this.#leftOut;
    this.#endWindow = undefined;
    this.#passedOn = 0;
    this.#leftOut = 0;
    if (leftOut === 0) return;
    const message = `${name} wrote ${leftOut} more lines within ${WINDOW_MS / 1_000} s, which were left out`;
    onLine({ level: "warn", message, fields: {}, isCrash: false });
  }
}
