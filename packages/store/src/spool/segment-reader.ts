import { closeSync, openSync, readSync } from "node:fs";
import { decodeFrame, joinBytes } from "./frame.ts";
import type { Segment, SpoolPosition } from "./segments.ts";

export interface SegmentReader {
  /** Up to so many values after the ones read before; fewer when there are no more now. */
  read(most: number): readonly unknown[];
  position(): SpoolPosition;
  /** Goes on at the start of a later segment: the one that it was in is gone. */
  skipTo(segment: number): void;
  /** Lines that were torn or damaged. */
  damaged(): number;
  close(): void;
}

const CHUNK_BYTES = 256 * 1024;
const LINE_BREAK = 10;

/** Reads segments forwards, each line once. `segments` is the living list: it grows at its end and is cut at its start. */
export function readSegments(segments: readonly Segment[], from: SpoolPosition): SegmentReader {
  const decoder = new TextDecoder();
  const chunk = new Uint8Array(CHUNK_BYTES);
  let { segment, offset } = from;
  let file: number | undefined;
  let rest: Uint8Array = new Uint8Array(0);
  let damaged = 0;

  const close = () => {
    if (file !== undefined) closeSync(file);
    file = undefined;
    rest = new Uint8Array(0);
  };
  const goTo = (id: number) => {
    close();
    segment = id;
    offset = 0;
  };
  /** False when the segment has no more bytes for now. */
  const readMore = (): boolean => {
    const found = segments.find((candidate) => candidate.id === segment);
    if (found === undefined) return false;
    file ??= openSync(found.file, "r");
    const count = readSync(file, chunk, 0, CHUNK_BYTES, offset + rest.length);
    if (count > 0) rest = joinBytes([rest, chunk.subarray(0, count)]);
    return count > 0;
  };
  /** False when there is no later segment. */
  const nextSegment = (): boolean => {
    const next = segments.find((candidate) => candidate.id > segment);
    if (next === undefined) return false;
    if (rest.length > 0) damaged += 1;
    goTo(next.id);
    return true;
  };
  const takeLine = (values: unknown[], line: Uint8Array) => {
    const value = decodeFrame(decoder.decode(line));
    if (value !== undefined) values.push(value);
    else if (line.length > 0) damaged += 1;
  };
  const takeLines = (values: unknown[], most: number) => {
    let start = 0;
    while (values.length < most) {
      const end = rest.indexOf(LINE_BREAK, start);
      if (end < 0) break;
      takeLine(values, rest.subarray(start, end));
      start = end + 1;
    }
    offset += start;
    rest = rest.subarray(start);
  };

  return {
    read(most) {
      const values: unknown[] = [];
      takeLines(values, most);
      while (values.length < most && (readMore() || nextSegment())) takeLines(values, most);
      return values;
    },
    position: () => ({ segment, offset }),
    skipTo: goTo,
    damaged: () => damaged,
    close,
  };
}
