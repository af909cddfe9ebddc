import type { KubeCallReport } from "@cloudwright/core/kube/call";
import { Counter, Histogram, type Registry } from "prom-client";

const DURATIONS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60];
const SIZES = [
  64, 256, 512, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216,
];

/** `rest_client_*` of spec/00 §8: what our calls to the API server cost. Answers the observer of each call. */
export function createKubeMetrics(registry: Registry): (call: KubeCallReport) => void {
  const registers = [registry];
  const requests = new Counter({
    name: "rest_client_requests_total",
    help: "Requests to the API server by status code, method and host.",
    labelNames: ["code", "method", "host"],
    registers,
  });
  const durations = new Histogram({
    name: "rest_client_request_duration_seconds",
    help: "Duration of requests to the API server, without waiting for our own limit.",
    labelNames: ["verb", "host"],
    buckets: DURATIONS,
    registers,
  });
  const waits = new Histogram({
    name: "rest_client_rate_limiter_duration_seconds",
    help: "Time that requests waited for our own limit.",
    labelNames: ["verb", "host"],
    buckets: DURATIONS,
    registers,
  });
  const retries = new Counter({
    name: "rest_client_request_retries_total",
    help: "Requests that were sent again because the API server asked for it.",
    labelNames: ["code", "verb", "host"],
    registers,
  });
  const sizes = new Histogram({
    name: "rest_client_request_size_bytes",
    help: "Size of request bodies.",
    labelNames: ["verb", "host"],
    buckets: SIZES,
    registers,
  });
  return ({ status, method, verb, host, attempts, requestBytes, durationMs, limiterWaitMs }) => {
    const code = status === 0 ? "<error>" : String(status);
    requests.inc({ code, method, host });
    durations.observe({ verb, host }, Math.max(0, durationMs - limiterWaitMs) / 1_000);
    waits.observe({ verb, host }, limiterWaitMs / 1_000);
    sizes.observe({ verb, host }, requestBytes);
    if (attempts > 1) retries.inc({ code, verb, host }, attempts - 1);
  };
}
