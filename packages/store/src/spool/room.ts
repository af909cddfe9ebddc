import { readFileSync, rmSync } from "node:fs";
import type { SegmentReader } from "./segment-reader.ts";
import type { SegmentWriter } from "./segment-writer.ts";
import type { Segment } from "./segments.ts";
import { stripSegment } from "./strip.ts";

export interface SpoolRoomInput {
  readonly segments: Segment[];
  readonly writer: SegmentWriter;
  readonly reader: SegmentReader;
  readonly maxBytes: number;
}

export interface Losses {
  readonly droppedRecords: number;
  readonly droppedSegments: number;
  readonly droppedCalls: number;
  readonly lastError: string | undefined;
}

/** Keeps the spool within its limit and goes on when the disk is full: details go first, then what is oldest. */
export interface SpoolRoom {
  /** Whether so many more bytes fit into the limit. */
  fits(bytes: number): boolean;
  /** Gives the least valuable bytes up; false when there are none but the newest segment's. */
  freeSome(): boolean;
  /** Does what the disk may refuse; false if it did. */
  attempt(write: () => void): boolean;
  lostRecord(): void;
  losses(): Losses;
}

export function makeRoom(room: SpoolRoom, bytes: number): void {
  while (!room.fits(bytes)) {
    if (!room.freeSome()) return;
  }
}

export function spoolRoom(input: SpoolRoomInput): SpoolRoom {
  const { segments, writer, reader } = input;
  let droppedRecords = 0;
  let droppedSegments = 0;
  let droppedCalls = 0;
  let lastError: string | undefined;

  const attempt = (write: () => void): boolean => {
    try {
      write();
      return true;
    } catch (error) {
      lastError = error instanceof Error ? error.message : String(error);
      return false;
    }
  };
  const stripOldest = (): boolean => {
    const reading = reader.position().segment;
    const oldest = segments.find(
      (segment) => !segment.stripped && segment.id > reading && segment.id !== writer.current()?.id,
    );
    if (oldest === undefined) return false;
    return attempt(() => {
      droppedCalls += stripSegment(oldest);
    });
  };
  const dropOldest = (): boolean => {
    const [oldest, following] = segments;
    if (oldest === undefined || oldest.id === writer.current()?.id) return false;
    droppedRecords += linesFrom(oldest, reader);
    if (reader.position().segment <= oldest.id) reader.skipTo(following?.id ?? oldest.id + 1);
    rmSync(oldest.file, { force: true });
    segments.shift();
    droppedSegments += 1;
    return true;
  };

  return {
    fits: (bytes) =>
      segments.reduce((sum, segment) => sum + segment.bytes, 0) + bytes <= input.maxBytes,
    freeSome: () => stripOldest() || dropOldest(),
    attempt,
    lostRecord: () => {
      droppedRecords += 1;
    },
    losses: () => ({ droppedRecords, droppedSegments, droppedCalls, lastError }),
  };
}

/** How many lines of a segment the reader has not read. */
function linesFrom(segment: Segment, reader: SegmentReader): number {
  const { segment: reading, offset } = reader.position();
  if (reading > segment.id) return 0;
  const bytes = readFileSync(segment.file).subarray(reading === segment.id ? offset : 0);
  let lines = 0;
  for (const byte of bytes) if (byte === 10) lines += 1;
  return lines;
}
