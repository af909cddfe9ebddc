import type {
  BudgetMinute,
  ControllerUse,
  OperationCounts,
} from "@cloudwright/core/model/records/budget-record";
import type { FlagSetting, SettingsRecord } from "@cloudwright/core/model/records/settings-record";
import { CLUSTER } from "./records.ts";

/** Returns a minute in which this many calls listed instances, and two wrote to a node. */
export function budgetMinute(
  at: number,
  calls: number,
  over: Partial<BudgetMinute> = {},
): BudgetMinute {
  return {
    type: "budget",
    cluster: CLUSTER,
    instance: "ctl-1",
    provider: "sandbox",
    dryRun: false,
    at,
    coveredMs: 60_000,
    cloud: {
      operations: calls === 0 ? [] : [operation({ calls, durations: [0, 0, calls] })],
      priorities: [],
      lookups: [],
    },
    kube: {
      limitPerMinute: 30_000,
      operations: [operation({ operation: "PATCH nodes", calls: 2 })],
    },
    controllers: [],
    waiters: [],
    ...over,
  };
}

export function operation(over: Partial<OperationCounts> = {}): OperationCounts {
  return {
    operation: "GET /v1/instances",
    calls: 1,
    throttled: 0,
    failed: 0,
    retries: 0,
    waited: 0,
    waitMs: 0,
    longestWaitMs: 0,
    durations: [1],
    ...over,
  };
}

export function controllerUse(over: Partial<ControllerUse> = {}): ControllerUse {
  return {
    controller: "cloud-node-controller",
    runs: 4,
    failed: 0,
    cloudCalls: 1,
    kubeCalls: 2,
    periodRuns: 0,
    periodCloudCalls: 0,
    ...over,
  };
}

export function settings(over: Partial<SettingsRecord> = {}): SettingsRecord {
  return {
    type: "settings",
    cluster: CLUSTER,
    instance: "ctl-1",
    at: Date.now(),
    flags: [flagSetting()],
    ...over,
  };
}

export function flagSetting(over: Partial<FlagSetting> = {}): FlagSetting {
  return {
    name: "kube-api-qps",
    section: "Generic",
    value: "500",
    initial: "500",
    source: "default",
    isSecret: false,
    help: "Requests a second to the API server.",
    ...over,
  };
}
