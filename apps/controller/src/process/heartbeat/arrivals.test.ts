import { SERVICE_WATCH } from "@cloudwright/core/controllers/service/module";
import { FakeInformer, node } from "@cloudwright/core/controllers/testing/node-fixture";
import { createManualClock } from "@cloudwright/core/model/testing/manual-clock";
import { expect, it } from "vitest";
import { WatchCaches } from "../../wiring/cluster/cluster-informers.ts";
import { followArrivals } from "./arrivals.ts";

function setUp() {
  const clock = createManualClock();
  const nodes = new FakeInformer();
  const services = new FakeInformer();
  const caches = new WatchCaches();
  caches.add(SERVICE_WATCH, services as never);
  const announced: number[] = [];
  followArrivals({ nodes, caches }, { clock, onArrival: () => announced.push(clock.monotonic()) });
  return { clock, nodes, services, announced };
}

it("announces a new Node or Service immediately", async () => {
  const { clock, nodes, services, announced } = setUp();
  nodes.put(node());
  expect(announced).toEqual([0]);
  await clock.advance(2_000);
  services.put(node({ name: "web" }));
  expect(announced).toEqual([0, 2_000]);
});

it("announces arrivals within half a second together, and misses none", async () => {
  const { clock, nodes, services, announced } = setUp();
  nodes.put(node({ name: "n1" }));
  await clock.advance(100);
  nodes.put(node({ name: "n2" }));
  services.put(node({ name: "web" }));
  expect(announced).toEqual([0]);
  await clock.advance(5_000);
  expect(announced).toEqual([0, 500]);
});

it("ignores changes and deletions: those objects are in the ledger already", async () => {
  const { clock, nodes, announced } = setUp();
  nodes.put(node());
  await clock.advance(1_000);
  nodes.put(node({ resourceVersion: "2" }));
  nodes.remove("n1");
  await clock.advance(1_000);
  expect(announced).toEqual([0]);
});
