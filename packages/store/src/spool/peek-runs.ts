import { readdirSync, statSync } from "node:fs";
import path from "node:path";
import {
  type RunEnd,
  type RunStart,
  runEndSchema,
  runStartSchema,
} from "@cloudwright/core/model/run";
import { decodeLines } from "./decode-lines.ts";
import { readSegments } from "./segment-reader.ts";
import { readPosition, segmentsIn } from "./segments.ts";
import { droppedCallsSchema } from "./strip.ts";

/** A run as a spool holds it. */
export interface SpooledRun {
  /** The run's end if there is one, else its start. */
  readonly run: RunStart | RunEnd;
  /** Calls that were left out to save space. */
  readonly droppedCalls: { readonly cloud: number; readonly kube: number };
}

const READ_AT_ONCE = 1_048_576;
/** `cloudwright/CLUSTER/HOST/spool-1` below a state folder. */
const DEEPEST = 4;

/**
 * Returns the runs of a spool that have not reached a database, in the order in which they were written. Only reads: another process may
 * append to the folder and drain it meanwhile. Throws the disk's error when it cannot be read.
 */
export function peekRuns(folder: string): readonly SpooledRun[] {
  const { position } = readPosition(folder);
  const reader = readSegments(segmentsIn(folder), position);
  const runs = new Map<string, SpooledRun>();
  try {
    for (
      let lines = reader.read(READ_AT_ONCE);
      lines !== undefined;
      lines = reader.read(READ_AT_ONCE)
    ) {
      for (const value of decodeLines(lines).values) keep(runs, value);
    }
  } finally {
    reader.close();
  }
  return [...runs.values()];
}

/** Returns the folder itself if it is a spool, else the spools below it. Empty if there are none. Throws the disk's error when it cannot be read. */
export function spoolFolders(folder: string, depth = DEEPEST): readonly string[] {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  const entries = readdirSync(folder, { withFileTypes: true });
  if (entries.some(({ name }) => IS_SPOOL.test(name))) return [folder];
  if (depth === 0) return [];
  return entries
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => spoolFolders(path.join(folder, name), depth - 1))
    .sort();
}

const IS_SPOOL = /^(segment-\d{12}\.log|position\.json)$/;

function keep(runs: Map<string, SpooledRun>, value: unknown): void {
  const end = runEndSchema.safeParse(value).data;
  if (end !== undefined) {
    const droppedCalls = droppedCallsSchema.safeParse(value).data?.droppedCalls ?? NONE;
    runs.set(end.id, { run: end, droppedCalls });
    return;
  }
  const start = runStartSchema.safeParse(value).data;
  if (start !== undefined) runs.set(start.id, { run: start, droppedCalls: NONE });
}

const NONE = { cloud: 0, kube: 0 };
