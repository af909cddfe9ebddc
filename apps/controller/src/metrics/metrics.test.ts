import { NODE_METRICS } from "@cloudwright/core/controllers/node/conclude";
import { LIFECYCLE_METRICS } from "@cloudwright/core/controllers/node-lifecycle/conclude";
import { systemClock } from "@cloudwright/core/kube/system-clock";
import { createWorkQueue } from "@cloudwright/core/queue/work-queue";
import type { RunOutcome } from "@cloudwright/core/reconcile/loop-port";
import { ProviderError } from "@cloudwright/provider-api";
import { Registry } from "prom-client";
import { expect, it } from "vitest";
import { createDeclaredMetrics } from "./declared-metrics.ts";
import { createKubeMetrics, createLookupMetrics } from "./kube-metrics.ts";
import { createOwnMetrics } from "./own-metrics.ts";
import { createProcessMetrics } from "./process-metrics.ts";
import { createQueueMetrics } from "./queue-metrics.ts";
import { createManagerMetrics } from "./upstream-metrics.ts";

const UPSTREAM = [
  "running_managed_controllers",
  "leader_election_master_status",
  "leader_election_slowpath_total",
  "workqueue_depth",
  "workqueue_adds_total",
  "workqueue_retries_total",
  "workqueue_unfinished_work_seconds",
  "workqueue_longest_running_processor_seconds",
  "workqueue_queue_duration_seconds",
  "workqueue_work_duration_seconds",
  "rest_client_request_duration_seconds",
  "rest_client_requests_total",
  "rest_client_rate_limiter_duration_seconds",
  "rest_client_request_retries_total",
  "rest_client_request_size_bytes",
  "rest_client_response_size_bytes",
  "rest_client_dns_resolution_duration_seconds",
  "node_controller_cloud_provider_taint_removal_delay_seconds",
  "node_controller_initial_node_sync_delay_seconds",
  "cloud_node_lifecycle_controller_monitor_nodes_duration_seconds",
  "cloud_node_lifecycle_controller_cloud_provider_calls_total",
  "kubernetes_build_info",
  "process_cpu_seconds_total",
  "process_resident_memory_bytes",
];

it("has upstream's names, so that alerts and dashboards keep working", () => {
  const { registry } = everything();
  const names = registry.getMetricsAsArray().map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(UPSTREAM));
});

it("gives every metric of our own our prefix", () => {
  const { registry } = everything();
  const foreign = registry
    .getMetricsAsArray()
    .map(({ name }) => name)
    .filter((name) => !UPSTREAM.includes(name))
    .filter((name) => !/^(cloudwright|process|nodejs)_/.test(name));
  expect(foreign).toEqual([]);
});

it("uses upstream's short names in the controller label", async () => {
  const { registry, processes } = everything();
  processes.running("cloud-node-controller", true);
  processes.running("service-lb-controller", false);
  processes.leads("cloud-controller-manager", true);
  const text = await registry.metrics();
  expect(text).toContain(
    'running_managed_controllers{name="cloud-node",manager="cloud-controller-manager"} 1',
  );
  expect(text).toContain(
    'running_managed_controllers{name="service",manager="cloud-controller-manager"} 0',
  );
  expect(text).toContain('leader_election_master_status{name="cloud-controller-manager"} 1');
});

it("counts a queue's operations and reads its depth at each scrape", async () => {
  const { registry, queues } = everything();
  const queue = createWorkQueue<string>({
    name: "Nodes",
    clock: systemClock,
    backoff: { baseMs: 5, maxMs: 1_000 },
    merge: (earlier) => earlier,
    metrics: queues.of("Nodes"),
  });
  queues.watch(queue);
  queue.add("node-1", "why");
  queue.add("node-2", "why");
  const text = await registry.metrics();
  expect(text).toContain('workqueue_depth{name="Nodes"} 2');
  expect(text).toContain('workqueue_adds_total{name="Nodes"} 2');
});

