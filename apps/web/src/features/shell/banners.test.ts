import type { ClusterView, ControllerInstanceView } from "@cloudwright/store/views";
import { describe, expect, it } from "vitest";
import { NO_HEALTH } from "../health/health-words.ts";
import { bannersOf } from "./banners.ts";

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
const CLUSTER: ClusterView = {
  id: "c1",
  name: "prod",
  provider: "sandbox",
  lastHeardAt: NOW - 1_000,
  leader: LEADER,
  instances: [LEADER],
  nodes: { stuck: 0, unknown: 0, waiting: 0, working: 0, held: 0, ok: 1, gone: 0 },
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
  health: NO_HEALTH,
  runs: { all: 0, changed: 0, failed: 0 },
  openIntents: 0,
  gaps: [],
};

function ids(cluster: ClusterView | undefined, unreachable = false): readonly string[] {
  return bannersOf(cluster, NOW, unreachable).map(({ id }) => id);
}

describe("the banners of every page", () => {
  it("are none when all is well, or not known yet", () => {
    expect(ids(CLUSTER)).toEqual([]);
    expect(ids(undefined)).toEqual([]);
  });

  it("say alone that the database is lost: nothing else can be known", () => {
    expect(ids({ ...CLUSTER, leader: undefined }, true)).toEqual(["database"]);
  });

  it("say that no controller was heard for more than 30 s, with the time", () => {
    const silent = { ...CLUSTER, lastHeardAt: NOW - 95_000 };
    expect(ids(silent)).toEqual(["silent"]);
    expect(bannersOf(silent, NOW, false)[0]?.text).toContain("2 min");
    expect(ids({ ...CLUSTER, lastHeardAt: NOW - 30_000 })).toEqual([]);
  });

  it("say that nobody leads", () => {
    expect(ids({ ...CLUSTER, leader: undefined })).toEqual(["leader"]);
  });

  it("say that the leader's watch is silent, and that it is a dry run", () => {
    const leader = { ...LEADER, watchSilentMs: 61_000, dryRun: true };
    expect(ids({ ...CLUSTER, leader })).toEqual(["watch", "dry-run"]);
  });
});
