import type { Pause } from "@cloudwright/core/model/controls";
import type { PausesCallback } from "@cloudwright/core/reconcile/controls/pause-keeper";
import { LoopFixture } from "@cloudwright/core/reconcile/testing/loop-fixture";
import { expect, it } from "vitest";
import { obeyPauses } from "./open-controls.ts";

const PAUSE: Pause = {
  controller: "cloud-node-controller",
  by: "ana",
  why: "INC-88",
  at: 1,
  until: 2,
  intentId: "i-1",
};

/** A running controller, with the pauses in its control record. */
function setUp() {
  const environment = new LoopFixture();
  const callbacks: PausesCallback[] = [];
  const { loop } = environment;
  obeyPauses(
    { onPauses: (callback) => void callbacks.push(callback) },
    { name: "cloud-node-controller", loop },
  );
  return { environment, say: (...pauses: readonly Pause[]) => callbacks[0]?.(pauses) };
}

it("a paused controller takes no key until it is resumed, and loses none", async () => {
  const { environment, say } = setUp();
  environment.thing("n1");
  await say(PAUSE);
  await environment.touch("n1");
  expect(environment.loop.paused).toEqual(PAUSE);
  expect(environment.observed).toEqual([]);
  expect(environment.queue.depth).toBe(1);
  await say();
  await environment.until(() => environment.outcomes.length > 0);
  expect(environment.loop.paused).toBeUndefined();
  expect(environment.observed).toHaveLength(1);
});

it("a pause of another controller does not affect it", async () => {
  const { environment, say } = setUp();
  environment.thing("n1");
  await say({ ...PAUSE, controller: "cloud-node-lifecycle-controller" });
  await environment.touch("n1");
  await environment.until(() => environment.outcomes.length > 0);
  expect(environment.loop.paused).toBeUndefined();
});