it("reports the result of a cloud call as its error code", async () => {
  const { registry, own } = everything();
  const call = {
    operation: "GET /v1/instances",
    target: "",
    mutates: false,
    startedAt: 0,
    durationMs: 30,
    limiterWaitMs: 10,
    status: 200,
    requestId: undefined,
    error: undefined,
  };
  own.cloudCall("sandbox", call);
  const error = new ProviderError("Throttled", "x", { provider: "sandbox", operation: "y" });
  own.cloudCall("sandbox", { ...call, error });
  const text = await registry.metrics();
  const labels = 'provider="sandbox",operation="GET /v1/instances"';
  expect(text).toContain(`cloudwright_cloud_calls_total{${labels},result="ok"} 1`);
  expect(text).toContain(`cloudwright_cloud_calls_total{${labels},result="Throttled"} 1`);
  expect(text).toContain(`cloudwright_cloud_call_duration_seconds_sum{${labels}} 0.04`);
});

it("counts requests and runs like upstream's manager for the cloud, if the provider names its metrics", async () => {
  const registry = new Registry();
  const manager = createManagerMetrics(registry);
  const names = { requests: "openstack_api", reconciles: "cloudprovider_openstack_reconcile" };
  const call = {
    ...{ operation: "server_list", target: "all", mutates: false, startedAt: 0 },
    ...{ durationMs: 30, limiterWaitMs: 10, status: 200, requestId: undefined, error: undefined },
  };
  manager.call(undefined, call);
  manager.call(names, call);
  manager.call(names, { ...call, error: new Error("x") });
  const run = (kinds: readonly string[], failures = 0) =>
    ({
      ...{ controller: "service", durationMs: 1_000, failures, unwritten: [] },
      written: kinds.map((kind) => ({ kind })),
    }) as unknown as RunOutcome;
  manager.ended(names, run(["balancer.create", "service.status.write"]));
  manager.ended(names, run(["balancer.members"], 1));
  manager.ended(names, run(["balancer.delete"]));
  const text = await registry.metrics();
  expect(text).toContain('openstack_api_requests_total{request="server_list"} 2');
  expect(text).toContain('openstack_api_request_errors_total{request="server_list"} 1');
  expect(text).toContain('openstack_api_request_duration_seconds_sum{request="server_list"} 0.04');
  const reconciled = (operation: string) => `{operation="loadbalancer_${operation}"} 1`;
  for (const operation of ["ensure", "update", "delete"])
    expect(text).toContain(`cloudprovider_openstack_reconcile_total${reconciled(operation)}`);
  expect(text).toContain(`cloudprovider_openstack_reconcile_errors_total${reconciled("update")}`);
  expect(text).not.toContain(
    `cloudprovider_openstack_reconcile_errors_total${reconciled("ensure")}`,
  );
});

it("reports how long the API server's name took to resolve", async () => {
  const { registry, kubeNames } = everything();
  kubeNames({ host: "api.example:6443", durationMs: 30 });
  expect(await registry.metrics()).toContain(
    'rest_client_dns_resolution_duration_seconds_sum{host="api.example:6443"} 0.03',
  );
});

it("reports a call without a response as upstream does", async () => {
  const { registry, kube } = everything();
  const call = { verb: "list", resource: "nodes", name: "", startedAt: 0, durationMs: 5 };
  kube({
    ...call,
    limiterWaitMs: 2,
    status: 0,
    method: "GET",
    host: "h",
    attempts: 3,
    requestBytes: 0,
    responseBytes: 0,
  });
  const text = await registry.metrics();
  expect(text).toContain('rest_client_requests_total{code="<error>",method="GET",host="h"} 1');
  expect(text).toContain(
    'rest_client_request_retries_total{code="<error>",verb="list",host="h"} 2',
  );
  const labels = 'verb="list",host="h"';
  expect(text).toContain(`rest_client_request_duration_seconds_sum{${labels}} 0.003`);
  expect(text).toContain(`rest_client_rate_limiter_duration_seconds_sum{${labels}} 0.002`);
});

function everything() {
  const registry = new Registry();
  const own = createOwnMetrics(registry);
  own.read({
    spoolBytes: () => 0,
    ledgerLagMs: () => 0,
    watchSilentMs: () => 0,
    recordsRefused: () => 0,
    recordsDropped: () => 0,
    cloudAllowedPerSecond: () => undefined,
  });
  return {
    registry,
    own,
    kube: createKubeMetrics(registry),
    kubeNames: createLookupMetrics(registry),
    processes: createProcessMetrics(registry),
    queues: createQueueMetrics(registry),
    declared: createDeclaredMetrics(registry, [...NODE_METRICS, ...LIFECYCLE_METRICS]),
  };
}
