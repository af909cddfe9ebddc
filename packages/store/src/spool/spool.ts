import { mkdirSync, rmSync } from "node:fs";
import type { LedgerRecord } from "@cloudwright/core/model/records/record";
import type { Clock } from "@cloudwright/core/model/time";
import { type BoundedFrame, boundedFrame } from "./bounded-frame.ts";
import type { BatchContents } from "./decode-lines.ts";
import { lockDirectory } from "./directory-lock.ts";
import { bytesOf } from "./frame.ts";
import type { GapLog } from "./gap-log.ts";
import { interruptedEnd, trackLostEnds } from "./open-runs.ts";
import { recoverRuns } from "./recover.ts";
import { makeRoom, type SpoolRoom, spoolRoom } from "./room.ts";
import { readSegments, type SegmentReader } from "./segment-reader.ts";
import { type SegmentWriter, writeSegments } from "./segment-writer.ts";
import {
  compare,
  listSegments,
  readPosition,
  type Segment,
  type SpoolPosition,
  writePosition,
} from "./segments.ts";

export interface SpoolOptions {
  /** A folder of its own; created if missing. */
  readonly dir: string;
  /** Most bytes on disk; at the limit the oldest call details are dropped first, then the oldest segments. */
  readonly maxBytes: number;
  readonly clock: Clock;
  /** Most bytes of a segment, and so of one record; 1 MiB by default, less if `maxBytes` is small. */
  readonly segmentBytes?: number;
  /** The owner of these records. With an owner, losses become a record of their own; without, they are only counted. */
  readonly owner?: SpoolOwner;
}

export interface SpoolOwner {
  readonly cluster: string;
  readonly instance: string;
}

export interface SpoolBatch {
  /** Records as they were written, a line each (`decodeLines`). Never empty. */
  readonly lines: Uint8Array;
  readonly end: SpoolPosition;
}

export interface SpoolStats {
  /** Bytes that the database does not have yet. */
  readonly bytes: number;
  /** The limit on these bytes. */
  readonly maxBytes: number;
  /**
   * Records lost for lack of space: never written, because of the disk or because one alone was larger than a segment, or in segments that
   * were dropped undrained.
   */
  readonly droppedRecords: number;
  readonly droppedSegments: number;
  /** Calls dropped from runs that are otherwise kept. */
  readonly droppedCalls: number;
  /** Lines that were torn by a crash or damaged on disk. */
  readonly damagedLines: number;
  /** Why the disk last refused, if it ever did. */
  readonly lastError: string | undefined;
}

/**
 * A write-ahead log in a folder: appended records survive the death of this process at any moment, though not of the machine (nothing is
 * synced). One reader drains it in order.
 */
export interface Spool {
  /** Appends all records in one write; never waits, never throws. */
  append(...records: readonly LedgerRecord[]): void;
  /** Returns the next records, about this many bytes, or undefined when all were read. Each is returned once in this process. */
  read(aboutBytes: number): SpoolBatch | undefined;
  /** Returns the runs that were open before the next batch to commit. */
  openRuns(): readonly string[];
  /** Marks everything up to the batch's end as stored: a later process continues from there. */
  commit(batch: SpoolBatch, contents: BatchContents): void;
  /** Sets the listener that is called after each append; there is one at a time. Undefined removes it. */
  onAppend(listener: (() => void) | undefined): void;
  stats(): SpoolStats;
  /** Releases the folder. Undrained records stay for the next process; later appends are lost and counted. */
  close(): void;
}

/** Small, because a full spool rewrites or drops a whole segment while everything else waits. */
const SEGMENT_BYTES = 1024 * 1024;

/**
 * Opens the spool of a folder, and ends as *interrupted* each run that a dead predecessor left open. Throws DirectoryInUseError while
 * another process has the folder, and the disk's error when it cannot be used.
 */
