import type { State } from "@cloudwright/core/model/state";
import type { ClusterView, ControllerInstanceView } from "@cloudwright/store/views";
import { describe, expect, it } from "vitest";
import { clusterState, worstClusterFirst } from "./cluster-state.ts";

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

const NO_BALANCER = { stuck: 0, unknown: 0, waiting: 0, working: 0, held: 0, ok: 0, gone: 0 };

function cluster(nodes: Partial<Record<State, number>>, rest: Partial<ClusterView> = {}) {
  return {
    id: "c",
    name: "prod",
    provider: "sandbox",
    lastHeardAt: NOW,
    leader: LEADER,
    instances: [LEADER],
    nodes: { stuck: 0, unknown: 0, waiting: 0, working: 0, held: 0, ok: 0, gone: 0, ...nodes },
    balancers: { states: NO_BALANCER, drifted: 0, orphans: 0 },
    routes: {
      ...{ drifted: 0, wanted: 0, inStep: 0, stale: 0, foreign: 0, tables: 0 },
      ...{ states: NO_BALANCER, fullest: undefined },
    },
    volumes: { states: NO_BALANCER, drifted: 0 },
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

  it("is that of a volume that is worse than all else", () => {
    const volumes = { states: { ...NO_BALANCER, ok: 3, stuck: 1 }, drifted: 0 };
    expect(clusterState(cluster({ ok: 5 }, { volumes }), NOW)).toBe("stuck");
  });

  it("is that of a load balancer that is worse than all nodes", () => {
    const balancers = { states: { ...NO_BALANCER, ok: 3, stuck: 1 }, drifted: 0, orphans: 0 };
    expect(clusterState(cluster({ ok: 5, waiting: 1 }, { balancers }), NOW)).toBe("stuck");
  });

  it("is unknown when it stopped reporting or nobody leads, however well its nodes were", () => {
    expect(clusterState(cluster({ ok: 5 }, { lastHeardAt: NOW - 30_001 }), NOW)).toBe("unknown");
    expect(clusterState(cluster({ ok: 5 }, { leader: undefined }), NOW)).toBe("unknown");
  });
});

it("clusters are listed worst first", () => {
  const well = cluster({ ok: 1 }, { id: "well" });
  const stuck = cluster({ stuck: 1 }, { id: "stuck" });
  expect(worstClusterFirst([well, stuck], NOW).map(({ id }) => id)).toEqual(["stuck", "well"]);
});
