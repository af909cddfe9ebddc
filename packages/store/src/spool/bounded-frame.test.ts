import { ledgerRecordSchema } from "@cloudwright/core/model/records/record";
import type { Json } from "@cloudwright/core/model/values/json";
import { describe, expect, it } from "vitest";
import { objectState, runEnd, step } from "../../testing/records.ts";
import { boundedFrame } from "./bounded-frame.ts";
import { decodeLines } from "./decode-lines.ts";

const MOST = 1_048_576;

function kept(record: Parameters<typeof boundedFrame>[0], most = MOST) {
  const frame = boundedFrame(record, most);
  if (frame === undefined) return undefined;
  expect(frame.line.length).toBeLessThanOrEqual(most);
  const [value] = decodeLines(frame.line).values;
  return { record: ledgerRecordSchema.parse(value), droppedCalls: frame.droppedCalls };
}

function change(after: Json) {
  const [first] = runEnd().changes;
  if (first === undefined) throw new Error("a run has a change");
  return { ...first, after };
}

/** Returns a run with this many failed calls, each with everything that a record keeps of one. */
function failedCalls(count: number, bodyLength: number) {
  const body = { code: "internal", message: "m".repeat(bodyLength) };
  return runEnd({ steps: Array(count).fill({ ...step("cloud"), error: "e".repeat(500), body }) });
}

describe("a record becomes one line within its bound", () => {
  it("unchanged while it fits", () => {
    const run = runEnd();
    expect(kept(run)).toEqual({ record: run, droppedCalls: 0 });
  });

  it("with 64 KiB of a field that is longer", () => {
    const reason = { code: "Unexplained" as const, message: "a-".repeat(75_000) };
    const state = objectState({ reason });
    const { record } = kept(state) ?? {};
    expect(record).toMatchObject({ ...state, reason: { code: "Unexplained" } });
    const { message } = (record as typeof state).reason as typeof reason;
    expect(message).toMatch(/^(?:a-)+a?… \(\d+ more characters\)$/);
    expect(message.length).toBeLessThanOrEqual(65_536);
  });

  it("without the bodies of calls, where those make it too large", () => {
    const run = failedCalls(200, 8_000);
    const { record, droppedCalls } = kept(run) ?? {};
    expect([(record as typeof run).steps.length, droppedCalls]).toEqual([200, 0]);
    expect(JSON.stringify(record)).not.toContain("mmm");
  });

  it("without the calls, where they make it too large, and says how many they were", () => {
    const run = failedCalls(200, 10);
    const { record, droppedCalls } = kept(run, 20_000) ?? {};
    expect([(record as typeof run).steps, droppedCalls]).toEqual([[], 200]);
  });

  it("with the first members of its lists, where these make it too large", () => {
    const names = Array.from(
      { length: 50_000 },
      (_, index) => `machine-${index}-${"x".repeat(40)}`,
    );
    const run = runEnd({ changes: [change({ members: names, note: "n".repeat(60_000) })] });
    const { record } = kept(run) ?? {};
    expect((record as typeof run).changes[0]?.after).toMatchObject({
      members: names.slice(0, 200),
    });
  });

  it("or not at all, when even that is too large", () => {
    const deep = Array(200).fill(Array(200).fill("x".repeat(200)));
    expect(kept(runEnd({ changes: [change(deep)] }))).toBeUndefined();
  });
});
