import { describe, expect, it } from "vitest";
import { NO_HEALTH } from "../../platform/wording/health-messages.ts";
import { cluster, instance } from "../../testing/cluster-view.ts";
import { causeListAddress, causeTitle, fleetSentence } from "./fleet-messages.ts";

const NOW = Date.now();
const WELL = cluster({ name: "well" });
const NEEDING = cluster({
  name: "needing",
  health: { ...NO_HEALTH, needs: { ...NO_HEALTH.needs, stuck: { Node: 2 } } },
});
const HELD = cluster({
  name: "held",
  health: { ...NO_HEALTH, needs: { ...NO_HEALTH.needs, held: 1 } },
});
const SILENT = cluster({
  ...{ ...NEEDING, name: "silent", lastHeardAt: NOW - 600_000 },
  leader: instance({ heardAt: NOW - 600_000 }),
});

describe("the summary of the fleet", () => {
  it.each([
    [[WELL], "Nothing needs you in the one cluster."],
    [[WELL, WELL], "Nothing needs you in any of the 2 clusters."],
    [[WELL, NEEDING], "1 of 2 clusters needs you."],
    [[HELD, NEEDING], "2 of 2 clusters need you."],
    [[WELL, NEEDING, SILENT], "1 of 3 clusters needs you. The state of 1 is unknown."],
    [[WELL, SILENT], "Nothing needs you in the 1 that report. The state of 1 is unknown."],
    [[SILENT, SILENT], "The state of all 2 clusters is unknown."],
  ])("of %#", (clusters, sentence) => {
    expect(fleetSentence(clusters, NOW)).toBe(sentence);
  });
});

const inCluster = (kinds: Readonly<Record<string, number>>) => ({
  ...{ cluster: "c-1", name: "prod", count: 1, since: 0, kinds, members: [] },
});

it("counts the objects of a cause over all clusters", () => {
  const clusters = [inCluster({ Node: 7 }), inCluster({ Node: 2, Service: 1 })];
  expect(causeTitle({ clusters })).toBe("Same cause in 2 clusters: 9 nodes and 1 load balancer");
});

it.each([
  [{ Node: 3 }, "/c/c-1/nodes?state=stuck&reason=QuotaReached"],
  [{ Service: 3 }, "/c/c-1/load-balancers?state=stuck&reason=QuotaReached"],
  [{ Node: 1, Service: 1 }, undefined],
  [{ Route: 1 }, undefined],
])("the link for %j leads to their list", (kinds, address) => {
  const cause = { kind: "stuck", code: "QuotaReached" } as const;
  expect(causeListAddress(inCluster(kinds), cause)).toBe(address);
});
