import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { decodeFrame, encodeFrame, joinBytes } from "./frame.ts";
import type { Segment } from "./segments.ts";

/** How many calls were dropped from a run's end; stored in its line, beside the record's own members. */
export const droppedCallsSchema = z.object({
  droppedCalls: z.object({ cloud: z.number(), kube: z.number() }),
});

/**
 * Rewrites a segment without the calls of its runs, which are most of its bytes. What a run did and why is kept. Returns how many calls
 * were dropped; throws when the disk refuses.
 */
export function stripSegment(segment: Segment): number {
  let dropped = 0;
  const kept: Uint8Array[] = [];
  for (const line of readFileSync(segment.file, "utf8").split("\n")) {
    const value = line === "" ? undefined : decodeFrame(line);
    if (value === undefined) continue;
    const end = runEndSchema.safeParse(value);
    kept.push(encodeFrame(end.success ? withoutCalls(end.data) : value));
    if (end.success) dropped += end.data.steps.length;
  }
  const text = joinBytes(kept);
  replaceFile(segment.file, text);
  segment.bytes = text.length;
  segment.stripped = true;
  return dropped;
}

/**
 * Replaces the file in one step if the disk has room for both; else in place: a crash in the middle loses what would be dropped next
 * anyway.
 */
function replaceFile(file: string, bytes: Uint8Array): void {
  const scratch = `${file}.stripping`;
  try {
    writeFileSync(scratch, bytes, { mode: 0o600 });
    renameSync(scratch, file);
  } catch {
    rmSync(scratch, { force: true });
    writeFileSync(file, bytes, { mode: 0o600 });
  }
}

type RunEndLine = Readonly<{ steps: readonly { readonly system: "cloud" | "kube" }[] }>;

const runEndSchema = z.looseObject({
  type: z.literal("run.end"),
  steps: z.array(z.looseObject({ system: z.enum(["cloud", "kube"]) })),
});

/** Returns a run's end without its calls; it records how many there were. */
export function withoutCalls(end: RunEndLine): object {
  if (end.steps.length === 0) return end;
  const count = (system: string) => end.steps.filter((step) => step.system === system).length;
  return { ...end, steps: [], droppedCalls: { cloud: count("cloud"), kube: count("kube") } };
}
