import { expect, it } from "vitest";
import { createManualClock } from "../../model/testing/manual-clock.ts";
import { FakeInformer, node, UNINITIALIZED } from "../testing/node-fixture.ts";
import { CLOUD_LABELS_ANNOTATION } from "./node-object.ts";
import { watchNodes } from "./node-sightings.ts";

const NEW = node({ taints: [UNINITIALIZED] });

function setUp(...nodes: readonly ReturnType<typeof node>[]) {
  const informer = new FakeInformer(...nodes);
  const clock = createManualClock();
  return { informer, clock, sightings: watchNodes(informer, clock) };
}

it("knows since when it has seen each Node, by UID and not by name", async () => {
  const { informer, clock, sightings } = setUp(NEW);
  await clock.advance(1_000);
  informer.put(node({ resourceVersion: "2", taints: [UNINITIALIZED] }));
  expect(sightings.firstSeen("uid-n1")).toBe(0);
  informer.put(node({ uid: "uid-2", taints: [UNINITIALIZED] }));
  await clock.advance(1_000);
  expect(sightings.firstSeen("uid-2")).toBe(1_000);
  informer.remove("n1");
  expect(sightings.firstSeen("uid-2")).toBe(2_000);
  expect(sightings.wasUninitialised("uid-2")).toBe(false);
});

it("remembers a Node that had the taint until this controller has initialised it", () => {
  const { informer, sightings } = setUp(NEW, node({ name: "n2" }));
  expect(sightings.wasUninitialised("uid-n2")).toBe(false);
  informer.put(node());
  expect(sightings.wasUninitialised("uid-n1")).toBe(true);
  informer.put(node({ annotations: { [CLOUD_LABELS_ANNOTATION]: "" } }));
  expect(sightings.wasUninitialised("uid-n1")).toBe(false);
  informer.put(node());
  expect(sightings.wasUninitialised("uid-n1")).toBe(false);
});
