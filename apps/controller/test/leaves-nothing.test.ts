import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { MODULES } from "../src/modules.ts";
import { eventually, startController } from "./controller-process.ts";
import { cloudwrightProgram } from "./program.ts";
import { type ServedCloud, type ServedCluster, ServingCommands } from "./sandbox-cluster.ts";

/** A cluster and a cloud in which every controller has something to write, observed by commands that must not write. */
const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const commands = new ServingCommands();
const LEASES = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases";
const READS = new Set(["get", "list", "watch"]);
const OBJECTS = [
  ...["nodes", "services", "persistentvolumes", "configmaps", "events"].map(
    (all) => `/api/v1/${all}`,
  ),
  "/apis/events.k8s.io/v1/events",
];
const FAMILIES = ["instances", "load-balancers", "routes", "volumes"];

let folder: string;
let cluster: ServedCluster;
let cloud: ServedCloud;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "cloudwright-nothing-"));
  [cloud, cluster] = await Promise.all([commands.cloud(folder), commands.cluster(folder)]);
  await makeWork();
}, 60_000);

afterAll(async () => {
  await commands.end();
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

/** Creates a new node, one whose machine is gone, one with a pod range but no route, a Service, and a volume without its zone. */
async function makeWork(): Promise<void> {
  const disk = { name: "d-1", zone: "z1", region: "r1", sizeGiB: 1 };
  await inCloud("instances", { name: "w-1" });
  const { id } = (await inCloud("volumes", disk)) as { readonly id: string };
  await inCluster("nodes", "w-1", {
    spec: {
      taints: [{ key: "node.cloudprovider.kubernetes.io/uninitialized", effect: "NoSchedule" }],
    },
  });
  await inCluster("nodes", "gone", { spec: { providerID: "sandbox://region-1/gone" } });
  await inCluster("nodes", "routed", {
    spec: { podCIDR: "10.244.1.0/24", podCIDRs: ["10.244.1.0/24"] },
    status: { addresses: [{ type: "InternalIP", address: "10.9.0.1" }] },
  });
  await inCluster("namespaces/default/services", "web", {
    spec: { type: "LoadBalancer", ports: [{ port: 80, protocol: "TCP" }] },
  });
  await inCluster("persistentvolumes", "pv-1", {
    spec: {
      capacity: { storage: "1Gi" },
      accessModes: ["ReadWriteOnce"],
      flexVolume: { driver: "sandbox.cloudwright.io/disk", options: { volumeID: id } },
    },
  });
}

function inCloud(what: string, body: object): Promise<unknown> {
  const url = `${cloud.endpoint}/v1/${what}`;
  return commands.send("POST", { url, token: cloud.token, body });
}

function inCluster(path: string, name: string, more: object): Promise<unknown> {
  const url = `${cluster.server}/api/v1/${path}`;
  return commands.send("POST", {
    url,
    token: cluster.token,
    body: { metadata: { name }, ...more },
  });
}

function flags(): readonly string[] {
  return [
    "--cloud-provider=sandbox",
    `--cloud-config=${join(folder, "cloud.yaml")}`,
    `--kubeconfig=${join(folder, "kubeconfig")}`,
    `--controllers=${MODULES.map(({ name }) => name).join(",")}`,
    ...["--cluster-cidr=10.244.0.0/16", "--allocate-node-cidrs=true"],
    "--node-monitor-period=1s",
  ];
}

/** Returns everything in the cluster and in the cloud. */
async function everything(): Promise<unknown> {
  const objects = OBJECTS.map((path) => ({ url: cluster.server + path, token: cluster.token }));
  const parts = FAMILIES.map((name) => ({
    url: `${cloud.endpoint}/v1/${name}`,
    token: cloud.token,
  }));
  const all = await Promise.all([...objects, ...parts].map((what) => commands.send("GET", what)));
  return all.map((list) => (list as { readonly items: unknown }).items);
}

async function forgetRequests(): Promise<void> {
  await fetch(`${cluster.admin}/admin/requests`, { method: "DELETE" });
  await fetch(`${cloud.admin}/admin/calls`, { method: "DELETE" });
}

/** Returns the requests since then that are not reads. */
async function writes(): Promise<readonly string[]> {
  const [toCluster, toCloud] = await Promise.all(
    [`${cluster.admin}/admin/requests`, `${cloud.admin}/admin/calls`].map(async (url) => {
      const answer = await fetch(url);
      return await answer.json();
    }),
  );
  const { requests } = toCluster as { readonly requests: { verb: string; path: string }[] };
  const { recent } = toCloud as { readonly recent: { method: string; path: string }[] };
  return [
    ...requests.filter(({ verb }) => !READS.has(verb)).map(({ verb, path }) => `${verb} ${path}`),
    ...recent
      .filter(({ method }) => method !== "GET")
      .map(({ method, path }) => `${method} ${path}`),
  ];
}

it("cloudwright plan reports what each controller would write, and leaves nothing anywhere", async () => {
  const before = await everything();
  await forgetRequests();
  const { objects } = JSON.parse(await plan()) as {
    readonly objects: { readonly controller: string; readonly changes: readonly object[] }[];
  };
  const busy = objects.filter(({ changes }) => changes.length > 0);
  expect(new Set(busy.map(({ controller }) => controller))).toEqual(
    new Set(MODULES.map(({ name }) => name)),
  );
  expect(await writes()).toEqual([]);
  expect(await everything()).toEqual(before);
});

async function plan(): Promise<string> {
  const args = [await cloudwrightProgram(), "plan", "-o", "json", ...flags()];
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  await new Promise((done) => child.once("close", done));
  return output;
}

it("a dry run of each controller leaves only its Lease, and counts nothing as done", async () => {
  const before = await everything();
  await forgetRequests();
  const shadow = await startController([
    ...flags(),
    ...["--dry-run", "--authorization-always-allow-paths=/metrics"],
  ]);
  try {
    await eventually(
      async () => MODULES.filter(({ name }) => !isPlannedBy(shadow.log(), name)),
      (missing) => missing.length === 0,
    );
    const sent = await writes();
    expect(sent.filter((write) => !write.includes(LEASES) && !isReview(write))).toEqual([]);
    expect(sent.some((write) => write.includes(LEASES))).toBe(true);
    const { body } = await shadow.get("/metrics");
    expect(body).toContain("workqueue_adds_total");
    expect(
      MODULES.flatMap(({ metrics }) => metrics).filter(({ name }) => counted(body, name)),
    ).toEqual([]);
    expect(await everything()).toEqual(before);
  } finally {
    shadow.child.kill("SIGTERM");
    await shadow.ended;
  }
}, 60_000);

/** Reports whether the log has a line about something that the controller would write. */
function isPlannedBy(log: string, controller: string): boolean {
  return log
    .split("\n")
    .some((line) => line.includes("Dry run: this would be written") && line.includes(controller));
}

/** Reviews of one's own rights are POST requests, but nothing is stored. */
function isReview(write: string): boolean {
  return write.includes("/apis/authorization.k8s.io/v1/selfsubject");
}

/** Reports whether a sample of the metric is greater than 0. */
function counted(body: string, metric: string): boolean {
  return body
    .split("\n")
    .some((line) => line.startsWith(metric) && /[1-9]/.test(line.split(" ").at(-1) ?? ""));
}
