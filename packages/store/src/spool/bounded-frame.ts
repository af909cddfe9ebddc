import type { LedgerRecord } from "@cloudwright/core/model/records/record";
import { boundedText, LONGEST_FIELD } from "@cloudwright/core/model/values/bounded-text";
import { encodeFrame } from "./frame.ts";
import { withoutCalls } from "./strip.ts";

export interface BoundedFrame {
  readonly line: Uint8Array;
  /** Calls of the run that were left out of it. */
  readonly droppedCalls: number;
}

/** Of a record that is too large: text and members of a list that are kept at last. */
const LEAST_TEXT = 256;
const LEAST_ITEMS = 200;

/**
 * A record as one line of at most `mostBytes`, and no text in it longer than a field may be. What is too large gives up first what is
 * least worth: the ends of its texts, the bodies of its calls, its calls, the ends of its lists. Undefined when it is too large even
 * then.
 */
export function boundedFrame(record: LedgerRecord, mostBytes: number): BoundedFrame | undefined {
  const whole = encodeFrame(record);
  // What is no longer than a field holds no field that is.
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
