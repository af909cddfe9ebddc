import type { LedgerRecord } from "@cloudwright/core/model/records/record";
import { boundedText, LONGEST_FIELD } from "@cloudwright/core/model/values/bounded-text";
import { encodeFrame } from "./frame.ts";
import { withoutCalls } from "./strip.ts";

export interface BoundedFrame {
  readonly line: Uint8Array;
  /** Calls that were left out of the run. */
  readonly droppedCalls: number;
}

/** The least text and the fewest list members that a shortened record keeps. */
const LEAST_TEXT = 256;
const LEAST_ITEMS = 200;

/**
 * Returns a record as one line of at most `mostBytes`, in which no text is longer than a field may be. A record that is too large loses the
 * least valuable first: the ends of its texts, the bodies of its calls, its calls, the ends of its lists. Undefined if it is still too
 * large.
 */
export function boundedFrame(record: LedgerRecord, mostBytes: number): BoundedFrame | undefined {
  const whole = encodeFrame(record);
  // A record no longer than a field cannot contain a longer one.
  if (whole.length <= Math.min(LONGEST_FIELD, mostBytes)) return { line: whole, droppedCalls: 0 };
  let smaller: LedgerRecord = record;
  let droppedCalls = 0;
  for (const shrink of SHRINKINGS) {
    const before = callsOf(smaller);
    smaller = shrink(smaller);
    droppedCalls += before - callsOf(smaller);
    const line = encodeFrame(smaller);
    if (line.length <= mostBytes) return { line, droppedCalls };
  }
  return undefined;
}

const SHRINKINGS: readonly ((record: LedgerRecord) => LedgerRecord)[] = [
  (record) => within(record, { text: LONGEST_FIELD, items: Number.POSITIVE_INFINITY }),
  withoutBodies,
  (record) => (record.type === "run.end" ? (withoutCalls(record) as LedgerRecord) : record),
  (record) => within(record, { text: 4_096, items: Number.POSITIVE_INFINITY }),
  (record) => within(record, { text: LEAST_TEXT, items: LEAST_ITEMS }),
];

function callsOf(record: LedgerRecord): number {
  return record.type === "run.end" ? record.steps.length : 0;
}

function withoutBodies(record: LedgerRecord): LedgerRecord {
  if (record.type !== "run.end") return record;
  return { ...record, steps: record.steps.map(({ body: _, ...step }) => step) };
}

interface Limits {
  readonly text: number;
  readonly items: number;
}

function within<Value>(value: Value, limits: Limits): Value {
  return shortened(value, limits) as Value;
}

function shortened(value: unknown, limits: Limits): unknown {
  if (typeof value === "string") return boundedText(value, limits.text);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value))
    return value.slice(0, limits.items).map((item) => shortened(item, limits));
  const entries = Object.entries(value).slice(0, limits.items);
  return Object.fromEntries(
    entries.map(([name, member]) => [boundedText(name, limits.text), shortened(member, limits)]),
  );
}
