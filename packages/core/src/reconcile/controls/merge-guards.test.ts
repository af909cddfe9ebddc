import { describe, expect, it } from "vitest";
import { EMPTY_GUARD, type GuardRecord, type HeldNode } from "./guard-record.ts";
import { mergeGuards } from "./merge-guards.ts";

function held(name: string, since: number): HeldNode {
  return { name, uid: `u-${name}`, since, because: "s://gone" } as HeldNode;
}

function guard(over: Partial<GuardRecord> = {}): GuardRecord {
  return { ...EMPTY_GUARD, ...over };
}

function window(startedAt: number, ...taken: readonly string[]) {
  return { startedAt, nodes: 100, taken };
}

describe("what was counted while the record was unavailable", () => {
  it("changes nothing if the record has all of it", () => {
    const kept = guard({ window: window(1, "a", "b"), held: [held("w-1", 1)] });
    expect(mergeGuards(kept, EMPTY_GUARD)).toBe(kept);
    expect(mergeGuards(kept, guard({ window: window(9, "b"), held: [held("w-1", 9)] }))).toBe(kept);
  });

  it("counts each deletion once, in the window that began first", () => {
    const merged = mergeGuards(
      guard({ window: window(50, "a", "b") }),
      guard({ window: window(10, "b", "c") }),
    );
    expect(merged.window).toEqual({ startedAt: 10, nodes: 100, taken: ["a", "b", "c"] });
    const other = mergeGuards(
      guard({ window: window(10, "a") }),
      guard({ window: window(50, "c") }),
    );
    expect(other.window?.startedAt).toBe(10);
  });

  it("opens the window if the record has none", () => {
    const remembered = guard({ window: window(10, "a") });
    expect(mergeGuards(EMPTY_GUARD, remembered).window).toEqual(window(10, "a"));
  });

  it("keeps the record's window where only a node was held meanwhile", () => {
    const kept = guard({ window: window(10, "a") });
    expect(mergeGuards(kept, guard({ held: [held("w-1", 20)] })).window).toEqual(window(10, "a"));
  });

  it("lists each held node once, as in the record, longest first", () => {
    const merged = mergeGuards(
      guard({ held: [held("w-2", 20), held("w-4", 40)] }),
      guard({ held: [held("w-1", 10), held("w-2", 99), held("w-3", 30)] }),
    );
    expect(merged.held.map(({ name, since }) => [name, since])).toEqual([
      ["w-1", 10],
      ["w-2", 20],
      ["w-3", 30],
      ["w-4", 40],
    ]);
  });

  it("never restores a release that the record no longer has", () => {
    const release = { by: "ana", intentId: "i-1" };
    const remembered = guard({ held: [held("w-1", 1)], releases: [release as never] });
    expect(mergeGuards(EMPTY_GUARD, remembered).releases).toEqual([]);
  });
});
