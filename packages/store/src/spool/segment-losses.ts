import { readFileSync } from "node:fs";
import { ledgerGapSchema } from "@cloudwright/core/model/records/gap";
import { z } from "zod";
import { decodeFrame } from "./frame.ts";
import type { Loss } from "./gap-log.ts";
import type { Segment } from "./segments.ts";

export interface SegmentLosses {
  readonly own: Loss;
  /** Reports of gaps that were on their way to the ledger: they must be reported again. */
  readonly reported: readonly Loss[];
}

/** Returns the loss when a segment is dropped from this offset on; undefined when there is none. */
export function lossesFrom(
  segment: Segment,
  offset: number,
  nowMs: number,
): SegmentLosses | undefined {
  const bytes = readFileSync(segment.file).subarray(offset);
  const lines = countLines(bytes);
  if (lines === 0) return undefined;
  const reported = gapsIn(bytes);
  const own = { ...timesOf(bytes, nowMs), records: lines - reported.length, calls: 0 };
  return { own, reported };
}

/** Returns the time span of the records in these lines. */
export function timesOf(bytes: Uint8Array, nowMs: number): Pick<Loss, "from" | "to"> {
  const ends = bytes.at(-1) === LINE_BREAK ? bytes.length - 1 : bytes.length;
  const lastStart = bytes.lastIndexOf(LINE_BREAK, ends - 1) + 1;
  const firstEnd = bytes.indexOf(LINE_BREAK);
  const to = timeOf(bytes.subarray(lastStart, ends)) ?? nowMs;
  const from = timeOf(bytes.subarray(0, firstEnd < 0 ? ends : firstEnd)) ?? to;
  return { from: Math.min(from, to), to };
}

const LINE_BREAK = 10;

function countLines(bytes: Uint8Array): number {
  let lines = 0;
  for (let at = bytes.indexOf(LINE_BREAK); at >= 0; at = bytes.indexOf(LINE_BREAK, at + 1)) {
    lines += 1;
  }
  return lines;
}

const GAP_BEGINS = Buffer.from('{"type":"gap"');

function gapsIn(bytes: Uint8Array): readonly Loss[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const gaps: Loss[] = [];
  for (let at = buffer.indexOf(GAP_BEGINS); at >= 0; at = buffer.indexOf(GAP_BEGINS, at + 1)) {
    const start = buffer.lastIndexOf(LINE_BREAK, at) + 1;
    const end = buffer.indexOf(LINE_BREAK, at);
    const line = buffer.toString("utf8", start, end < 0 ? buffer.length : end);
    const gap = ledgerGapSchema.safeParse(decodeFrame(line));
    if (gap.success) gaps.push(gap.data);
  }
  return gaps;
}

const timedSchema = z.union([
  z.object({ startedAt: z.number() }).transform((record) => record.startedAt),
  z.object({ at: z.number() }).transform((record) => record.at),
  z.object({ to: z.number() }).transform((record) => record.to),
]);

function timeOf(line: Uint8Array): number | undefined {
  return timedSchema.safeParse(decodeFrame(new TextDecoder().decode(line))).data;
}
