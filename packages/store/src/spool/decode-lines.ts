import { decodeFrame } from "./frame.ts";
import { type OpenRunChanges, openRunChanges } from "./open-runs.ts";

export interface DecodedLines {
  /** Records as they were written, not yet checked. */
  readonly values: readonly unknown[];
  /** Lines that were torn by a death or damaged on disk. */
  readonly damaged: number;
}

/** What the spool must know of a batch before it lets it go. */
export interface BatchContents extends OpenRunChanges {
  readonly damaged: number;
}

const LINE_BREAK = 10;

export function decodeLines(lines: Uint8Array): DecodedLines {
  const decoder = new TextDecoder();
  const values: unknown[] = [];
  let damaged = 0;
  let start = 0;
  while (start < lines.length) {
    const found = lines.indexOf(LINE_BREAK, start);
    const end = found < 0 ? lines.length : found;
    const value =
      end === start ? undefined : decodeFrame(decoder.decode(lines.subarray(start, end)));
    if (value !== undefined) values.push(value);
    else if (end > start) damaged += 1;
    start = end + 1;
  }
  return { values, damaged };
}

/** `openRuns`: the ids of the runs that had begun before without an end. */
export function contentsOf(decoded: DecodedLines, openRuns: readonly string[]): BatchContents {
  return { ...openRunChanges(decoded.values, openRuns), damaged: decoded.damaged };
}
