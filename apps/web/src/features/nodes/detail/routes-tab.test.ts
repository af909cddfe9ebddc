import type { RouteCell } from "@cloudwright/core/model/records/route-record";
import type { NodeControllerState } from "@cloudwright/store/views/node-detail";
import { describe, expect, it } from "vitest";
import { routeStep } from "./routes-tab.tsx";
import { timelineModel } from "./timeline-model.ts";

const PART: NodeControllerState = {
  ...{ controller: "node-route-controller", state: "ok", since: 700, at: 900, failures: 0 },
  ...{ nextAt: undefined, runId: "run-2", outcome: "unchanged", drift: "inStep" },
  reason: { code: "RouteInStep", routes: 1 },
  ...{ follows: undefined, underneath: undefined },
};
const CELL: RouteCell = {
  ...{ cidr: "10.244.1.0/24", family: "IPv4", verdict: "keep", wantedNextHop: "i-1" },
};

function node(part: Partial<NodeControllerState>, cells: readonly RouteCell[] = [CELL]) {
  return { controllers: [{ ...PART, ...part }], routes: { kind: "routes", cells } } as const;
}

describe("the route as a step of a node's timeline", () => {
  it("is absent if the route controller has not checked, or the node is deleted", () => {
    expect(routeStep({ controllers: [], routes: undefined })).toBeUndefined();
    expect(routeStep(node({ state: "gone" }))).toBeUndefined();
  });

  it("is done with the last of its routes, in that run", () => {
    const cells = [
      { ...CELL, changedAt: 500, runId: "run-1" },
      { ...CELL, changedAt: 400, runId: "run-0" },
    ];
    expect(routeStep(node({}, cells))).toMatchObject({
      ...{ state: "done", startedAt: 400, endedAt: 500, runId: "run-1" },
    });
  });

  it("is done since it was first seen if we did not make it", () => {
    expect(routeStep(node({}))).toMatchObject({ state: "done", startedAt: 700, endedAt: 700 });
  });

  it("fails for its controller's reason", () => {
    expect(routeStep(node({ state: "working", failures: 2 }))).toMatchObject({
      ...{ state: "failed", tries: 2, startedAt: 700 },
    });
    expect(routeStep(node({ state: "stuck" }))).toMatchObject({ state: "failed" });
  });

  it("waits for the pod range", () => {
    const waiting = node({ state: "waiting", reason: { code: "PodCIDRsMissing" } }, []);
    expect(routeStep(waiting)).toMatchObject({
      state: "pending",
      reason: { code: "PodCIDRsMissing" },
    });
  });
});

describe("in the timeline it", () => {
  const steps = [
    { step: "registered", state: "done", tries: 1, startedAt: 0, endedAt: 0 },
    { step: "initialised", state: "done", tries: 1, startedAt: 700, endedAt: 800 },
  ] as const;
  const route = (endedAt: number) =>
    ({ step: "route", state: "done", tries: 1, startedAt: endedAt - 100, endedAt }) as const;

  it("comes last and does not lengthen the initialisation", () => {
    const model = timelineModel(steps, 9_000, route(600));
    expect(model.rows.map(({ label }) => label)).toEqual([
      ...["Registered", "Labels, provider ID, taint", "Route"],
    ]);
    expect(model).toMatchObject({ done: true, totalMs: 800 });
    expect(model.rows[2]?.bar).toEqual({ start: 500 / 800, width: 100 / 800 });
  });

  it("has no bar if it was made later", () => {
    expect(timelineModel(steps, 9_000, route(5_000)).rows[2]?.bar).toBeUndefined();
  });

  it("is no initialisation by itself", () => {
    expect(timelineModel([], 9_000, route(600))).toMatchObject({ rows: [], done: false });
  });
});
