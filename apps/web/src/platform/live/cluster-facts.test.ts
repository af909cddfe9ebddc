import { judgeFreshness } from "@cloudwright/core/model/freshness/freshness";
import type { ControllerInstanceView } from "@cloudwright/store/views/clusters";
import { expect, it } from "vitest";
import { clusterFacts } from "./cluster-facts.ts";

const SERVER_NOW = 5_000_000;
const LEADER: ControllerInstanceView = {
  identity: "ctl-1",
  version: "1",
  leader: true,
  leaseTransitions: 4,
  heardAt: SERVER_NOW - 2_000,
  watchSilentMs: 500,
  spoolBytes: 0,
  dryRun: false,
  controllers: [],
  cloud: {
    ...{ callsLastMinute: 3, throttledLastMinute: 0, allowedPerSecond: undefined },
    ...{ resumesAt: undefined, failingSince: SERVER_NOW - 90_000 },
  },
};

it.each([-3_600_000, 0, 3_600_000])(
  "a browser whose clock is %i ms ahead does not call the leader silent for that",
  (skewMs) => {
    const now = SERVER_NOW + skewMs;
    const facts = clusterFacts({ lastHeardAt: LEADER.heardAt, leader: LEADER }, skewMs);
    expect(facts.leader).toMatchObject({
      reportedAt: now - 2_000,
      cloud: { failingSince: now - 90_000 },
    });
    const answered = { newest: "answered", answeredAt: now } as const;
    const judged = judgeFreshness({
      ...{ now, server: answered, database: answered, stream: { kind: "open" } as const },
      ...{ keptSince: undefined, readAt: now, cluster: facts },
    });
    expect(judged.failure).toEqual({ link: "cloud", cause: "silent", since: now - 90_000 });
  },
);
