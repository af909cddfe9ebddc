import { readdirSync, rmSync, statSync } from "node:fs";
import path from "node:path";

/** One file of the spool. Records are appended to the newest only; the oldest are drained first. */
export interface Segment {
  readonly id: number;
  readonly file: string;
  bytes: number;
  /** Whether the details of its calls were dropped to save space. */
  stripped: boolean;
}

export interface SpoolPosition {
  readonly segment: number;
  readonly offset: number;
}

const PATTERN = /^segment-(\d{12})\.log$/;

/** The segments of a folder, oldest first. Empty ones are removed, and so is what an interrupted stripping left. */
export function listSegments(folder: string): Segment[] {
  for (const name of readdirSync(folder)) {
    if (name.endsWith(".stripping")) rmSync(path.join(folder, name), { force: true });
  }
  const segments = segmentsIn(folder);
  for (const { file, bytes } of segments) if (bytes === 0) rmSync(file, { force: true });
  return segments.filter(({ bytes }) => bytes > 0);
}

/** The same, only looked at: another process may use the folder. */
export function segmentsIn(folder: string): Segment[] {
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const digits = PATTERN.exec(name)?.[1];
      if (digits === undefined) return [];
      const file = path.join(folder, name);
      const bytes = statSync(file, { throwIfNoEntry: false })?.size;
      return bytes === undefined ? [] : [{ id: Number(digits), file, bytes, stripped: false }];
    });
}

export function segmentFile(folder: string, id: number): string {
  return path.join(folder, `segment-${String(id).padStart(12, "0")}.log`);
}

export function compare(left: SpoolPosition, right: SpoolPosition): number {
  return left.segment - right.segment || left.offset - right.offset;
}
