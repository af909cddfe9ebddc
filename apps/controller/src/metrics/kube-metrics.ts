import type { KubeCallReport } from "@cloudwright/core/kube/call";
import { Counter, Histogram, type Registry } from "prom-client";
import { createCallTimes } from "./durations.ts";

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
  const times = createCallTimes(registers, {
    calls: {
      name: "rest_client_request_duration_seconds",
      help: "Duration of requests to the API server, without waiting for our own limit.",
      labelNames: ["verb", "host"],
    },
    waits: {
      name: "rest_client_rate_limiter_duration_seconds",
      help: "Time that requests waited for our own limit.",
      labelNames: ["verb", "host"],
    },
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
  return (call) => {
    const { status, method, verb, host, attempts, requestBytes } = call;
    const code = status === 0 ? "<error>" : String(status);
    requests.inc({ code, method, host });
    times({ verb, host }, call);
    sizes.observe({ verb, host }, requestBytes);
    if (attempts > 1) retries.inc({ code, verb, host }, attempts - 1);
  };
}
