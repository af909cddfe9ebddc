import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { CloudCall } from "@cloudwright/core/cloud/calls/call-context";
import type { KubeCallReport } from "@cloudwright/core/kube/calls/call";
import { systemClock, systemRandom } from "@cloudwright/core/kube/system-clock";
import type { Clock, Random } from "@cloudwright/core/model/time";
import {
  type BudgetMeter,
  createBudgetMeter,
} from "@cloudwright/core/reconcile/budget/budget-meter";
import { Registry } from "prom-client";
import type { FlagName, FlagValues } from "../flags/definitions/all.ts";
import type { AdjustableLog } from "../logging/log.ts";
import { createDeclaredMetrics } from "../metrics/declared-metrics.ts";
import { createKubeMetrics, createLookupMetrics } from "../metrics/kube-metrics.ts";
import { createOwnMetrics } from "../metrics/own-metrics.ts";
import { createProcessMetrics } from "../metrics/process-metrics.ts";
import { createQueueMetrics } from "../metrics/queue-metrics.ts";
import { createManagerMetrics } from "../metrics/upstream-metrics.ts";
import { createWebhookMetrics } from "../metrics/webhook-metrics.ts";
import { MODULES } from "../modules.ts";
import { RunNotes } from "./controllers/run-log.ts";
import type { LeaderMigration } from "./placement/leader-migration.ts";

export interface ControllerStart {
  readonly flags: FlagValues;
  /** The flags given on the command line. */
  readonly given: readonly FlagName[];
  readonly log: AdjustableLog;
}

/** The dependencies of every part of the process. */
export interface ProcessContext extends ControllerStart {
  readonly clock: Clock;
  readonly random: Random;
  readonly hostname: string;
  /** Hostname, underscore, random UUID, as in upstream (spec/00 §9). */
  readonly identity: string;
  readonly registry: Registry;
  readonly metrics: ReturnType<typeof createMetrics>;
  /** What has been logged about objects, by all controllers. */
  readonly runNotes: RunNotes;
  /** Counts every call that this process makes, for the ledger's budget minutes. */
  readonly meter: BudgetMeter;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** The controllers that migrate between processes; undefined if none does. */
  readonly migration: LeaderMigration | undefined;
}

export function createProcessContext(
  start: ControllerStart,
  migration?: LeaderMigration,
): ProcessContext {
  const registry = new Registry();
  const meter = createBudgetMeter();
  return {
    ...start,
    clock: systemClock,
    random: systemRandom,
    hostname: hostname(),
    identity: `${hostname()}_${randomUUID()}`,
    registry,
    metrics: createMetrics(registry, meter, start.flags["dry-run"]),
    meter,
    runNotes: new RunNotes(),
    startedAt: systemClock.now(),
    migration,
  };
}

function createMetrics(registry: Registry, meter: BudgetMeter, isDry: boolean) {
  const declared = createDeclaredMetrics(
    registry,
    MODULES.flatMap(({ metrics }) => metrics),
  );
  const kube = createKubeMetrics(registry);
  const own = createOwnMetrics(registry);
  return {
    process: createProcessMetrics(registry),
    queues: createQueueMetrics(registry),
    kube: (call: KubeCallReport) => {
      kube(call);
      meter.kubeCall(call);
    },
    kubeNames: createLookupMetrics(registry),
    // They count what was done, and a dry run does nothing.
    declared: isDry ? { ...declared, record: () => undefined } : declared,
    webhooks: createWebhookMetrics(registry),
    manager: createManagerMetrics(registry),
    own: {
      ...own,
      cloudCall: (provider: string, call: CloudCall) => {
        own.cloudCall(provider, call);
        meter.cloudCall(call);
      },
    },
  };
}
