import { decodeFrame } from "./frame.ts";
import { type OpenRunChanges, openRunChanges } from "./open-runs.ts";

export interface DecodedLines {
  /** Records as they were written, not yet checked. */
  readonly values: readonly unknown[];
  /** Lines that were torn by a crash or damaged on disk. */
  readonly damaged: number;
  /** The size of each line that was too long to read. */
  readonly tooLong: readonly number[];
}

/** What the spool must know of a batch before it deletes it. */
export interface BatchContents extends OpenRunChanges {
  readonly damaged: number;
}

const LINE_BREAK = 10;

/**
 * The size of a segment. For empty objects, parsed JSON takes some twenty times its text, and checking and storing it as much again, twice:
 * a shorter line fits into the heap of the writer thread. A longer one would end the whole process and not only the thread, as V8 may find
 * no memory to end the thread.
 */
export const LONGEST_LINE_BYTES = 1024 * 1024;

/** Decodes lines, leaving out invalid and too long ones. */
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

/** Yields the non-empty lines, without their line breaks. */
function* linesOf(lines: Uint8Array): Generator<Uint8Array> {
  let start = 0;
  while (start < lines.length) {
    const found = lines.indexOf(LINE_BREAK, start);
    const end = found < 0 ? lines.length : found;
    if (end > start) yield lines.subarray(start, end);
    start = end + 1;
  }
}

/** `openRuns`: the ids of the runs that were open before. */
export function contentsOf(decoded: DecodedLines, openRuns: readonly string[]): BatchContents {
  return { ...openRunChanges(decoded.values, openRuns), damaged: decoded.damaged };
}
