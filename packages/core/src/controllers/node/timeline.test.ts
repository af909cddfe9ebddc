import type { Lookup } from "@cloudwright/provider-api";
import { describe, expect, it } from "vitest";
import type { TimelineStep } from "../../model/records/node-record.ts";
import { CREATED_AT, found, type NodeShape, node, UNINITIALIZED } from "../testing/node-fixture.ts";
import { OVERRIDE_ANNOTATION, overrideText } from "./actions/override.ts";
import { wantedLabels } from "./labels.ts";
import type { NodeObserved } from "./observed.ts";
import { planNode } from "./plan.ts";
import { advanceTimeline, type TimelineRun } from "./timeline.ts";

interface RunShape {
  readonly id: string;
  readonly lookup?: Lookup;
  readonly shape?: NodeShape;
  readonly applied?: number;
  readonly attempted?: boolean;
}

function run({
  id,
  lookup = found(),
  shape = {},
  applied = 0,
  attempted = true,
}: RunShape): TimelineRun {
  const one = node({ taints: [UNINITIALIZED], ...shape });
  const seen = lookup.kind === "found" ? lookup.facts : undefined;
  const observed: NodeObserved = {
    node: one,
    provider: "p",
    policy: { newNodeGraceMs: 300_000, refreshPeriodMs: 300_000 },
    lookup,
    isRequested: true,
    facts: seen,
    labels: seen && wantedLabels(one, seen),
    wasUninitialised: false,
    requested: undefined,
    twin: undefined,
  };
  const startedAt = CREATED_AT + 1_000 * Number(id);
  const plan = planNode(observed, startedAt);
  const when = { at: startedAt, durationMs: 0 };
  const attempts = plan.changes.map((change) => ({
    change,
    error: "refused",
    answer: {},
    ...when,
  }));
  const failed = attempted ? attempts.slice(applied, applied + 1) : [];
  const written = attempts.slice(0, applied);
  const ended = { runId: id, startedAt, endedAt: startedAt + 100 };
  return { observed, plan, result: { applied, ...ended, failed, written } };
}

function statesOf(timeline: readonly TimelineStep[] | undefined) {
  return timeline?.map(({ step, state, tries }) => `${step} ${state} ${tries}`);
}

function timelineOf(...runs: readonly TimelineRun[]) {
  return runs.reduce<readonly TimelineStep[] | undefined>(advanceTimeline, undefined);
}

describe("a node's timeline", () => {
  it("completes all steps in one successful run", () => {
    const timeline = timelineOf(run({ id: "1", applied: 2 }));
    expect(statesOf(timeline)).toEqual([
      "registered done 0",
      "found done 1",
      "checked done 1",
      "addresses done 1",
      "initialised done 1",
    ]);
    expect(timeline?.[0]).toMatchObject({ startedAt: CREATED_AT, endedAt: CREATED_AT });
    expect(timeline?.[4]).toMatchObject({
      startedAt: CREATED_AT + 1_000,
      endedAt: CREATED_AT + 1_100,
      runId: "1",
    });
  });

  it("counts the attempts of a step and keeps since when and why it fails", () => {
    const lookup: Lookup = { kind: "notListed" };
    const timeline = timelineOf(run({ id: "1", lookup }), run({ id: "2", lookup }));
    expect(statesOf(timeline)?.slice(1, 3)).toEqual(["found failed 2", "checked pending 0"]);
    expect(timeline?.[1]).toMatchObject({
      startedAt: CREATED_AT + 1_000,
      runId: "2",
      reason: { code: "InstanceNotFound" },
    });
    const found = timelineOf(run({ id: "1", lookup }), run({ id: "2", applied: 2 }))?.[1];
    expect(found).toMatchObject({ state: "done", tries: 2, endedAt: CREATED_AT + 2_100 });
    expect(found).not.toHaveProperty("reason");
  });

  it("distinguishes a check that fails from an instance that is not found", () => {
    const timeline = timelineOf(run({ id: "1", lookup: found({ zone: "a b" }) }));
    expect(statesOf(timeline)?.slice(1)).toEqual([
      "found done 1",
      "checked failed 1",
      "addresses pending 0",
      "initialised pending 0",
    ]);
  });

  it("shows which write failed", () => {
    expect(statesOf(timelineOf(run({ id: "1", applied: 0 })))?.slice(3)).toEqual([
      "addresses failed 1",
      "initialised pending 0",
    ]);
    expect(statesOf(timelineOf(run({ id: "1", applied: 1 })))?.slice(3)).toEqual([
      "addresses done 1",
      "initialised failed 1",
    ]);
  });

  it("shows no failure in a dry run", () => {
    const timeline = timelineOf(run({ id: "1", applied: 0, attempted: false }));
    expect(statesOf(timeline)?.slice(3)).toEqual(["addresses pending 0", "initialised pending 0"]);
  });

  it("counts a run once", () => {
    const failing = run({ id: "1", lookup: { kind: "notListed" } });
    expect(statesOf(timelineOf(failing, failing))?.[1]).toBe("found failed 1");
  });

  it("is kept by later runs of the initialised node and restarts with the taint", () => {
    const done = run({ id: "1", applied: 2 });
    const later = run({ id: "2", shape: { taints: [] } });
    expect(timelineOf(done, later)).toEqual(timelineOf(done));
    const again = timelineOf(done, later, run({ id: "3", lookup: { kind: "notListed" } }));
    expect(statesOf(again)?.slice(1, 3)).toEqual(["found failed 1", "checked pending 0"]);
  });

  it("goes on while the taint is overridden, and says why the node is not finished", () => {
    const record = overrideText({ by: "Ada", why: "w", untilMs: 2 * CREATED_AT, intentId: "i" });
    const shape = { taints: [], annotations: { [OVERRIDE_ANNOTATION]: record } };
    const lost = run({ id: "1", lookup: { kind: "notListed" } });
    const free = run({ id: "2", lookup: { kind: "notListed" }, shape });
    const timeline = timelineOf(lost, free);
    expect(statesOf(timeline)?.[1]).toBe("found failed 2");
    expect(timeline?.[1]?.reason?.code).toBe("InstanceNotFound");
    const done = timelineOf(lost, free, run({ id: "3", applied: 2, shape }));
    expect(statesOf(done)?.map((text) => text.split(" ")[1])).toEqual(Array(5).fill("done"));
  });

  it("is absent for a node that somebody else initialised", () => {
    expect(timelineOf(run({ id: "1", shape: { taints: [] } }))).toBeUndefined();
  });

  it("stands still while the node is held, even if the cloud is known to have it", () => {
    const before = run({ id: "1", lookup: { kind: "notListed" } });
    const held = run({ id: "2", shape: { annotations: { "cloudwright.io/hold": "racks" } } });
    expect(timelineOf(before, held)).toEqual(timelineOf(before));
    expect(
      statesOf(timelineOf(held))
        ?.slice(1)
        .every((step) => step.includes("pending")),
    ).toBe(true);
  });
});
