import type { State } from "@cloudwright/core/model/state";
import type { ClusterView, ControllerInstanceView } from "@cloudwright/store/views";
import { describe, expect, it } from "vitest";
import { clusterSentence, clusterState, worstClusterFirst } from "./cluster-state.ts";

const NOW = 1_000_000;
const LEADER: ControllerInstanceView = {
  identity: "ctl-1",
  version: "1",
  leader: true,
  leaseTransitions: 4,
  heardAt: NOW,
  watchSilentMs: 500,
  spoolBytes: 0,
  dryRun: false,
  controllers: [],
  cloud: undefined,
};

const HOLDING: ControllerInstanceView = {
  ...LEADER,
  controls: {
    pauses: [],
    guard: { limit: 5, windowMs: 600_000, deleted: 5, held: [], heldCount: 2 },
  },
};

const NONE = { stuck: 0, unknown: 0, waiting: 0, working: 0, held: 0, ok: 0, gone: 0 };
const BALANCERS = { states: NONE, drifted: 0, orphans: 0, orphansStuck: 0 };
const ROUTES = {
  ...{ drifted: 0, wanted: 0, inStep: 0, stale: 0, foreign: 0, tables: 0 },
  ...{ states: NONE, staleStuck: 0, tablesStuck: 0, fullest: undefined },
};
const VOLUMES = { states: NONE, drifted: 0 };

function cluster(nodes: Partial<Record<State, number>>, rest: Partial<ClusterView> = {}) {
  return {
    id: "c",
    name: "prod",
    provider: "sandbox",
    lastHeardAt: NOW,
    leader: LEADER,
    instances: [LEADER],
    nodes: { ...NONE, ...nodes },
    balancers: BALANCERS,
    routes: ROUTES,
    volumes: VOLUMES,
    runs: { all: 0, changed: 0, failed: 0 },
    openIntents: 0,
    gaps: [],
    ...rest,
  } satisfies ClusterView;
}

describe("the state of a cluster", () => {
  it.each([
    [{ ok: 5 }, "ok"],
    [{}, "ok"],
    [{ ok: 5, gone: 2 }, "ok"],
    [{ ok: 5, waiting: 1 }, "waiting"],
    [{ ok: 5, waiting: 1, stuck: 1 }, "stuck"],
  ] as const)("of nodes %j is %s", (nodes, state) => {
    expect(clusterState(cluster(nodes), NOW)).toBe(state);
  });

  it.each<Partial<ClusterView>>([
    { volumes: { ...VOLUMES, states: { ...NONE, ok: 3, stuck: 1 } } },
    { balancers: { ...BALANCERS, states: { ...NONE, ok: 3, stuck: 1 } } },
    { balancers: { ...BALANCERS, orphans: 2, orphansStuck: 1 } },
    { routes: { ...ROUTES, stale: 2, staleStuck: 1 } },
    { routes: { ...ROUTES, tables: 2, tablesStuck: 1 } },
  ])("is that of what is worse than all nodes: %j", (rest) => {
    expect(clusterState(cluster({ ok: 5, waiting: 1 }, rest), NOW)).toBe("stuck");
  });

  it("is unknown when it stopped reporting or nobody leads, however well its nodes were", () => {
    expect(clusterState(cluster({ ok: 5 }, { lastHeardAt: NOW - 30_001 }), NOW)).toBe("unknown");
    expect(clusterState(cluster({ ok: 5 }, { leader: undefined }), NOW)).toBe("unknown");
  });
});

describe("the sentence of a cluster", () => {
  const stuck = { ...NONE, ok: 3, stuck: 1 };
  it.each<[Partial<Record<State, number>>, Partial<ClusterView>, string]>([
    [{ ok: 5 }, {}, "All 5 nodes are in step with the cloud."],
    [{ ok: 5, stuck: 2 }, {}, "2 nodes need you."],
    [
      { ok: 5, stuck: 2 },
      { balancers: { ...BALANCERS, states: stuck, orphansStuck: 1 } },
      "2 nodes and 2 load balancers need you.",
    ],
    [
      { ok: 5 },
      {
        routes: { ...ROUTES, staleStuck: 2, tablesStuck: 1 },
        volumes: { ...VOLUMES, states: stuck },
      },
      "2 routes, 1 route table and 1 volume need you.",
    ],
    [{ ok: 5 }, { volumes: { ...VOLUMES, states: stuck } }, "1 volume needs you."],
    [{ ok: 5 }, { leader: HOLDING }, "2 deletions wait for an admin."],
  ])("of nodes %j and %j", (nodes, rest, sentence) => {
    expect(clusterSentence(cluster(nodes, rest))).toBe(sentence);
  });
});

it("clusters are listed worst first", () => {
  const well = cluster({ ok: 1 }, { id: "well" });
  const stuck = cluster({ stuck: 1 }, { id: "stuck" });
  expect(worstClusterFirst([well, stuck], NOW).map(({ id }) => id)).toEqual(["stuck", "well"]);
});
