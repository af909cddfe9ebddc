import type { CloudCall } from "@cloudwright/core/cloud/calls/call-context";
import type { RunOutcome } from "@cloudwright/core/reconcile/loop-port";
import { isProviderError } from "@cloudwright/provider-api";
import { Counter, Gauge, type Registry } from "prom-client";
import { createCallTimes, createDurations } from "./durations.ts";

/** Values that are read at each scrape. */
export interface Gauges {
  spoolBytes(): number;
  /** Age of the oldest record that the database has not received, in milliseconds. */
  ledgerLagMs(): number;
  watchSilentMs(): number;
  /** Records that the ledger rejected. */
  recordsRefused(): number;
  /** Records that were lost because the spool was full. */
  recordsDropped(): number;
  /** Calls per second that the cloud allows; undefined while there is no limit. */
  cloudAllowedPerSecond(): number | undefined;
}

export interface OwnMetrics {
  cloudCall(provider: string, call: CloudCall): void;
  runEnded(outcome: RunOutcome): void;
  eventsDropped(source: string, count: number): void;
  /** Counts recorded Events of other components. */
  eventsRecorded(count: number): void;
  eventsLeftOut(): void;
  read(gauges: Gauges): void;
}

/** Creates the metrics that upstream does not have: clouds, runs and the ledger (prefix `cloudwright_`). */
export function createOwnMetrics(registry: Registry): OwnMetrics {
  const registers = [registry];
  const events = new Counter({
    name: "cloudwright_events_dropped_total",
    help: "Kubernetes Events that could not be delivered.",
    labelNames: ["source"],
    registers,
  });
  const recorded = new Counter({
    name: "cloudwright_watched_events_recorded_total",
    help: "Kubernetes Events of other components that were recorded, repeats included.",
    registers,
  });
  const leftOut = new Counter({
    name: "cloudwright_watched_events_left_out_total",
    help: "Kubernetes Events of other components that were not recorded, because too many came at once.",
    registers,
  });
  return {
    cloudCall: cloudCalls(registers),
    runEnded: runs(registers),
    eventsDropped: (source, count) => events.inc({ source }, count),
    eventsRecorded: (count) => recorded.inc(count),
    eventsLeftOut: () => leftOut.inc(),
    read: (gauges) => readAtScrape(registers, gauges),
  };
}

function cloudCalls(registers: Registry[]): OwnMetrics["cloudCall"] {
  const count = new Counter({
    name: "cloudwright_cloud_calls_total",
    help: "Calls to the cloud by operation and result.",
    labelNames: ["provider", "operation", "result"],
    registers,
  });
  const times = createCallTimes(registers, {
    calls: {
      name: "cloudwright_cloud_call_duration_seconds",
      help: "Duration of calls to the cloud, without waiting for our budget.",
      labelNames: ["provider", "operation"],
    },
    waits: {
      name: "cloudwright_cloud_budget_wait_seconds",
      help: "Time that calls waited for our budget.",
      labelNames: ["provider", "operation"],
    },
  });
  return (provider, call) => {
    const { operation, error } = call;
    count.inc({ provider, operation, result: resultOf(error) });
    times({ provider, operation }, call);
  };
}

function resultOf(error: unknown): string {
  if (error === undefined) return "ok";
  return isProviderError(error) ? error.code : "Unexpected";
}

function runs(registers: Registry[]): OwnMetrics["runEnded"] {
  const count = new Counter({
    name: "cloudwright_runs_total",
    help: "Runs by controller and outcome.",
    labelNames: ["controller", "outcome"],
    registers,
  });
  const took = createDurations(registers, {
    name: "cloudwright_run_duration_seconds",
    help: "Duration of runs.",
    labelNames: ["controller"],
  });
  return ({ controller, outcome, durationMs }) => {
    count.inc({ controller, outcome });
    took({ controller }, durationMs);
  };
}

function readAtScrape(registers: Registry[], gauges: Gauges): void {
  const counter = (name: string, help: string, read: () => number) =>
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  counter(
    "cloudwright_ledger_refused_records_total",
    "Records that the ledger rejected.",
    gauges.recordsRefused,
  );
  counter(
    "cloudwright_spool_dropped_records_total",
    "Records that were lost because the spool was full.",
    gauges.recordsDropped,
  );
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  gauge(
    "cloudwright_spool_bytes",
    "Size of the records that are not in the database yet.",
    gauges.spoolBytes,
  );
  gauge(
    "cloudwright_ledger_lag_seconds",
    "Age of the oldest record that is not in the database yet.",
    () => gauges.ledgerLagMs() / 1_000,
  );
  gauge(
    "cloudwright_watch_silent_seconds",
    "Time since the API server last sent anything on the slowest watch.",
    () => gauges.watchSilentMs() / 1_000,
  );
  gauge(
    "cloudwright_cloud_allowed_calls_per_second",
    "Calls per second that the cloud has allowed since its last 429; +Inf while there is no limit.",
    () => gauges.cloudAllowedPerSecond() ?? Number.POSITIVE_INFINITY,
  );
}
