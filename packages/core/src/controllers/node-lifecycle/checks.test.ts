import { expect, it } from "vitest";
import type { Next, Plan } from "../../model/plan.ts";
import { createManualClock } from "../../model/testing/manual-clock.ts";
import { LifecycleChecks } from "./checks.ts";

const RUNS: Plan = {
  changes: [],
  notTaken: [],
  next: { kind: "settled", reason: { code: "NodeUnreadyInstanceRuns", provider: "p" } },
};

function setUp() {
  const clock = createManualClock();
  const passes: number[] = [];
  const checks = new LifecycleChecks(clock, (seconds) => passes.push(seconds));
  return { clock, passes, checks };
}

it("looks at a silent node less and less often while nothing comes of it", () => {
  const { checks } = setUp();
  const looks: number[] = [];
  for (let period = 1; period <= 60; period++) {
    if (checks.begin(["n1"]).length === 0) continue;
    looks.push(period);
    checks.observed("n1");
    checks.planned("n1", RUNS, 0);
  }
  const pauses = looks.slice(1).map((period, index) => period - (looks[index] ?? 0));
  expect(pauses.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 1));
  expect(pauses.slice(10, 20)).toEqual(Array.from({ length: 10 }, () => 2));
  expect(new Set(pauses.slice(20))).toEqual(new Set([3]));
});

it("looks often again once something changed", () => {
  const { checks } = setUp();
  for (let look = 0; look < 30; look++) checks.planned("n1", RUNS, 0);
  checks.planned(
    "n1",
    { ...RUNS, next: { kind: "settled", reason: { code: "HeldByAnnotation" } } },
    0,
  );
  expect(checks.begin(["n1"])).toEqual(["n1"]);
});

it.each<Next>([
  { kind: "waiting", forMs: 1_000, reason: { code: "NewNodeGrace", untilMs: 1 } },
  { kind: "failed", reason: { code: "Unexplained", message: "odd" } },
])("leaves a node to its own timer when it is $kind", (next) => {
  const { checks } = setUp();
  checks.planned("n1", { ...RUNS, next }, 0);
  expect(Array.from({ length: 5 }, () => checks.begin(["n1"])).flat()).toEqual([]);
});

it("leaves a node whose write failed to the queue's backoff", () => {
  const { checks } = setUp();
  const target = { kind: "Node", name: "n1" } as const;
  const reason = { code: "InstanceGone", provider: "p", providerID: "p://i-1" } as const;
  const change = {
    kind: "node.delete",
    system: "cluster",
    target,
    before: {},
    after: null,
    reason,
  } as const;
  checks.planned("n1", { changes: [change], notTaken: [], next: { kind: "settled", reason } }, 0);
  expect(checks.begin(["n1"])).toEqual([]);
});

it("does not look twice at a node that is being looked at", () => {
  const { checks } = setUp();
  expect(checks.begin(["n1", "n2"])).toEqual(["n1", "n2"]);
  checks.planned("n2", RUNS, 0);
  expect(checks.begin(["n1", "n2"])).toEqual(["n2"]);
});

it("measures a pass until the last of its looks, and one without looks as nothing", async () => {
  const { checks, clock, passes } = setUp();
  checks.begin([]);
  checks.begin(["n1", "n2"]);
  await clock.advance(1_500);
  checks.observed("n1");
  expect(passes).toEqual([0]);
  await clock.advance(500);
  checks.observed("n2");
  expect(passes).toEqual([0, 2]);
});

it("begins anew with a node that was forgotten", () => {
  const { checks } = setUp();
  checks.begin(["n1"]);
  checks.forget("n1");
  expect(checks.begin(["n1"])).toEqual(["n1"]);
});
