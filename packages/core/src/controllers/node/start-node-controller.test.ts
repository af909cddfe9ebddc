import { expect, it } from "vitest";
import type { Trigger } from "../../model/run.ts";
import { createManualClock } from "../../model/testing/manual-clock.ts";
import { settable } from "../../model/testing/settable.ts";
import { FakeInformer, node, UNINITIALIZED } from "../testing/node-fixture.ts";
import { startNodeController } from "./start-node-controller.ts";

async function start(...nodes: readonly ReturnType<typeof node>[]) {
  const clock = createManualClock();
  const informer = new FakeInformer(...nodes);
  const added: string[] = [];
  const period = settable(1_000);
  const queue = {
    add: (key: string, why: Trigger, priority?: string) =>
      void added.push(`${key} ${why.kind === "change" ? why.what : why.kind} ${priority}`),
  };
  const stop = startNodeController({ informer, queue, clock, period });
  await clock.advance(0);
  return { clock, informer, period, stop, take: () => added.splice(0) };
}

it("queues every node at the start, new ones first", async () => {
  const { take } = await start(node(), node({ name: "n2", taints: [UNINITIALIZED] }));
  expect(take()).toEqual(["n1 start background", "n2 start change"]);
});

it("refreshes the initialised nodes once a period, until it is stopped", async () => {
  const { take, clock, stop } = await start(node(), node({ name: "n2", taints: [UNINITIALIZED] }));
  take();
  await clock.advance(2_000);
  expect(take()).toEqual(["n1 period background", "n1 period background"]);
  stop();
  await clock.advance(5_000);
  expect(take()).toEqual([]);
});

it("takes a new period at once", async () => {
  const { take, clock, period, stop } = await start(node());
  take();
  await clock.advance(600);
  period.set(10_000);
  await clock.advance(9_000);
  expect(take()).toEqual([]);
  period.set(2_000);
  await clock.advance(0);
  expect(take()).toEqual(["n1 period background"]);
  await clock.advance(2_000);
  expect(take()).toEqual(["n1 period background"]);
  stop();
  period.set(1_000);
  await clock.advance(5_000);
  expect(take()).toEqual([]);
});

it("reacts to changes that matter and not to heartbeats", async () => {
  const { take, informer, stop } = await start(node());
  take();
  informer.put(node({ resourceVersion: "2" }));
  expect(take()).toEqual([]);
  informer.put(node({ labels: { a: "b" } }));
  informer.put(node({ labels: { a: "b" }, taints: [UNINITIALIZED], ready: "False" }));
  informer.put(node({ name: "n2" }));
  expect(take()).toEqual(["n1 labels change", "n1 taints, readiness change", "n2 created change"]);
  stop();
  informer.put(node({ name: "n3" }));
  expect(take()).toEqual([]);
});

it("reports a node that is gone", async () => {
  const { take, informer } = await start(node());
  take();
  informer.remove("n1");
  expect(take()).toEqual(["n1 deleted change"]);
});

it("notices that a node was registered again between two events", async () => {
  const { take, informer } = await start(node());
  take();
  informer.put(node({ uid: "another" }));
  expect(take()).toEqual(["n1 created anew change"]);
});
