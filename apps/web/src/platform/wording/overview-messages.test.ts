import type { ClusterHealth } from "@cloudwright/store/views/health";
import type { OverviewView, Problem } from "@cloudwright/store/views/overview";
import { describe, expect, it } from "vitest";
import { healthWith } from "../../testing/health.ts";
import { NO_HEALTH } from "./health-messages.ts";
import { overviewSentence, summaryText } from "./overview-messages.ts";

const NOW = Date.UTC(2026, 10, 24, 14, 2, 9);
const MINUTE = 60_000;

const REPORTED = healthWith({ present: 3, reported: 3 });
const VIEW: OverviewView = {
  nodes: { stuck: 0, unknown: 0, waiting: 0, working: 0, held: 0, ok: 3, gone: 2 },
  balancers: {
    states: { stuck: 0, unknown: 0, waiting: 0, working: 0, held: 0, ok: 0, gone: 0 },
    drifted: 0,
    orphans: 0,
    orphansStuck: 0,
  },
  routes: {
    states: { stuck: 0, unknown: 0, waiting: 0, working: 0, held: 0, ok: 0, gone: 0 },
    ...{ drifted: 0, wanted: 0, inStep: 0, stale: 0, foreign: 0, tables: 0 },
    ...{ staleStuck: 0, tablesStuck: 0, fullest: undefined },
  },
  volumes: {
    states: { stuck: 0, unknown: 0, waiting: 0, working: 0, held: 0, ok: 0, gone: 0 },
    drifted: 0,
  },
  health: REPORTED,
  problems: [],
  fleet: undefined,
  minutes: [],
  changes: [],
};

function problem(over: Partial<Problem> & { readonly minutes: number }): Problem {
  const { minutes, count = 1, kind = "stuck", code = "InstanceUnclaimed", of = "Node" } = over;
  const since = NOW - minutes * MINUTE;
  const node = {
    name: `w-${minutes}`,
    uid: `uid-${minutes}`,
    controller: "cloud-node-controller",
    reason: { code: "InstanceUnclaimed", provider: "aws" },
    since,
    nextAt: NOW + 2 * MINUTE,
  } as const;
  return { id: `${kind} ${minutes}`, kind, of, code, count, since, members: [node] };
}

describe("the summary of the overview", () => {
  it.each([
    [[], "All 3 nodes are in sync with the cloud."],
    [[problem({ minutes: 14 })], "1 node needs you. Oldest: w-14, stuck 14 min."],
    [
      [problem({ minutes: 6, count: 3 }), problem({ minutes: 14 })],
      "4 nodes need you. Oldest: w-14, stuck 14 min.",
    ],
    [
      [problem({ minutes: 5, kind: "held", count: 2 })],
      "2 deletions are waiting for an admin. Oldest: w-5, held 5 min.",
    ],
    [
      [problem({ minutes: 5, kind: "held" }), problem({ minutes: 6 })],
      "1 node needs you. 1 deletion is waiting for an admin. Oldest: w-6, stuck 6 min.",
    ],
    [
      [problem({ minutes: 5, count: 3 }), problem({ minutes: 6, of: "Service" })],
      "3 nodes and 1 load balancer need you. Oldest: w-6, stuck 6 min.",
    ],
    [
      [problem({ minutes: 6, of: "LoadBalancer" })],
      "1 load balancer needs you. Oldest: w-6, stuck 6 min.",
    ],
    [
      [
        problem({ minutes: 5, count: 2 }),
        problem({ minutes: 6, of: "PersistentVolume" }),
        problem({ minutes: 7, of: "Route" }),
      ],
      "2 nodes, 1 route and 1 volume need you. Oldest: w-7, stuck 7 min.",
    ],
    [
      [problem({ minutes: 5, of: "RouteTable" })],
      "1 route table needs you. Oldest: w-5, stuck 5 min.",
    ],
  ])("of %j", (problems, sentence) => {
    const view = { ...VIEW, problems, health: healthOf(problems) };
    expect(overviewSentence(view, NOW)).toBe(sentence);
  });

  it("begins with what affects many objects, and ends with what has not reported", () => {
    const health: ClusterHealth = {
      ...NO_HEALTH,
      needs: { ...NO_HEALTH.needs, held: 8 },
      coverage: {
        ...NO_HEALTH.coverage,
        Node: { present: 2_000, reported: 468, isExpected: true, uninitialised: 328 },
      },
      alarms: [
        {
          kind: "vanished",
          count: 13,
          total: 18,
          withinMs: 45_000,
          since: NOW - MINUTE,
          removed: 5,
          held: 8,
        },
      ],
    };
    const problems = [problem({ minutes: 5, kind: "held", count: 8 })];
    expect(overviewSentence({ ...VIEW, problems, health }, NOW)).toBe(
      "13 of 18 machines vanished within 1 min: 5 nodes removed, 8 deletions held. 8 deletions are waiting for an admin. Oldest: w-5, held 5 min. 468 of 2,000 nodes have reported; 328 are not initialised yet.",
    );
  });

  it("never calls all well while the cluster has more than has reported", () => {
    const health = healthWith({ present: 2_000, reported: 3, uninitialised: 0 });
    expect(overviewSentence({ ...VIEW, health }, NOW)).toBe(
      "3 of 2,000 nodes have reported. None of those that have reported needs you.",
    );
  });
});

/** As the store counts it. */
function healthOf(problems: readonly Problem[]): ClusterHealth {
  const stuck: Record<string, number> = {};
  let { held } = REPORTED.needs;
  for (const { kind, of, count } of problems) {
    if (kind === "held") held += count;
    else stuck[of] = (stuck[of] ?? 0) + count;
  }
  return { ...REPORTED, needs: { ...REPORTED.needs, stuck, held } };
}

