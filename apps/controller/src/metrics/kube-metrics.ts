import type { KubeCallReport } from "@cloudwright/core/kube/calls/call";
import type { NameLookup } from "@cloudwright/core/kube/calls/kube-client";
import { Counter, Histogram, type Registry } from "prom-client";
import { createCallTimes, createDurations } from "./durations.ts";

const SIZES = [
  64, 256, 512, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216,
];

/** Creates the `rest_client_*` metrics of spec/00 §8 about our calls to the API server. Returns the observer of each call. */
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
    help: "Requests that were sent again because the API server asked to retry.",
    labelNames: ["code", "verb", "host"],
    registers,
  });
  const histogram = (name: string, help: string) =>
    new Histogram({ name, help, labelNames: ["verb", "host"], buckets: SIZES, registers });
  const sent = histogram("rest_client_request_size_bytes", "Size of request bodies.");
  const received = histogram(
    "rest_client_response_size_bytes",
    "Size of response bodies, except those of watches.",
  );
  return (call) => {
    const { status, method, verb, host, attempts, requestBytes, responseBytes } = call;
    const code = status === 0 ? "<error>" : String(status);
    requests.inc({ code, method, host });
    times({ verb, host }, call);
    sent.observe({ verb, host }, requestBytes);
    if (status !== 0 && verb !== "watch") received.observe({ verb, host }, responseBytes);
    if (attempts > 1) retries.inc({ code, verb, host }, attempts - 1);
  };
}

/** Measures how long it takes to resolve the API server's name; nothing is recorded for an IP address. */
export function createLookupMetrics(registry: Registry): (lookup: NameLookup) => void {
  const took = createDurations([registry], {
    name: "rest_client_dns_resolution_duration_seconds",
    help: "Duration of resolving the API server's name.",
    labelNames: ["host"],
  });
  return ({ host, durationMs }) => took({ host }, durationMs);
}
