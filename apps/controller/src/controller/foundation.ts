import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { systemClock, systemRandom } from "@cloudwright/core/kube/system-clock";
import type { Clock, Random } from "@cloudwright/core/model/time";
import { Registry } from "prom-client";
import type { FlagName, FlagValues } from "../flags/definitions/all.ts";
import type { AdjustableLog } from "../logging/log.ts";
import { createIpamMetrics } from "../metrics/ipam-metrics.ts";
import { createKubeMetrics } from "../metrics/kube-metrics.ts";
import { createNodeMetrics } from "../metrics/node-metrics.ts";
import { createOwnMetrics } from "../metrics/own-metrics.ts";
import { createProcessMetrics } from "../metrics/process-metrics.ts";
import { createQueueMetrics } from "../metrics/queue-metrics.ts";
import { createServiceMetrics } from "../metrics/service-metrics.ts";

export interface ControllerStart {
  readonly flags: FlagValues;
  /** The flags that the command line named. */
  readonly given: readonly FlagName[];
  readonly log: AdjustableLog;
}

/** What every part of the process stands on. */
export interface Foundation extends ControllerStart {
  readonly clock: Clock;
  readonly random: Random;
  readonly hostname: string;
  /** Hostname, underscore, random UUID, as upstream (spec/00 §9). */
  readonly identity: string;
  readonly registry: Registry;
  readonly metrics: ReturnType<typeof createMetrics>;
}

export function layFoundation(start: ControllerStart): Foundation {
  const registry = new Registry();
  return {
    ...start,
    clock: systemClock,
    random: systemRandom,
    hostname: hostname(),
    identity: `${hostname()}_${randomUUID()}`,
    registry,
    metrics: createMetrics(registry),
  };
}

function createMetrics(registry: Registry) {
  return {
    process: createProcessMetrics(registry),
    queues: createQueueMetrics(registry),
    kube: createKubeMetrics(registry),
    nodes: createNodeMetrics(registry),
    services: createServiceMetrics(registry),
    ipam: createIpamMetrics(registry),
    own: createOwnMetrics(registry),
  };
}
