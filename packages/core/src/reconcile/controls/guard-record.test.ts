import { describe, expect, it, test } from "vitest";
import { type GuardRelease, heldCount } from "../../model/controls.ts";
import {
  addRelease,
  EMPTY_GUARD,
  endHold,
  type GuardMoment,
  type GuardRecord,
  holdDeletion,
  statusOf,
  takeDeletion,
  verdictOf,
} from "./guard-record.ts";

const POLICY = { nodes: 5, percent: 10, windowMs: 600_000 };
const START = 1_000_000;

function at(afterMs: number, more: Partial<GuardMoment> = {}): GuardMoment {
  return { policy: POLICY, nowMs: START + afterMs, nodeCount: 20, ...more };
}

function node(name: string) {
  return { name, uid: `uid-${name}` };
}

/** Takes this many deletions at the window's start; a refusal fails the test. */
function taken(count: number, guard: GuardRecord = EMPTY_GUARD, moment = at(0)): GuardRecord {
  let record = guard;
  for (let index = 0; index < count; index++) {
    const next = takeDeletion(record, node(`n${index}`), moment);
    if (next === undefined) throw new Error(`the deletion ${index} was refused`);
    record = next;
  }
  return record;
}

function held(guard: GuardRecord, ...names: readonly string[]): GuardRecord {
  return names.reduce(
    (record, name) => holdDeletion(record, node(name), { because: "gone", nowMs: START + 1 }),
    guard,
  );
}

function release(names: readonly string[], more: Partial<GuardRelease> = {}): GuardRelease {
  return {
    nodes: names.map(node),
    by: "ana",
    why: "INC-1",
    at: START,
    until: START + 600_000,
    intentId: "i-1",
    ...more,
  };
}

describe("the limit", () => {
  test.each([
    ["is the number in a small cluster", { nodeCount: 20 }, 5],
    ["is the share in a large one", { nodeCount: 200 }, 20],
    ["rounds the share down", { nodeCount: 69 }, 6],
    ["may be nothing at all", { policy: { ...POLICY, nodes: 0, percent: 0 } }, 0],
  ])("%s", (_case, more, limit) => {
    expect(statusOf(EMPTY_GUARD, at(0, more)).limit).toBe(limit);
  });

  it("is a share of the nodes at the window's start, however few are left", () => {
    const guard = taken(3, EMPTY_GUARD, at(0, { nodeCount: 100 }));
    expect(statusOf(guard, at(1, { nodeCount: 12 })).limit).toBe(10);
  });
});

describe("a deletion", () => {
  it("is free below the limit; at the limit it is held and cannot be taken", () => {
    expect(verdictOf(taken(4), node("x"), at(1))).toEqual({ kind: "free" });
    expect(verdictOf(taken(5), node("x"), at(1))).toEqual({
      kind: "held",
      deleted: 5,
      limit: 5,
      windowMs: 600_000,
      held: 1,
    });
    expect(takeDeletion(taken(5), node("x"), at(1))).toBeUndefined();
  });

  it("that was counted stays free, and counts once", () => {
    const guard = taken(5);
    expect(verdictOf(guard, node("n0"), at(1))).toEqual({ kind: "free" });
    expect(takeDeletion(guard, node("n0"), at(1))).toBe(guard);
  });

  it("is free again in the next window if nothing was held", () => {
    expect(verdictOf(taken(5), node("x"), at(599_999)).kind).toBe("held");
    expect(verdictOf(taken(5), node("x"), at(600_000)).kind).toBe("free");
    expect(takeDeletion(taken(5), node("x"), at(600_000))?.window).toEqual({
      startedAt: START + 600_000,
      nodes: 20,
      taken: ["uid-x"],
    });
  });

  it("that is held stays held when the window ends, and so does every other one", () => {
    const guard = held(taken(5), "x", "y");
    expect(verdictOf(guard, node("x"), at(6_000_000))).toMatchObject({ kind: "held", held: 2 });
    expect(verdictOf(guard, node("z"), at(6_000_000))).toMatchObject({ kind: "held", held: 3 });
  });

  it("is free once nothing is held any more and the window has ended", () => {
    const guard = endHold(held(taken(5), "x"), () => true);
    expect(verdictOf(guard, node("z"), at(1)).kind).toBe("held");
    expect(verdictOf(guard, node("z"), at(600_000)).kind).toBe("free");
  });
});

describe("a release", () => {
  const guard = addRelease(held(taken(5), "x", "y"), release(["x"]));

  it("lets through the nodes that it names, and no others", () => {
    expect(verdictOf(guard, node("x"), at(1))).toEqual({
      kind: "released",
      by: "ana",
      intentId: "i-1",
    });
    expect(verdictOf(guard, node("y"), at(1)).kind).toBe("held");
    expect(verdictOf(guard, { name: "x", uid: "another" }, at(1)).kind).toBe("held");
  });

  it("is not counted in the window", () => {
    expect(takeDeletion(guard, node("x"), at(1))).toBe(guard);
  });

  it("ends", () => {
    expect(verdictOf(guard, node("x"), at(600_000)).kind).toBe("held");
  });

  it("replaces ended releases and its own earlier version", () => {
    const again = addRelease(guard, release(["x", "y"], { at: START + 5 }));
    expect(again.releases).toHaveLength(1);
    const later = addRelease(guard, release(["y"], { at: START + 700_000, intentId: "i-2" }));
    expect(later.releases.map(({ intentId }) => intentId)).toEqual(["i-2"]);
  });
});

it("the status has the limit, the window, and the counted and held deletions", () => {
  expect(statusOf(held(taken(5), "x"), at(10))).toEqual({
    limit: 5,
    windowMs: 600_000,
    deleted: 5,
    windowEndsAt: START + 600_000,
    held: [{ ...node("x"), since: START + 1, because: "gone" }],
  });
  expect(statusOf(EMPTY_GUARD, at(0))).toEqual({
    limit: 5,
    windowMs: 600_000,
    deleted: 0,
    held: [],
  });
});

it("the record has each held node once, longest first", () => {
  const guard = held(EMPTY_GUARD, "x", "y");
  expect(holdDeletion(guard, node("x"), { because: "still", nowMs: START + 9 })).toBe(guard);
  expect(guard.held.map(({ name }) => name)).toEqual(["x", "y"]);
  expect(endHold(guard, () => false)).toBe(guard);
});

test("the status lists the first 500 held deletions and says how many there are", () => {
  const names = Array.from({ length: 501 }, (_, index) => `h${index}`);
  const many = statusOf(held(EMPTY_GUARD, ...names), at(10));
  expect(many.held).toHaveLength(500);
  expect(heldCount(many)).toBe(501);
  expect(heldCount(statusOf(held(EMPTY_GUARD, ...names.slice(1)), at(10)))).toBe(500);
});
