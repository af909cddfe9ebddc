import type { ControllerName } from "@cloudwright/core/model/controller-names";
import type { Pause } from "@cloudwright/core/model/controls";
import type { Heartbeat } from "@cloudwright/core/model/records/record";
import type { HealthCheck } from "../../http/pages.ts";
import type { StartedController } from "../../wiring/controllers/started-controller.ts";

/** Returns the health check of a started controller. */
export function checkOf({ name, loop }: Pick<StartedController, "name" | "loop">): HealthCheck {
  return { name, check: () => loop.check() };
}

/** Returns the status of a controller for heartbeats. `leaseOf` returns its Lease, if there is more than one. */
export function statusOf(
  {
    name,
    actions,
    loop,
    queue,
    pace,
  }: Pick<StartedController, "name" | "actions" | "loop" | "queue" | "pace">,
  leaseOf: (controller: ControllerName) => string | undefined,
): Heartbeat["controllers"][number] {
  const lease = leaseOf(name);
  return {
    name,
    ...(lease === undefined ? {} : { lease }),
    ...(actions === undefined ? {} : { actions }),
    queueDepth: queue.depth,
    oldestMs: queue.oldestMs,
    ...(pace.nextAt === undefined ? {} : { nextCheckAt: pace.nextAt }),
    ...(loop.lastError === undefined ? {} : { lastError: loop.lastError }),
    ...(loop.paused === undefined ? {} : { paused: pausedBy(loop.paused) }),
  };
}

function pausedBy({ by, why, until }: Pause): { by: string; why: string; until: number } {
  return { by, why, until };
}
