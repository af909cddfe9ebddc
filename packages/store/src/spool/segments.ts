import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type RunStart, runStartSchema } from "@cloudwright/core/model/run";
import { z } from "zod";

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

/** Returns the segments of a folder, oldest first. Removes empty ones, and the leftovers of an interrupted rewrite. */
export function listSegments(folder: string): Segment[] {
  for (const name of readdirSync(folder)) {
    if (name.endsWith(".stripping")) rmSync(path.join(folder, name), { force: true });
  }
  const segments = segmentsIn(folder);
  for (const { file, bytes } of segments) if (bytes === 0) rmSync(file, { force: true });
  return segments.filter(({ bytes }) => bytes > 0);
}

/** Returns the same without changing anything: another process may use the folder. */
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

/** The database's position, and the runs that are open up to there. */
export interface DrainedUpTo {
  readonly position: SpoolPosition;
  readonly openRuns: readonly RunStart[];
}

const schema = z.object({
  position: z.object({ segment: z.number(), offset: z.number() }),
  openRuns: z.array(runStartSchema),
});

/** Reads the position. Starts at the beginning when it is missing or damaged: a record drained twice is inserted once. */
export function readPosition(folder: string): DrainedUpTo {
  try {
    return schema.parse(JSON.parse(readFileSync(fileIn(folder), "utf8")));
  } catch {
    return { position: { segment: 0, offset: 0 }, openRuns: [] };
  }
}

/** Throws when the disk refuses. */
export function writePosition(folder: string, drained: DrainedUpTo): void {
  const scratch = `${fileIn(folder)}.next`;
  writeFileSync(scratch, JSON.stringify(drained), { mode: 0o600 });
  renameSync(scratch, fileIn(folder));
}

function fileIn(folder: string): string {
  return path.join(folder, "position.json");
}
