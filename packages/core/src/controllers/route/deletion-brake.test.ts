import { expect, it, test } from "vitest";
import { FakeInformer, node } from "../testing/node-fixture.ts";
import { ClusterNodes } from "./claims/cluster-nodes.ts";
import { ipRangesOf } from "./claims/pod-ranges.ts";
import { RouteClassifier } from "./claims/route-classifier.ts";
import { DeletionBrake } from "./deletion-brake.ts";
import { CLUSTER_UID, cloudRoute } from "./testing/scripted-routes.ts";

const NODES = Array.from({ length: 100 }, (_, index) =>
  node({ name: `n${index}`, providerID: `p://n${index}`, podCIDRs: [`10.0.${index}.0/24`] }),
);

/** Returns a brake whose listings are all periodic ones. */
function brakeOf(informer: FakeInformer) {
  const ranges = ipRangesOf(["10.0.0.0/16"]);
  const nodes = new ClusterNodes(informer);
  const families = ["IPv4", "IPv6"] as const;
  const cloud = { provider: "p", families, storesOwner: true, adopt: "published" } as const;
  const brake = new DeletionBrake(
    new RouteClassifier({ nodes, informer, clusterUid: CLUSTER_UID, ranges, ...cloud }),
  );
  return {
    brake,
    heed: (seen: ReturnType<typeof listing>) => {
      const unconfirmed = brake.unconfirmed(seen);
      brake.sweptBy(seen);
      return unconfirmed;
    },
  };
}

/** Returns a listing with the routes of this many nodes, the first of which lead to the wrong machine. */
function listing(asOf: number, { of, wrong }: { readonly of: number; readonly wrong: number }) {
  const routes = Array.from({ length: of }, (_, index) =>
    cloudRoute({
      id: `r-${index}`,
      destination: `10.0.${index}.0/24`,
      to: index < wrong ? "p://else" : `p://n${index}`,
      mark: { ours: `n${index}` },
    }),
  );
  return { routes, tables: [], asOf };
}

test.each([
  [20, 5, 0],
  [20, 6, 6],
  [100, 10, 0],
  [100, 11, 11],
  [100, 100, 100],
])("of %i routes, %i that look stale at once leave %i in doubt", (of, wrong, doubted) => {
  const brake = brakeOf(new FakeInformer(...NODES));
  expect(brake.heed(listing(1, { of, wrong }))?.ids.size ?? 0).toBe(doubted);
});

it("believes what two listings show", () => {
  const brake = brakeOf(new FakeInformer(...NODES));
  expect(brake.heed(listing(1, { of: 20, wrong: 10 }))?.of).toBe(20);
  expect(brake.heed(listing(1, { of: 20, wrong: 10 }))?.ids.size).toBe(10);
  expect([...(brake.heed(listing(2, { of: 20, wrong: 12 }))?.ids ?? [])]).toEqual(["r-10", "r-11"]);
  expect(brake.heed(listing(3, { of: 20, wrong: 12 }))).toBeUndefined();
});

it("starts over after a listing without stale routes", () => {
  const brake = brakeOf(new FakeInformer(...NODES));
  brake.heed(listing(1, { of: 20, wrong: 10 }));
  brake.heed(listing(2, { of: 20, wrong: 0 }));
  expect(brake.heed(listing(3, { of: 20, wrong: 10 }))?.ids.size).toBe(10);
});

it("does not doubt the deletion of nodes that it saw", () => {
  const informer = new FakeInformer(...NODES);
  const brake = brakeOf(informer);
  for (let index = 0; index < 50; index++) informer.remove(`n${index}`);
  expect(brake.heed(listing(1, { of: 100, wrong: 0 }))).toBeUndefined();
});

it("believes a second listing of the run that waited for it, even if the periodic check listed in between", () => {
  const { brake } = brakeOf(new FakeInformer(...NODES));
  const doubts = brake.unconfirmed(listing(1, { of: 20, wrong: 10 }))?.listing;
  expect(brake.unconfirmed(listing(2, { of: 20, wrong: 10 }))?.ids.size).toBe(10);
  expect(brake.unconfirmed(listing(2, { of: 20, wrong: 10 }), doubts)).toBeUndefined();
});

it("compares a run's listing with the periodic one before it", () => {
  const { brake, heed } = brakeOf(new FakeInformer(...NODES));
  heed(listing(1, { of: 20, wrong: 10 }));
  heed(listing(2, { of: 20, wrong: 10 }));
  expect(brake.unconfirmed(listing(2, { of: 20, wrong: 10 }))).toBeUndefined();
});
