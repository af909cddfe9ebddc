import { decodeFrame } from "./frame.ts";
import { type OpenRunChanges, openRunChanges } from "./open-runs.ts";

export interface DecodedLines {
  /** Records as they were written, not yet checked. */
  readonly values: readonly unknown[];
  /** Lines that were torn by a death or damaged on disk. */
  readonly damaged: number;
  /** Bytes of each line that was too long to be read. */
  readonly tooLong: readonly number[];
}

/** What the spool must know of a batch before it lets it go. */
export interface BatchContents extends OpenRunChanges {
  readonly damaged: number;
}

const LINE_BREAK = 10;

/**
 * One segment's worth. Of empty objects, JSON takes some twenty times its text, and checking and storing it as much again, twice: a line
 * below this fits into the heap of the thread that writes the ledger. One that does not would end the process and not only the
 * thread, as V8 may find no room to end it in.
 */
export const LONGEST_LINE_BYTES = 1024 * 1024;

/** Leaves out what is no record, and what would be too large a one. */
export function decodeLines(lines: Uint8Array): DecodedLines {
  const decoder = new TextDecoder();
  const values: unknown[] = [];
  const tooLong: number[] = [];
  let damaged = 0;
  for (const line of linesOf(lines)) {
    if (line.length > LONGEST_LINE_BYTES) {
      tooLong.push(line.length);
      continue;
    }
    const value = decodeFrame(decoder.decode(line));
    if (value !== undefined) values.push(value);
    else damaged += 1;
  }
  return { values, damaged, tooLong };
}

/** The lines that are not empty, without their line breaks. */
function* linesOf(lines: Uint8Array): Generator<Uint8Array> {
  let start = 0;
  while (start < lines.length) {
    const found = lines.indexOf(LINE_BREAK, start);
    const end = found < 0 ? lines.length : found;
    if (end > start) yield lines.subarray(start, end);
    start = end + 1;
  }
}

/** `openRuns`: the ids of the runs that had begun before without an end. */
export function contentsOf(decoded: DecodedLines, openRuns: readonly string[]): BatchContents {
  return { ...openRunChanges(decoded.values, openRuns), damaged: decoded.damaged };
}
