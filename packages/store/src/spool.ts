import { mkdirSync, rmSync } from "node:fs";
import type { LedgerRecord } from "@cloudwright/core/model/record";
import type { Clock } from "@cloudwright/core/model/time";
import type { Recorder } from "@cloudwright/core/reconcile/ports";
import { lockDirectory } from "./spool/directory-lock.ts";
import { encodeFrame } from "./spool/frame.ts";
import { readPosition, writePosition } from "./spool/position-file.ts";
import { recoverRuns } from "./spool/recover.ts";
import { makeRoom, spoolRoom } from "./spool/room.ts";
import { readSegments } from "./spool/segment-reader.ts";
import { writeSegments } from "./spool/segment-writer.ts";
import { compare, listSegments, type SpoolPosition } from "./spool/segments.ts";

export interface SpoolOptions {
  /** A folder of its own; made when absent. */
  readonly dir: string;
  /** Most bytes on disk; at the limit the oldest call details go first, then the oldest segments. */
  readonly maxBytes: number;
  readonly clock: Clock;
  /** Size at which another segment is begun; 8 MiB by default, less where `maxBytes` is small. */
  readonly segmentBytes?: number;
}

export interface SpoolBatch {
  /** Records as they were read, not yet checked. Never empty. */
  readonly values: readonly unknown[];
  readonly end: SpoolPosition;
}

export interface SpoolStats {
  /** Bytes that the database has not got yet. */
  readonly bytes: number;
  /** Records that were lost for want of space: not written at all, or in segments that were dropped undrained. */
  readonly droppedRecords: number;
  readonly droppedSegments: number;
  /** Calls dropped from runs that are otherwise kept. */
  readonly droppedCalls: number;
  /** Lines that were torn by a death or damaged on disk. */
  readonly damagedLines: number;
  /** Why the disk last refused, if it ever did. */
  readonly lastError: string | undefined;
}

/**
 * A write-ahead log in a folder: what was appended survives the death of this process at any moment, though not of the
 * machine (nothing is synced). One reader drains it in order.
 */
export interface Spool {
  /** One write; never waits, never throws. */
  append(record: LedgerRecord): void;
  /** The next records, at most so many, or undefined when all were read. Each is answered once in this process. */
  read(most: number): SpoolBatch | undefined;
  /** All up to the batch's end is in the database: a later process goes on from there. */
  commit(batch: SpoolBatch): void;
  /** Calls back after each append; one listener at a time. Undefined removes it. */
  onAppend(listener: (() => void) | undefined): void;
  stats(): SpoolStats;
  /** Gives the folder back. What is undrained stays for the next process; what is appended afterwards is lost and counted. */
  close(): void;
}

const SEGMENT_BYTES = 8 * 1024 * 1024;

/**
 * Opens the spool of a folder, and ends as *interrupted* each run that a dead predecessor had begun. Throws
 * DirectoryInUseError while another process has the folder, and what the disk says when it cannot be used.
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

export function createRecorder(spool: Spool): Recorder {
  return { append: (record) => spool.append(record) };
}

function useFolder(options: SpoolOptions, unlock: () => void): Spool {
  const drained = readPosition(options.dir);
  const segments = listSegments(options.dir);
  const firstId = Math.max(drained.position.segment, segments.at(-1)?.id ?? 0) + 1;
  const segmentBytes =
    options.segmentBytes ?? Math.min(SEGMENT_BYTES, Math.ceil(options.maxBytes / 8));
  const writer = writeSegments({ folder: options.dir, segments, segmentBytes, firstId });
  const reader = readSegments(segments, drained.position);
  const recovered = recoverRuns({ segments, drained, nowMs: options.clock.now() });
  const room = spoolRoom({ segments, writer, reader, maxBytes: options.maxBytes });
  let committed = drained.position;
  let closed = false;
  let listener: (() => void) | undefined;

  const spool: Spool = {
    append(record) {
      if (closed) {
        room.lostRecord();
        return;
      }
      const line = encodeFrame(record);
      makeRoom(room, line.length);
      writeOrDrop(line);
      listener?.();
    },
    read(most) {
      const values = closed ? [] : reader.read(most);
      return values.length === 0 ? undefined : { values, end: reader.position() };
    },
    commit(batch) {
      if (closed) return;
      for (const value of batch.values) recovered.openRuns.see(value);
      if (compare(batch.end, committed) > 0) committed = batch.end;
      while (segments[0] !== undefined && segments[0].id < committed.segment) {
        rmSync(segments[0].file, { force: true });
        segments.shift();
      }
      room.attempt(() =>
        writePosition(options.dir, { position: committed, openRuns: recovered.openRuns.all() }),
      );
    },
    onAppend(next) {
      listener = next;
    },
    stats: () => ({
      ...room.losses(),
      bytes: undrainedBytes(),
      damagedLines: reader.damaged(),
    }),
    close() {
      if (closed) return;
      closed = true;
      listener = undefined;
      reader.close();
      writer.close();
      unlock();
    },
  };

  const undrainedBytes = () =>
    segments.reduce((sum, segment) => sum + segment.bytes, 0) -
    (segments[0]?.id === committed.segment ? committed.offset : 0);
  const writeOrDrop = (line: Uint8Array) => {
    const write = () => writer.write(line);
    if (room.attempt(write)) return;
    if (room.freeSome() && room.attempt(write)) return;
    room.lostRecord();
  };

  for (const end of recovered.ends) spool.append(end);
  return spool;
}
