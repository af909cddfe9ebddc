import { heartbeatSchema } from "@cloudwright/core/model/records/record";
import { expect, it } from "vitest";
import type { StartedController } from "../../wiring/controllers/started-controller.ts";
import { checkOf, statusOf } from "./controller-status.ts";

const PAUSE = {
  intentId: "i-1",
  controller: "service-lb-controller",
  by: "ada",
  why: "upgrade",
  at: 1,
  until: 2,
} as const;

function controller(loop: object, nextAt?: number): StartedController {
  const queue = { depth: 3, oldestMs: 1_500 };
  // Only these fields of the loop and the queue are read.
  return {
    name: "service-lb-controller",
    loop,
    queue,
    pace: { nextAt },
  } as unknown as StartedController;
}

it("a heartbeat reports a controller's state, its Lease if there are two, and actions that its record does not name", () => {
  const busy = controller({ lastError: "s-1: the cloud is down.", paused: PAUSE });
  const controllerSchema = heartbeatSchema.def.innerType.shape.controllers;
  const added = { ...controller({}), actions: { Namespace: ["hold"] } } as const;
  const reported = [
    statusOf(busy, () => "moving"),
    statusOf(controller({}), () => undefined),
    statusOf(added, () => undefined),
  ];
  expect(controllerSchema.parse(reported)).toEqual([
    {
      name: "service-lb-controller",
      lease: "moving",
      queueDepth: 3,
      oldestMs: 1_500,
      lastError: "s-1: the cloud is down.",
      paused: { by: "ada", why: "upgrade", until: 2 },
    },
    { name: "service-lb-controller", queueDepth: 3, oldestMs: 1_500 },
    {
      name: "service-lb-controller",
      actions: { Namespace: ["hold"] },
      queueDepth: 3,
      oldestMs: 1_500,
    },
  ]);
});

it("a heartbeat reports when everything is checked next, if that is scheduled", () => {
  const nextOf = (nextAt?: number) => statusOf(controller({}, nextAt), () => undefined).nextCheckAt;
  expect([nextOf(1_700), nextOf()]).toEqual([1_700, undefined]);
});

it("its health is that of its loop", () => {
  const stuck = checkOf(controller({ check: () => "it hangs" }));
  expect([stuck.name, stuck.check()]).toEqual(["service-lb-controller", "it hangs"]);
});
