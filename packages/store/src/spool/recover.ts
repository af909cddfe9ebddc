import { statSync } from "node:fs";
import type { RunEnd } from "@cloudwright/core/model/run";
import { decodeLines } from "./decode-lines.ts";
import { interruptedEnd, type OpenRuns, openRunChanges, trackOpenRuns } from "./open-runs.ts";
import { readSegments } from "./segment-reader.ts";
import type { DrainedUpTo, Segment } from "./segments.ts";

export interface RecoverInput {
  readonly segments: readonly Segment[];
  readonly drained: DrainedUpTo;
  readonly nowMs: number;
}

export interface Recovered {
  /** The open runs as of the drained position, with which the reader continues. */
  readonly openRuns: OpenRuns;
  /** Ends of the runs that the predecessor left open. */
  readonly ends: readonly RunEnd[];
}

const READ_AT_ONCE = 1_048_576;

/** Finds the runs that a dead predecessor left open, from the drained and the undrained records. */
export function recoverRuns(input: RecoverInput): Recovered {
  const unfinished = trackOpenRuns(input.drained.openRuns);
  const reader = readSegments(input.segments, input.drained.position);
  let lines = reader.read(READ_AT_ONCE);
  while (lines !== undefined) {
    unfinished.apply(openRunChanges(decodeLines(lines).values, unfinished.ids()));
    lines = reader.read(READ_AT_ONCE);
  }
  reader.close();
  const lastSignOfLife = newestChange(input.segments) ?? input.nowMs;
  return {
    openRuns: trackOpenRuns(input.drained.openRuns),
    ends: unfinished.all().map((start) => interruptedEnd(start, lastSignOfLife)),
  };
}

function newestChange(segments: readonly Segment[]): number | undefined {
  const newest = segments.at(-1);
  return newest === undefined ? undefined : Math.round(statSync(newest.file).mtimeMs);
}
