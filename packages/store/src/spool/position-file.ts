import { readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type RunStart, runStartSchema } from "@cloudwright/core/model/run";
import { z } from "zod";
import type { SpoolPosition } from "./segments.ts";

/** How far the database has got, and the runs that it knows to have begun up to there without their end. */
export interface DrainedUpTo {
  readonly position: SpoolPosition;
  readonly openRuns: readonly RunStart[];
}

const schema = z.object({
  position: z.object({ segment: z.number(), offset: z.number() }),
  openRuns: z.array(runStartSchema),
});

/** From the start when there is none or it is damaged: what is drained twice is inserted once. */
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
