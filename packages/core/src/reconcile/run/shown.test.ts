import { describe, expect, it } from "vitest";
import { isShownAlike, type Shown } from "./shown.ts";

const STATE: Shown["state"] = {
  type: "state",
  cluster: "c",
  controller: "service-lb-controller",
  name: "shop/web",
  uid: "u",
  at: 1,
  state: "ok",
  reason: { code: "InStep" },
  since: 1,
  failures: 0,
  drift: "inStep",
  runId: "r-1",
  outcome: "changed",
};

function shown(over: object = {}, pending?: Shown["pending"]): Shown {
  return { state: { ...STATE, ...over }, pending };
}

function members(count: number, odd?: string) {
  return Array.from({ length: count }, (_, index) => ({
    node: index === count - 1 && odd !== undefined ? odd : `w-${index}`,
    verdict: "in",
  }));
}

describe("two states look the same", () => {
  it.each<[string, object]>([
    ["though seen at another time", { at: 2 }],
    ["though by another run", { runId: "r-2", outcome: "unchanged" }],
    ["with a member that is undefined and one that is not there", { nextAt: undefined }],
    ["with equal details that are not the same object", { reason: { code: "InStep" } }],
  ])("%s", (_how, over) => {
    expect(isShownAlike(shown(), shown(over))).toBe(true);
    expect(isShownAlike(shown(over), shown())).toBe(true);
  });

  it("whenever the cloud reported it, by whatever request, at any depth", () => {
    const one = { cloud: { zone: "z", asOf: 1, requestId: "a", labels: {}, addresses: [] } };
    const other = { cloud: { zone: "z", asOf: 2, requestId: "b", labels: {}, addresses: [] } };
    expect(isShownAlike(shown(one), shown(other))).toBe(true);
  });
});

describe("two states look different", () => {
  it.each<[string, object]>([
    ["in another state", { state: "stuck" }],
    ["for another reason", { reason: { code: "NodeReady" } }],
    ["for the same reason with a field more", { reason: { code: "InStep", more: 1 } }],
    ["since another time", { since: 2 }],
    ["when one comes back by itself", { nextAt: 5 }],
    ["with a detail that the other lacks", { detail: {} }],
    ["with a detail that is null", { detail: null }],
    ["after more failures", { failures: 1 }],
  ])("%s", (_how, over) => {
    expect(isShownAlike(shown(), shown(over))).toBe(false);
    expect(isShownAlike(shown(over), shown())).toBe(false);
  });

  it("when a dry run would do something else", () => {
    const change = {
      kind: "node.delete",
      system: "cluster",
      target: { kind: "Node", name: "w-1" },
      before: {},
      after: null,
      reason: { code: "InStep" },
    } as const;
    expect(isShownAlike(shown(), shown({}, [change]))).toBe(false);
    expect(isShownAlike(shown({}, [change]), shown({}, [{ ...change }]))).toBe(true);
  });

  it("when one has a list and the other an object with the same members", () => {
    expect(isShownAlike(shown({ detail: [] }), shown({ detail: {} }))).toBe(false);
    expect(isShownAlike(shown({ detail: ["a"] }), shown({ detail: { 0: "a" } }))).toBe(false);
  });

  it("when one lacks a member whose name every object inherits", () => {
    expect(isShownAlike(shown({ detail: {} }), shown({ detail: { toString: 1 } }))).toBe(false);
  });
});

describe("long lists, which many objects share", () => {
  it.each([15, 16, 200])("of %i are compared by their content", (count) => {
    const list = members(count);
    expect(isShownAlike(shown({ detail: list }), shown({ detail: members(count) }))).toBe(true);
    expect(isShownAlike(shown({ detail: list }), shown({ detail: members(count, "x") }))).toBe(
      false,
    );
    expect(isShownAlike(shown({ detail: list }), shown({ detail: members(count + 1) }))).toBe(
      false,
    );
  });

  it("are cached for both: what one equalled last does not decide the next comparison", () => {
    const [list, same, other] = [members(100), members(100), members(100, "x")];
    const isLike = (one: object) => isShownAlike(shown({ detail: list }), shown({ detail: one }));
    expect([isLike(same), isLike(other), isLike(same), isLike(other)]).toEqual([
      ...[true, false, true, false],
    ]);
  });
});
