import { closeSync, openSync, readSync } from "node:fs";
import type { Segment, SpoolPosition } from "./segments.ts";

export interface SegmentReader {
  /** Returns the next whole lines, about this many bytes, always of one segment; undefined when there are no more now. */
  read(aboutBytes: number): Uint8Array | undefined;
  position(): SpoolPosition;
  /** Continues at the start of a later segment: its current one was dropped. */
  skipTo(segment: number): void;
  /** Returns how many segments ended in the middle of a line. */
  torn(): number;
  close(): void;
}

const LINE_BREAK = 10;

/** Reads segments forwards, each line once. `segments` is the live list: it grows at its end and shrinks at its start. */
export function readSegments(segments: readonly Segment[], from: SpoolPosition): SegmentReader {
  let { segment, offset } = from;
  let file: number | undefined;
  let torn = 0;

  const close = () => {
    if (file !== undefined) closeSync(file);
    file = undefined;
  };
  const goTo = (id: number) => {
    close();
    segment = id;
    offset = 0;
  };
  const readBytes = (most: number): Uint8Array => {
    const found = segments.find((candidate) => candidate.id === segment);
    if (found === undefined) return NOTHING;
    file ??= openSync(found.file, "r");
    const bytes = new Uint8Array(Math.min(most, Math.max(0, found.bytes - offset)));
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, offset));
  };
  /** Reads the lines that fit; a line that is longer is read whole. */
  const readLines = (most: number): Uint8Array => {
    const bytes = readBytes(most);
    const end = bytes.lastIndexOf(LINE_BREAK) + 1;
    if (end === 0 && bytes.length === most) return readLines(most * 2);
    return bytes.subarray(0, end);
  };
  /** Returns false when there is no later segment. */
  const nextSegment = (): boolean => {
    const next = segments.find((candidate) => candidate.id > segment);
    if (next === undefined) return false;
    if (readBytes(1).length > 0) torn += 1;
    goTo(next.id);
    return true;
  };

  return {
    read(aboutBytes) {
      do {
        const lines = readLines(aboutBytes);
        offset += lines.length;
        if (lines.length > 0) return lines;
      } while (nextSegment());
      return undefined;
    },
    position: () => ({ segment, offset }),
    skipTo: goTo,
    torn: () => torn,
    close,
  };
}

const NOTHING = new Uint8Array(0);
