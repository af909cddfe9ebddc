import { closeSync, ftruncateSync, openSync, writevSync } from "node:fs";
import { bytesOf } from "./frame.ts";
import { type Segment, segmentFile } from "./segments.ts";

export interface SegmentWriter {
  /** Appends lines to one segment in one write. Throws when the disk refuses; then none of them can be read later. */
  write(lines: readonly Uint8Array[]): void;
  /** Returns the segment being written; undefined before the first write. */
  current(): Segment | undefined;
  /** Makes the next write begin another segment. */
  leave(): void;
  close(): void;
}

export interface SegmentWriterInput {
  readonly folder: string;
  /** The live list; a new segment is added at its end. */
  readonly segments: Segment[];
  readonly segmentBytes: number;
  /** The id of the first segment to create. */
  readonly firstId: number;
}

const LINE_BREAK = new Uint8Array([10]);

/** Writes the newest segment and begins another when it is full. Never appends to a predecessor's segment. */
export function writeSegments(input: SegmentWriterInput): SegmentWriter {
  let nextId = input.firstId;
  let current: { readonly segment: Segment; readonly file: number } | undefined;
  let torn = false;

  const rotate = () => {
    const segment = {
      id: nextId,
      file: segmentFile(input.folder, nextId),
      bytes: 0,
      stripped: false,
    };
    const file = openSync(segment.file, "ax", 0o600);
    if (current !== undefined) closeSync(current.file);
    nextId += 1;
    torn = false;
    input.segments.push(segment);
    current = { segment, file };
    return current;
  };
  const roomFor = (bytes: number) => {
    if (current === undefined) return rotate();
    const full = current.segment.bytes > 0 && current.segment.bytes + bytes > input.segmentBytes;
    return full ? rotate() : current;
  };
  const cutOff = (file: number, segment: Segment, written: number) => {
    try {
      ftruncateSync(file, segment.bytes);
    } catch {
      // A partial write stays: the next record begins on a new line and the reader skips the torn one.
      segment.bytes += written;
      torn = true;
    }
  };

  const close = () => {
    if (current !== undefined) closeSync(current.file);
    current = undefined;
    torn = false;
  };

  return {
    write(lines) {
      const { segment, file } = roomFor(bytesOf(lines));
      const parts = torn ? [LINE_BREAK, ...lines] : lines;
      const written = writevSync(file, parts);
      if (written === bytesOf(parts)) {
        segment.bytes += written;
        torn = false;
        return;
      }
      cutOff(file, segment, written);
      throw Object.assign(new Error("Only part of a record was written to the disk."), {
        code: "ENOSPC",
      });
    },
    current: () => current?.segment,
    leave: close,
    close,
  };
}
