import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { testCluster } from "../conformance/clusters/testcluster.ts";
import type { Cloud } from "../harness/cloud.ts";
import { type RunningController, startCloud, startController } from "../harness/controller.ts";
import { Kube, type Node, View } from "../harness/kube.ts";
import { allLoadBalancers } from "../harness/load-balancers.ts";
import { SERVICES, type Service } from "../harness/service.ts";
import { demand, eventually } from "../harness/wait.ts";
import {
  CALLS_A_SECOND,
  PROVISIONING_MS,
  type ServiceCell,
  SURGE_MS,
  SURGE_NODES,
} from "./service-cells.ts";

const NODES = 50;
const LATENCY_MS = 50;
const UPDATES = "PATCH /v1/load-balancers/{id}";

interface Play {
  readonly kube: Kube;
  readonly cloud: Cloud;
  readonly services: View<Service>;
  readonly nodes: View<Node>;
  readonly controller: RunningController;
}

/** Measures a cell with the sandbox cloud, on the real API server. */
export async function measureOnSandbox(
  cell: ServiceCell,
  databaseUrl: string | undefined,
): Promise<Readonly<Record<string, number>>> {
  const dir = mkdtempSync(join(tmpdir(), "cloudwright-bench-services-"));
  const cluster = await testCluster(dir);
  const started = await startCloud(dir);
  const kube = new Kube(cluster.kubeconfig);
  try {
    await joinNodes({ kube, cloud: started.cloud }, { prefix: "node", count: NODES, withinMs: 0 });
    const controller = await startController({
      kubeconfig: cluster.kubeconfig,
      cloudConfig: started.config,
      dir,
      flags: { "--configure-cloud-routes": "false", "--leader-elect": "false" },
      databaseUrl,
    });
    const services = await View.open<Service>(kube, SERVICES);
    const nodes = await View.open<Node>(kube, "/api/v1/nodes");
    const play = { kube, cloud: started.cloud, services, nodes, controller };
    try {
      await allInitialised(play, NODES);
      const numbers = await (cell.scenario === "surge" ? surge(play, cell) : creation(play, cell));
      return { ...numbers, rssPeakMiB: peakMiB(controller.pid), loadPerCore: loadPerCore() };
    } finally {
      await controller.stop();
      services.close();
      nodes.close();
    }
  } finally {
    await Promise.all([kube.close(), started.cloud.close()]);
    await started.process.stop();
    await cluster.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Measures until every Service has its address. */
async function creation(play: Play, cell: ServiceCell) {
  await play.cloud.setFaults({
    latencyMs: LATENCY_MS,
    provisioningMs: PROVISIONING_MS,
    ...(cell.scenario === "throttled"
      ? { throttle: { perSecond: CALLS_A_SECOND, burst: CALLS_A_SECOND } }
      : {}),
  });
  await play.cloud.forgetCalls();
  const began = Date.now();
  await createServices(play, cell.services);
  const createSeconds = (Date.now() - began) / 1_000;
  await allServed(play, cell.services);
  const seconds = (Date.now() - began) / 1_000;
  const { total, byOperation } = await play.cloud.calls();
  const throttled = Object.values(byOperation).reduce((sum, { throttled: n }) => sum + n, 0);
  return { seconds, createSeconds, cloudCalls: total, cloudThrottled: throttled };
}

/** Measures until 500 nodes that join within ten seconds are members of every load balancer. */
async function surge(play: Play, cell: ServiceCell) {
  await play.cloud.setFaults({ latencyMs: LATENCY_MS });
  await createServices(play, cell.services);
  await allServed(play, cell.services);
  await play.cloud.forgetCalls();
  const began = Date.now();
  const wanted = NODES + SURGE_NODES;
  await joinNodes(play, { prefix: "surge", count: SURGE_NODES, withinMs: SURGE_MS });
  const joinSeconds = (Date.now() - began) / 1_000;
  await eventually(
    async () => {
      const late = (await allLoadBalancers(play.cloud)).filter(
        ({ members }) => members.length !== wanted,
      );
      demand(late.length === 0, `${late.length} balancers lack members`);
    },
    { withinMs: 300_000 },
  );
  const seconds = (Date.now() - began) / 1_000;
  const { byOperation } = await play.cloud.calls();
  const updates = Object.entries(byOperation).find(([name]) => name === UPDATES);
  const count = updates?.[1].count ?? 0;
  return { seconds, joinSeconds, updates: count, mostUpdates: count / cell.services };
}

async function createServices({ kube }: Play, count: number): Promise<void> {
  for (let index = 0; index < count; index++)
    await kube.create(SERVICES, {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: `lb-${index}` },
      spec: { type: "LoadBalancer", selector: { app: String(index) }, ports: [{ port: 80 }] },
    });
}

async function allServed({ services }: Play, count: number): Promise<void> {
  await eventually(
    () => {
      const done = services
        .all()
        .filter(({ status }) => (status.loadBalancer?.ingress?.length ?? 0) > 0).length;
      demand(done >= count, `${done} of ${count} Services have an address`);
    },
    { withinMs: 300_000, on: services },
  );
}

async function allInitialised({ nodes }: Play, count: number): Promise<void> {
  await eventually(
    () => {
      const done = nodes.all().filter(({ spec }) => spec.providerID !== undefined).length;
      demand(done >= count, `${done} of ${count} nodes are initialised`);
    },
    { withinMs: 120_000, on: nodes },
  );
}

/** Adds nodes spread evenly over the time, as kubelets register. */
async function joinNodes(
  { kube, cloud }: Pick<Play, "kube" | "cloud">,
  { prefix, count, withinMs }: { prefix: string; count: number; withinMs: number },
): Promise<void> {
  const names = Array.from({ length: count }, (_, index) => `${prefix}-${index}`);
  for (let from = 0; from < count; from += 50)
    await Promise.all(names.slice(from, from + 50).map((name) => cloud.put({ name })));
  const began = Date.now();
  const registered = names.map(async (name, index) => {
    const dueMs = began + (index * withinMs) / count - Date.now();
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueMs)));
    await kube.create("/api/v1/nodes", {
      apiVersion: "v1",
      kind: "Node",
      metadata: { name, labels: { "kubernetes.io/hostname": name } },
      spec: {
        taints: [
          {
            key: "node.cloudprovider.kubernetes.io/uninitialized",
            value: "true",
            effect: "NoSchedule",
          },
        ],
      },
      status: { conditions: [{ type: "Ready", status: "True" }] },
    });
  });
  await Promise.all(registered);
}

function peakMiB(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1_024;
}

function loadPerCore(): number {
  return (loadavg()[0] ?? Number.NaN) / cpus().length;
}