export function openSpool(options: SpoolOptions): Spool {
  mkdirSync(options.dir, { recursive: true, mode: 0o700 });
  const unlock = lockDirectory(options.dir);
  try {
    return useFolder(options, unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

function useFolder(options: SpoolOptions, unlock: () => void): Spool {
  const { dir, clock, owner } = options;
  const parts = openParts(options);
  const { segments, writer, reader, recovered, room, drained } = parts;
  let committed = drained.position;
  let damaged = 0;
  let late = 0;
  let closed = false;
  let listener: (() => void) | undefined;
  const lostEnds = trackLostEnds();

  /** Returns how many of them are in the spool now. */
  const write = (records: readonly LedgerRecord[]): number => {
    const written = appendFrames(parts, records, committed);
    for (const { droppedCalls } of written) if (droppedCalls > 0) room.lostCalls(droppedCalls);
    if (written.length > 0) listener?.();
    return written.length;
  };
  const append = (...records: readonly LedgerRecord[]) => {
    for (const record of records) lostEnds.note(record);
    // The folder may already be a successor's.
    if (closed) late += records.length;
    else for (let lost = records.length - write(records); lost > 0; lost--) room.lostRecord();
  };

  /** Only when all is drained: until then an end may be on its way. */
  const endTheLost = () => {
    if (room.losses().droppedRecords === 0 || bytesAfter(segments, committed) > 0) return;
    const lost = lostEnds.among(recovered.openRuns.all());
    for (const start of lost) append(interruptedEnd(start, clock.now()));
  };

  for (const end of recovered.ends) append(end);
  return {
    append,
    read(aboutBytes) {
      const lines = closed ? undefined : reader.read(aboutBytes);
      return lines === undefined ? undefined : { lines, end: reader.position() };
    },
    openRuns: () => recovered.openRuns.ids(),
    commit(batch, contents) {
      if (closed) return;
      recovered.openRuns.apply(contents);
      damaged += contents.damaged;
      if (compare(batch.end, committed) > 0) committed = batch.end;
      removeBefore(segments, committed);
      const position = { position: committed, openRuns: recovered.openRuns.all() };
      room.attempt(() => writePosition(dir, position));
      if (owner !== undefined) recordGap({ ...owner, gaps: room.gaps, nowMs: clock.now(), write });
      if (room.losses().lastError !== undefined) giveBack(parts, committed);
      endTheLost();
    },
    onAppend(next) {
      listener = next;
    },
    stats() {
      const losses = room.losses();
      return {
        ...losses,
        droppedRecords: losses.droppedRecords + late,
        bytes: bytesAfter(segments, committed),
        maxBytes: options.maxBytes,
        damagedLines: damaged + reader.torn(),
      };
    },
    close() {
      if (closed) return;
      closed = true;
      listener = undefined;
      room.gaps.keep();
      reader.close();
      writer.close();
      unlock();
    },
  };
}

interface GapRecord extends SpoolOwner {
  readonly gaps: GapLog;
  readonly nowMs: number;
  readonly write: (records: readonly LedgerRecord[]) => number;
}

/** Reports losses to the ledger once it accepts records again. */
function recordGap({ cluster, instance, gaps, nowMs, write }: GapRecord): void {
  const due = gaps.due(nowMs);
  if (due === undefined) gaps.keep();
  else if (write([{ type: "gap", cluster, instance, ...due }]) > 0) gaps.reported();
}

function openParts({ dir, maxBytes, clock, ...options }: SpoolOptions) {
  const drained = readPosition(dir);
  const segments = listSegments(dir);
  const firstId = Math.max(drained.position.segment, segments.at(-1)?.id ?? 0) + 1;
  const segmentBytes = options.segmentBytes ?? Math.min(SEGMENT_BYTES, Math.ceil(maxBytes / 8));
  const writer = writeSegments({ folder: dir, segments, segmentBytes, firstId });
  const reader = readSegments(segments, drained.position);
  const recovered = recoverRuns({ segments, drained, nowMs: clock.now() });
  const room = spoolRoom({ folder: dir, segments, writer, reader, maxBytes, clock });
  return { drained, segments, writer, reader, recovered, room, segmentBytes };
}

interface LineParts {
  readonly segments: Segment[];
  readonly writer: SegmentWriter;
  readonly reader: SegmentReader;
  readonly room: SpoolRoom;
  readonly segmentBytes: number;
}

/** Returns the records that were written: all in one write, or one by one if they do not fit together. */
function appendFrames(
  parts: LineParts,
  records: readonly LedgerRecord[],
  committed: SpoolPosition,
): readonly BoundedFrame[] {
  const frames = records.flatMap((record) => boundedFrame(record, parts.segmentBytes) ?? []);
  const lines = frames.map(({ line }) => line);
  const fit = lines.length > 1 && bytesOf(lines) <= parts.segmentBytes;
  if (fit && appendLines(parts, lines, committed)) return frames;
  return frames.filter(({ line }) => appendLines(parts, [line], committed));
}

/** Returns false when the disk has no room for them even after everything possible was dropped. */
function appendLines(
  parts: LineParts,
  lines: readonly Uint8Array[],
  committed: SpoolPosition,
): boolean {
  const { writer, room } = parts;
  const append = () => writer.write(lines);
  makeRoom(room, bytesOf(lines));
  const free = () => room.freeSome() || dropDrained(parts, committed);
  return room.attempt(append) || (free() && room.attempt(append));
}

/** After the disk was full, a segment ends with each batch, so that drained records free space without waiting for a whole segment. */
function giveBack(parts: LineParts, committed: SpoolPosition): void {
  parts.writer.leave();
  dropDrained(parts, committed);
}

/** Even the newest segment may be deleted once the database has all of it. */
function dropDrained({ segments, writer, reader }: LineParts, committed: SpoolPosition): boolean {
  const newest = segments.at(-1);
  if (newest === undefined || bytesAfter(segments, committed) > 0) return false;
  writer.leave();
  reader.skipTo(newest.id + 1);
  removeBefore(segments, { segment: newest.id + 1, offset: 0 });
  return true;
}

function removeBefore(segments: Segment[], committed: SpoolPosition): void {
  while (segments[0] !== undefined && segments[0].id < committed.segment) {
    rmSync(segments[0].file, { force: true });
    segments.shift();
  }
}

function bytesAfter(segments: readonly Segment[], committed: SpoolPosition): number {
  const all = segments.reduce((sum, segment) => sum + segment.bytes, 0);
  return all - (segments[0]?.id === committed.segment ? committed.offset : 0);
}
