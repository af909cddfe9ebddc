import { readFileSync, rmSync } from "node:fs";
import type { Clock } from "@cloudwright/core/model/time";
import { messageOf } from "@cloudwright/core/model/values/message-of";
import { type GapLog, type Loss, openGapLog } from "./gap-log.ts";
import { lossesFrom, type SegmentLosses, timesOf } from "./segment-losses.ts";
import type { SegmentReader } from "./segment-reader.ts";
import type { SegmentWriter } from "./segment-writer.ts";
import type { Segment } from "./segments.ts";
import { stripSegment } from "./strip.ts";

export interface SpoolRoomInput {
  readonly folder: string;
  readonly segments: Segment[];
  readonly writer: SegmentWriter;
  readonly reader: SegmentReader;
  readonly maxBytes: number;
  readonly clock: Clock;
}

export interface Losses {
  readonly droppedRecords: number;
  readonly droppedSegments: number;
  readonly droppedCalls: number;
  readonly lastError: string | undefined;
}

/** Keeps the spool within its limit and working when the disk is full: drops details first, then the oldest records. */
export interface SpoolRoom {
  /** Reports whether this many more bytes fit into the limit. */
  fits(bytes: number): boolean;
  /** Drops the least valuable bytes; returns false when only the newest segment is left. */
  freeSome(): boolean;
  /** Does what the disk may refuse; returns false if it did. */
  attempt(write: () => void): boolean;
  lostRecord(): void;
  /** Calls that a run was stored without. */
  lostCalls(calls: number): void;
  losses(): Losses;
  readonly gaps: GapLog;
}

export function makeRoom(room: SpoolRoom, bytes: number): void {
  while (!room.fits(bytes)) {
    if (!room.freeSome()) return;
  }
}

export function spoolRoom(input: SpoolRoomInput): SpoolRoom {
  const { segments, writer, reader, clock } = input;
  let droppedRecords = 0;
  let droppedSegments = 0;
  let droppedCalls = 0;
  let lastError: string | undefined;

  const attempt = (write: () => void): boolean => {
    try {
      write();
      return true;
    } catch (error) {
      lastError = messageOf(error);
      return false;
    }
  };
  const gaps = openGapLog(input.folder, attempt);
  const lost = (loss: Loss) => {
    droppedRecords += loss.records;
    droppedCalls += loss.calls;
    gaps.add(loss, clock.now());
  };
  const noteSegment = ({ own, reported }: SegmentLosses) => {
    lost(own);
    for (const gap of reported) gaps.add(gap, clock.now());
  };
  const stripOldest = (): boolean => {
    const reading = reader.position().segment;
    const oldest = segments.find(
      (segment) => !segment.stripped && segment.id > reading && segment.id !== writer.current()?.id,
    );
    if (oldest === undefined) return false;
    return attempt(() => {
      const calls = stripSegment(oldest);
      if (calls === 0) return;
      lost({ ...timesOf(readFileSync(oldest.file), clock.now()), records: 0, calls });
    });
  };
  const dropOldest = (): boolean => {
    const [oldest, following] = segments;
    if (oldest === undefined || oldest.id === writer.current()?.id) return false;
    const loss = undrained(oldest, reader, clock.now());
    if (reader.position().segment <= oldest.id) reader.skipTo(following?.id ?? oldest.id + 1);
    rmSync(oldest.file, { force: true });
    segments.shift();
    droppedSegments += 1;
    // Only now is there disk space to note the loss.
    if (loss !== undefined) noteSegment(loss);
    return true;
  };

  return {
    fits: (bytes) =>
      segments.reduce((sum, segment) => sum + segment.bytes, 0) + bytes <= input.maxBytes,
    freeSome: () => stripOldest() || dropOldest(),
    attempt,
    lostRecord: () => lost({ from: clock.now(), to: clock.now(), records: 1, calls: 0 }),
    lostCalls: (calls) => lost({ from: clock.now(), to: clock.now(), records: 0, calls }),
    losses: () => ({ droppedRecords, droppedSegments, droppedCalls, lastError }),
    gaps,
  };
}

/** Returns the part of a segment that the reader has not read. */
function undrained(
  segment: Segment,
  reader: SegmentReader,
  nowMs: number,
): SegmentLosses | undefined {
  const { segment: reading, offset } = reader.position();
  if (reading > segment.id) return undefined;
  return lossesFrom(segment, reading === segment.id ? offset : 0, nowMs);
}