describe("while nothing needs a user", () => {
  const NONE = VIEW.balancers.states;
  const loadBalancers = (states: Partial<typeof NONE>) => ({
    ...VIEW.balancers,
    states: { ...NONE, ...states },
  });
  it.each([
    [VIEW.nodes, { ok: 38 }, "All 3 nodes and 38 load balancers are in sync with the cloud."],
    [
      VIEW.nodes,
      { ok: 1, waiting: 1 },
      "All 3 nodes are in sync with the cloud. 1 of 2 load balancers are OK.",
    ],
    [
      { ...VIEW.nodes, waiting: 1 },
      { ok: 1 },
      "No node needs you. 3 nodes of 4 are in sync; 1 waiting. The one load balancer is in sync.",
    ],
  ])("%j and %j", (nodes, states, sentence) => {
    expect(overviewSentence({ ...VIEW, nodes, balancers: loadBalancers(states) }, NOW)).toBe(
      sentence,
    );
  });
});

describe("while nothing needs a user, routes", () => {
  const routes = (wanted: number, inSync: number) => ({ ...VIEW.routes, wanted, inStep: inSync });
  const loadBalancers = { ...VIEW.balancers, states: { ...VIEW.balancers.states, ok: 38 } };
  it.each([
    [{ routes: routes(6, 6) }, "All 3 nodes and 6 routes are in sync with the cloud."],
    [
      { balancers: loadBalancers, routes: routes(1_204, 1_204) },
      "All 3 nodes, 38 load balancers and 1,204 routes are in sync with the cloud.",
    ],
    [
      { balancers: loadBalancers, routes: routes(3, 2) },
      "All 3 nodes are in sync with the cloud. All 38 load balancers are in sync. 2 of 3 routes are in sync.",
    ],
  ])("of %j", (over, sentence) => {
    expect(overviewSentence({ ...VIEW, ...over }, NOW)).toBe(sentence);
  });
});

describe("while not everything in the cluster has reported, the known part is not called all", () => {
  const nodes = { ...VIEW.nodes, ok: 118 };
  const routes = { ...VIEW.routes, wanted: 210, inStep: 210 };
  const states = { ...VIEW.balancers.states, ok: 38 };
  const coverage = {
    Node: { present: 500, reported: 118, isExpected: true, uninitialised: 382 },
    Service: { present: 40, reported: 38, isExpected: true, uninitialised: undefined },
  };

  it.each([
    [
      { routes },
      "118 of 500 nodes have reported; 382 are not initialised yet. None of those that have reported needs you. 210 routes are known to be in sync.",
    ],
    [
      { routes: { ...routes, inStep: 1, wanted: 1 }, balancers: { ...VIEW.balancers, states } },
      "118 of 500 nodes have reported; 382 are not initialised yet. None of those that have reported needs you. 38 load balancers are known to be in sync. 1 route is known to be in sync.",
    ],
  ])("%j", (over, sentence) => {
    const view = { ...VIEW, nodes, health: { ...NO_HEALTH, coverage }, ...over };
    expect(overviewSentence(view, NOW)).toBe(sentence);
  });
});

it("a single load balancer that is not OK is counted as one", () => {
  const states = { ...VIEW.balancers.states, unknown: 1 };
  expect(overviewSentence({ ...VIEW, balancers: { ...VIEW.balancers, states } }, NOW)).toBe(
    "All 3 nodes are in sync with the cloud. 0 of 1 load balancer is OK.",
  );
});

describe("the summary for the incident channel", () => {
  it("says what the page says, with the page's address", () => {
    const text = summaryText({
      view: {
        ...VIEW,
        nodes: { ...VIEW.nodes, stuck: 4, ok: 1_200 },
        balancers: {
          states: { ...VIEW.balancers.states, ok: 37, stuck: 1 },
          drifted: 0,
          orphans: 2,
          orphansStuck: 0,
        },
        routes: { ...VIEW.routes, wanted: 1_204, inStep: 1_202, stale: 1, foreign: 4 },
        volumes: { states: { ...VIEW.volumes.states, ok: 7 }, drifted: 1 },
        health: { ...NO_HEALTH, needs: { ...NO_HEALTH.needs, stuck: { Node: 4 } } },
        problems: [problem({ minutes: 14, count: 3 }), problem({ minutes: 6 })],
      },
      cluster: undefined,
      now: NOW,
      href: "https://dashboard.example/c/c1",
    });
    expect(text.split("\n")).toEqual([
      "The cluster at 2026-11-24 14:02:09 UTC",
      "4 nodes need you. Oldest: w-14, stuck 14 min.",
      expect.stringMatching(
        /^- 3 nodes, such as: Node `?w-14`? has been stuck for 14 min: Aws returned no/i,
      ),
      expect.stringMatching(/^- Node `?w-6`? has been stuck for 6 min: .*Next attempt/i),
      "Nodes 1,204: Stuck 4, OK 1,200.",
      "Load balancers 38: Stuck 1, OK 37, drifted 0, without a Service 2.",
      "Routes 1,204: in sync 1,202, without a node 1, not ours 4.",
      "Volumes 7: OK 7, drifted 1.",
      "https://dashboard.example/c/c1",
    ]);
  });

  it("counts nothing before anything has been reported", () => {
    const nodes = { ...VIEW.nodes, ok: 0 };
    const view = { ...VIEW, nodes, health: NO_HEALTH };
    const text = summaryText({ view, cluster: undefined, now: NOW, href: "https://x" });
    expect(text.split("\n").slice(1)).toEqual([
      "No node has been seen in this cluster yet.",
      "https://x",
    ]);
  });
});
