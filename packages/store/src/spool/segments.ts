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
  const segments: Segment[] = [];
  for (const name of readdirSync(folder).sort()) {
    const file = path.join(folder, name);
    if (name.endsWith(".stripping")) rmSync(file, { force: true });
    const digits = PATTERN.exec(name)?.[1];
    if (digits === undefined) continue;
    const bytes = statSync(file).size;
    if (bytes === 0) rmSync(file, { force: true });
    else segments.push({ id: Number(digits), file, bytes, stripped: false });
  }
  return segments;
}

export function segmentFile(folder: string, id: number): string {
  return path.join(folder, `segment-${String(id).padStart(12, "0")}.log`);
}

export function compare(left: SpoolPosition, right: SpoolPosition): number {
  return left.segment - right.segment || left.offset - right.offset;
}
