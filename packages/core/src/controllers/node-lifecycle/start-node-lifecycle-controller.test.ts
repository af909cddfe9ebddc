import { expect, it } from "vitest";
import type { Trigger } from "../../model/run.ts";
import { createManualClock } from "../../model/testing/manual-clock.ts";
import { settable } from "../../model/testing/settable.ts";
import type { DeletionGuard } from "../../reconcile/deletion-guard.ts";
import { HOLD_ANNOTATION } from "../hold/hold.ts";
import { SHUTDOWN_TAINT } from "../objects/node-object.ts";
import { FakeInformer, node, UNINITIALIZED } from "../testing/node-fixture.ts";
import { startNodeLifecycleController } from "./start-node-lifecycle-controller.ts";

async function start(...nodes: readonly ReturnType<typeof node>[]) {
  const clock = createManualClock();
  const informer = new FakeInformer(...nodes);
  const added: string[] = [];
  const passes: (readonly string[])[] = [];
  const forgotten: string[] = [];
  const queue = {
    add: (key: string, why: Trigger, priority?: string) =>
      void added.push(`${key} ${why.kind === "change" ? why.what : why.kind} ${priority}`),
    addAfter: (key: string, why: Trigger, delayMs: number) =>
      void added.push(`${key} ${why.kind === "change" ? why.what : why.kind} in ${delayMs}`),
  };
  const checks = {
    begin: (names: readonly string[]) => {
      passes.push(names);
      return names.slice(0, 1);
    },
    forget: (name: string) => void forgotten.push(name),
  };
  const guard: Pick<DeletionGuard, "waits"> = {
    waits: ({ uid }, because) => void forgotten.push(`${uid} ${because}`),
  };
  const stop = startNodeLifecycleController({
    informer,
    queue,
    checks,
    guard,
    clock,
    period: settable(1_000),
  });
  await clock.advance(0);
  return { clock, informer, passes, forgotten, stop, take: () => added.splice(0) };
}

it("queues every node at the start, silent ones first", async () => {
  const { take } = await start(node(), node({ name: "n2", ready: "Unknown" }));
  expect(take()).toEqual(["n1 start background", "n2 start change"]);
});

it("offers the silent nodes once a period and queues those that are due", async () => {
  const silent = ["False", "Missing"] as const;
  const nodes = silent.map((ready, index) => node({ name: `s${index}`, ready }));
  const { take, clock, passes, stop } = await start(node(), ...nodes);
  take();
  await clock.advance(2_000);
  expect(passes).toEqual([
    ["s0", "s1"],
    ["s0", "s1"],
  ]);
  expect(take()).toEqual(["s0 period background", "s0 period background"]);
  stop();
  await clock.advance(5_000);
  expect(passes).toHaveLength(2);
});

it("queues a healthy new node later, and an unhealthy one at once", async () => {
  const { take, informer } = await start();
  informer.put(node());
  informer.put(node({ name: "n2", ready: "False" }));
  expect(take()).toEqual(["n1 created in 30000", "n2 created change"]);
});

it("reacts at once when readiness, taints or the hold change, and to nothing else", async () => {
  const { take, informer } = await start(node());
  take();
  informer.put(node({ labels: { a: "b" } }));
  expect(take()).toEqual([]);
  informer.put(node({ labels: { a: "b" }, ready: "False" }));
  informer.put(node({ labels: { a: "b" }, ready: "False", taints: [UNINITIALIZED] }));
  expect(take()).toEqual(["n1 readiness change", "n1 taints change"]);
});

it("forgets a node that is gone and reports that", async () => {
  const { take, informer, forgotten } = await start(node());
  take();
  informer.remove("n1");
  expect(forgotten).toEqual(["n1", "uid-n1 undefined"]);
  expect(take()).toEqual(["n1 deleted change"]);
});

it("skips a Ready node, unless it is held or has a shutdown taint to remove", async () => {
  const { take, informer } = await start(node());
  take();
  informer.put(node({ taints: [UNINITIALIZED] }));
  expect(take()).toEqual([]);
  informer.put(node({ taints: [{ key: SHUTDOWN_TAINT, effect: "NoSchedule" }] }));
  expect(take()).toEqual(["n1 taints change"]);
  informer.put(node({ annotations: { [HOLD_ANNOTATION]: "mine" } }));
  expect(take()).toEqual(["n1 annotations, taints change"]);
  informer.put(node());
  expect(take()).toEqual(["n1 annotations change"]);
});
