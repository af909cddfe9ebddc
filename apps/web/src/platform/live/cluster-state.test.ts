import type { State } from "@cloudwright/core/model/state";
import type { ClusterView, ControllerInstanceView } from "@cloudwright/store/views/clusters";
import type { ClusterHealth, Needs } from "@cloudwright/store/views/health";
import { describe, expect, it } from "vitest";
import { healthWith } from "../../testing/health.ts";
import { NO_HEALTH } from "../wording/health-messages.ts";
import {
  clusterSentence,
  clusterSilence,
  clusterState,
  worstClusterFirst,
} from "./cluster-state.ts";

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

const NONE = { stuck: 0, unknown: 0, waiting: 0, working: 0, held: 0, ok: 0, gone: 0 };
const LOAD_BALANCERS = { states: NONE, drifted: 0, orphans: 0, orphansStuck: 0 };
const ROUTES = {
  ...{ drifted: 0, wanted: 0, inStep: 0, stale: 0, foreign: 0, tables: 0 },
  ...{ states: NONE, staleStuck: 0, tablesStuck: 0, fullest: undefined },
};
const REPORTED = healthWith({ present: 5, reported: 5 });
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
    balancers: LOAD_BALANCERS,
    routes: ROUTES,
    volumes: VOLUMES,
    health: REPORTED,
    runs: { all: 0, changed: 0, failed: 0 },
    openIntents: 0,
    waiting: { balancers: 0, routes: 0 },
    gaps: [],
    ...rest,
  } satisfies ClusterView;
}

function needing(needs: Partial<Needs>): ClusterHealth {
  return { ...REPORTED, needs: { ...REPORTED.needs, ...needs } };
}

describe("the state of a cluster", () => {
  it.each([
    [{ ok: 5 }, "ok"],
    [{ ok: 5, gone: 2 }, "ok"],
    [{ ok: 5, waiting: 1 }, "waiting"],
  ] as const)("of nodes %j is %s", (nodes, state) => {
    expect(clusterState(cluster(nodes), NOW)).toBe(state);
  });

  it.each([
    ["nobody has said what there is", NO_HEALTH],
    ["none of its nodes has reported", healthWith({ present: 500, reported: 0 })],
    ["some of its nodes have not reported", healthWith({ present: 500, reported: 3 })],
    [
      "one of its nodes is not initialised",
      healthWith({ present: 3, reported: 3, uninitialised: 1 }),
    ],
  ])("is not OK while %s, even if nothing that has reported is worse", (_, health) => {
    expect(clusterState(cluster({}, { health }), NOW)).toBe("working");
    expect(clusterState(cluster({ ok: 3 }, { health }), NOW)).toBe("working");
  });

  it.each([
    "Node",
    "Service",
    "LoadBalancer",
    "Route",
    "RouteTable",
    "PersistentVolume",
    "Namespace",
  ])("is stuck as soon as a %s is", (kind) => {
    const rest = { health: needing({ stuck: { [kind]: 1 } }) };
    expect(clusterState(cluster({ ok: 5, waiting: 1 }, rest), NOW)).toBe("stuck");
  });

  it("is unknown if its leader no longer receives anything from the cluster", () => {
    const deaf = { ...LEADER, watchSilentMs: 60_001 };
    expect(clusterState(cluster({ ok: 5 }, { leader: deaf }), NOW)).toBe("unknown");
  });

  it("is unknown if it stopped reporting or has no leader, however healthy its nodes were", () => {
    const silent = { ...LEADER, heardAt: NOW - 30_001 };
    expect(clusterState(cluster({ ok: 5 }, { leader: silent }), NOW)).toBe("unknown");
    expect(clusterState(cluster({ ok: 5 }, { leader: undefined }), NOW)).toBe("unknown");
  });
});

describe("the start of a cluster's silence", () => {
  const silence = (leader: ControllerInstanceView | undefined) =>
    clusterSilence(cluster({ ok: 5 }, { leader, lastHeardAt: NOW - 40_000 }), NOW);

  it.each([
    ["is not said of one that reports", LEADER, undefined],
    ["is the last report", { ...LEADER, heardAt: NOW - 50_000 }, NOW - 50_000],
    ["is the last that its leader received", { ...LEADER, watchSilentMs: 61_000 }, NOW - 61_000],
    ["is the last report of any where nobody leads", undefined, NOW - 40_000],
  ])("%s", (_, leader, since) => {
    expect(silence(leader)).toBe(since);
  });
});

describe("the summary of a cluster", () => {
  it.each<[Partial<Needs>, string]>([
    [{}, "All 5 nodes are in sync with the cloud."],
    [{ stuck: { Node: 2 } }, "2 nodes need you."],
    [{ stuck: { Node: 2, Service: 1, LoadBalancer: 1 } }, "2 nodes and 2 load balancers need you."],
    [
      { stuck: { Route: 2, RouteTable: 1, PersistentVolume: 1 } },
      "2 routes, 1 route table and 1 volume need you.",
    ],
    [{ stuck: { PersistentVolume: 1 } }, "1 volume needs you."],
    [{ stuck: { Node: 1, Namespace: 2 } }, "1 node and 2 namespaces need you."],
    [{ held: 2 }, "2 deletions are waiting for an admin."],
  ])("of %j", (needs, sentence) => {
    expect(clusterSentence(cluster({ ok: 5 }, { health: needing(needs) }), NOW)).toBe(sentence);
  });

  it("begins with what affects many objects at once", () => {
    const reason = { code: "ProviderThrottled", provider: "s", operation: "GET /x" } as const;
    const alarm = { kind: "unknown", of: "Node", count: 9, total: 10, since: NOW, reason } as const;
    const health = { ...REPORTED, alarms: [alarm] };
    expect(clusterSentence(cluster({ ok: 1, unknown: 9 }, { health }), NOW)).toMatch(
      /^9 of 10 nodes could not be observed .* No node needs you\. 1 nodes? of 10/,
    );
  });
});

it("clusters are listed worst first", () => {
  const well = cluster({ ok: 1 }, { id: "well" });
  const stuck = cluster({ stuck: 1 }, { id: "stuck", health: needing({ stuck: { Node: 1 } }) });
  expect(worstClusterFirst([well, stuck], NOW).map(({ id }) => id)).toEqual(["stuck", "well"]);
});
