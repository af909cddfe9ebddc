import { expect, it } from "vitest";
import { createManualClock } from "../../model/testing/manual-clock.ts";
import type { RunOutcome } from "../../reconcile/loop-port.ts";
import { change } from "../../reconcile/testing/loop-fixture.ts";
import { runOutcome } from "../../reconcile/testing/run-outcome.ts";
import { LifecycleChecks } from "./checks.ts";

const REASON = { code: "NodeUnreadyInstanceRuns", provider: "p" } as const;
const RUNS = ended();

/** Returns a run of `n1` that wrote and planned nothing, unless `more` says otherwise. */
function ended(more: Partial<RunOutcome> = {}): RunOutcome {
  return runOutcome(REASON, { object: { kind: "Node", name: "n1" }, ...more });
}

function setUp() {
  const clock = createManualClock();
  const passes: number[] = [];
  const checks = new LifecycleChecks(clock, (seconds) => passes.push(seconds));
  return { clock, passes, checks };
}

it("checks a silent node less and less often while nothing changes", () => {
  const { checks } = setUp();
  const previews: number[] = [];
  for (let period = 1; period <= 60; period++) {
    if (checks.begin(["n1"]).length === 0) continue;
    previews.push(period);
    checks.ended(RUNS);
  }
  const pauses = previews.slice(1).map((period, index) => period - (previews[index] ?? 0));
  expect(pauses.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 1));
  expect(pauses.slice(10, 20)).toEqual(Array.from({ length: 10 }, () => 2));
  expect(new Set(pauses.slice(20))).toEqual(new Set([3]));
});

it("checks often again once something has changed", () => {
  const { checks } = setUp();
  for (let preview = 0; preview < 30; preview++) checks.ended(RUNS);
  checks.ended(ended({ reason: { code: "HeldByAnnotation" } }));
  expect(checks.begin(["n1"])).toEqual(["n1"]);
});

it.each(["waiting", "failed"] as const)(
  "leaves a node to its own timer when it is %s",
  (outcome) => {
    const { checks } = setUp();
    checks.ended(ended({ outcome }));
    expect(Array.from({ length: 5 }, () => checks.begin(["n1"])).flat()).toEqual([]);
  },
);

it("leaves a node to the next trigger when a dry run left a write to do", () => {
  const { checks } = setUp();
  checks.ended(ended({ unwritten: [change("n1", "node.delete")] }));
  expect(checks.begin(["n1"])).toEqual([]);
});

it("ignores a run that was aborted", () => {
  const { checks } = setUp();
  checks.ended(ended({ outcome: "interrupted" }));
  expect(checks.begin(["n1"])).toEqual(["n1"]);
});

it("does not check a node twice at the same time", () => {
  const { checks } = setUp();
  expect(checks.begin(["n1", "n2"])).toEqual(["n1", "n2"]);
  checks.ended(ended({ object: { kind: "Node", name: "n2" } }));
  expect(checks.begin(["n1", "n2"])).toEqual(["n2"]);
});

it("measures a pass until its last run ends, and one without checks as zero", async () => {
  const { checks, clock, passes } = setUp();
  checks.begin([]);
  checks.begin(["n1", "n2"]);
  await clock.advance(1_500);
  checks.ended(RUNS);
  expect(passes).toEqual([0]);
  await clock.advance(500);
  checks.ended(ended({ object: { kind: "Node", name: "n2" } }));
  expect(passes).toEqual([0, 2]);
});

it("starts over with a node that was forgotten", () => {
  const { checks } = setUp();
  checks.begin(["n1"]);
  checks.forget("n1");
  expect(checks.begin(["n1"])).toEqual(["n1"]);
});
