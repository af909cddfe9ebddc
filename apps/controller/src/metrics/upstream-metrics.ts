import type { CloudCall } from "@cloudwright/core/cloud/calls/call-context";
import type { RunOutcome } from "@cloudwright/core/reconcile/loop-port";
import type { UpstreamMetrics } from "@cloudwright/provider-api";
import { Counter, type Registry } from "prom-client";
import { createDurations } from "./durations.ts";

/** The metrics of upstream's manager for a cloud, with names from the provider; none if it gives no names. */
export interface ManagerMetrics {
  call(names: UpstreamMetrics | undefined, call: CloudCall): void;
  ended(names: UpstreamMetrics | undefined, outcome: RunOutcome): void;
}

export function createManagerMetrics(registry: Registry): ManagerMetrics {
  const requests = onceForEach((prefix) =>
    attempts(registry, {
      ...{ all: `${prefix}_requests_total`, errors: `${prefix}_request_errors_total` },
      ...{ seconds: `${prefix}_request_duration_seconds`, label: "request" },
    }),
  );
  const reconciles = onceForEach((prefix) =>
    attempts(registry, {
      ...{ all: `${prefix}_total`, errors: `${prefix}_errors_total` },
      ...{ seconds: `${prefix}_duration_seconds`, label: "operation" },
    }),
  );
  return {
    call: (names, { operation, durationMs, limiterWaitMs, error }) => {
      if (names === undefined) return;
      const durationSent = Math.max(0, durationMs - limiterWaitMs);
      requests(names.requests)(operation, durationSent, error !== undefined);
    },
    ended: (names, outcome) => {
      if (names === undefined || outcome.controller !== "service") return;
      const isFailed = outcome.failures > 0;
      reconciles(names.reconciles)(operationOf(outcome), outcome.durationMs, isFailed);
    },
  };
}

interface AttemptNames {
  readonly all: string;
  readonly errors: string;
  readonly seconds: string;
  readonly label: string;
}

type Attempt = (value: string, durationMs: number, isFailed: boolean) => void;

function attempts(registry: Registry, { all, errors, seconds, label }: AttemptNames): Attempt {
  const registers = [registry];
  const labelNames = [label];
  const count = new Counter({
    name: all,
    help: "Requests or runs, under the name that upstream's manager uses.",
    labelNames,
    registers,
  });
  const failed = new Counter({
    ...{ name: errors, help: "Those that failed, under the name that upstream's manager uses." },
    ...{ labelNames, registers },
  });
  const took = createDurations(registers, { name: seconds, help: "Their duration.", labelNames });
  return (value, durationMs, isFailed) => {
    count.inc({ [label]: value });
    if (isFailed) failed.inc({ [label]: value });
    took({ [label]: value }, durationMs);
  };
}

/** Caches metrics by prefix, since each may be registered only once. */
function onceForEach(create: (prefix: string) => Attempt): (prefix: string) => Attempt {
  const made = new Map<string, Attempt>();
  return (prefix) => {
    const attempt = made.get(prefix) ?? create(prefix);
    made.set(prefix, attempt);
    return attempt;
  };
}

/** Returns the operation that upstream would have called, based on what the run wrote or was going to write. */
function operationOf({ written, unwritten }: RunOutcome): string {
  const kinds = [...written, ...unwritten]
    .map(({ kind }) => kind)
    .filter((kind) => kind.startsWith("balancer."));
  if (kinds.includes("balancer.delete")) return "loadbalancer_delete";
  const isMembers = kinds.length > 0 && kinds.every((kind) => kind === "balancer.members");
  return isMembers ? "loadbalancer_update" : "loadbalancer_ensure";
}
