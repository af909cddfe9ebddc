import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { eventually, startController } from "./controller-process.ts";
import { cloudwrightProgram } from "./program.ts";
import { type ServedCloud, type ServedCluster, ServingCommands } from "./sandbox-cluster.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const commands = new ServingCommands();
const STRANGER = "11111111-2222-4333-8444-555555555555";

const NOBODY = "99999999-2222-4333-8444-555555555555";

let program: string;
let folder: string;
let cluster: ServedCluster;
let uid: string;
let cloud: ServedCloud;

beforeAll(async () => {
  program = await cloudwrightProgram();
  folder = mkdtempSync(join(tmpdir(), "cloudwright-cleanup-"));
  [cloud, cluster] = await Promise.all([commands.cloud(folder), commands.cluster(folder)]);
  await serveAndDie();
}, 120_000);

afterAll(async () => {
  await commands.end();
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

/** A controller creates a load balancer and a route, and is killed together with its cluster. */
async function serveAndDie(): Promise<void> {
  const { id } = (await inCloud("POST", "instances", { name: "w-1" })) as { readonly id: string };
  await inCluster("nodes", "w-1", {
    spec: {
      providerID: `sandbox://${id}`,
      podCIDR: "10.244.1.0/24",
      podCIDRs: ["10.244.1.0/24"],
    },
    status: {
      addresses: [{ type: "InternalIP", address: "10.0.0.1" }],
      conditions: [{ type: "Ready", status: "True" }],
    },
  });
  await inCluster("namespaces/default/services", "web", {
    spec: { type: "LoadBalancer", ports: [{ port: 80, protocol: "TCP" }] },
  });
  const system = await commands.send("GET", {
    url: `${cluster.server}/api/v1/namespaces/kube-system`,
    token: cluster.token,
  });
  uid = z.object({ metadata: z.object({ uid: z.string() }) }).parse(system).metadata.uid;
  const controller = await startController([
    "--cloud-provider=sandbox",
    `--cloud-config=${join(folder, "cloud.yaml")}`,
    `--kubeconfig=${join(folder, "kubeconfig")}`,
    ...["--cluster-cidr=10.244.0.0/16", "--leader-elect=false"],
  ]);
  await eventually(made, (all) => all.every((each) => each.length === 1));
  controller.child.kill("SIGKILL");
  await controller.ended;
  await inCloud("POST", "routes", {
    ...{ name: "of-a-user", destination: "10.9.0.0/24", instanceId: id },
  });
  await inCloud("POST", "load-balancers", {
    name: "of-another-cluster",
    tags: { "cloudwright.io/cluster": STRANGER, "cloudwright.io/service-uid": STRANGER },
  });
}

const itemsSchema = z.object({ items: z.array(z.looseObject({ id: z.string() })) });

/** Returns the load balancers and routes in the cloud. */
async function made() {
  const lists = await Promise.all(["load-balancers", "routes"].map((what) => inCloud("GET", what)));
  return lists.map((list) => itemsSchema.parse(list).items);
}

function inCloud(method: "GET" | "POST", what: string, body?: object): Promise<unknown> {
  const url = `${cloud.endpoint}/v1/${what}`;
  return commands.send(method, {
    url,
    token: cloud.token,
    ...(body === undefined ? {} : { body }),
  });
}

async function inCluster(path: string, name: string, more: object): Promise<void> {
  const url = `${cluster.server}/api/v1/${path}`;
  await commands.send("POST", { url, token: cluster.token, body: { metadata: { name }, ...more } });
}

function cleanUp(...flags: readonly string[]) {
  const args = [
    ...[program, "cleanup", "--cloud-provider=sandbox"],
    ...[`--cloud-config=${join(folder, "cloud.yaml")}`, ...flags],
  ];
  return new Promise<{ code: number; output: string; errors: string }>((done) => {
    execFile(process.execPath, args, { cwd: ROOT }, (error, output, errors) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
      done({ code, output, errors });
    });
  });
}

it.each([
  [[], /Name the dead cluster: give --cluster=ID/],
  [["--cluster=prod"], /--cluster is "prod": it must be the cluster's id/],
  [[`--cluster=${STRANGER}`, "--confirm=6f3c2a10-0000-4000-8000-000000000001"], /name different/],
])("refuses %j", async (flags, says) => {
  const { code, errors } = await cleanUp(...flags);
  expect(code).toBe(1);
  expect(errors).toMatch(says);
});

it("refuses a cluster that still responds, and changes nothing", async () => {
  const before = await made();
  const flags = [`--cluster=${uid}`, `--confirm=${uid}`];
  const { code, errors } = await cleanUp(...flags, `--kubeconfig=${join(folder, "kubeconfig")}`);
  expect(code).toBe(1);
  expect(errors).toMatch(/^The cluster to clean up after still answers/);
  expect(await made()).toEqual(before);
});

it("finds nothing for an unknown cluster", async () => {
  const { code, output } = await cleanUp(`--cluster=${NOBODY}`);
  expect({ code, output }).toEqual({
    code: 0,
    output: `Nothing in the cloud belongs to the cluster ${NOBODY}.\n`,
  });
});

it("lists what the dead cluster has left, and changes nothing before it is confirmed", async () => {
  const before = await made();
  const { code, output } = await cleanUp(`--cluster=${uid}`);
  expect(code).toBe(2);
  expect(output).toMatch(/^2 resources in the cloud belong to the cluster/);
  expect(output).toMatch(/\n {2}load balancer \S+ .* of Service default\/web/);
  expect(output).toMatch(/\n {2}route \S+ to 10\.244\.1\.0\/24 in .*, of Node w-1/);
  expect(output).toContain(`add --confirm=${uid}`);
  const json = await cleanUp(`--cluster=${uid}`, "-o", "json");
  expect(JSON.parse(json.output)).toMatchObject({
    version: 1,
    cluster: uid,
    removed: false,
    leftovers: [
      { kind: "loadBalancer", service: "default/web" },
      { kind: "route", node: "w-1" },
    ],
  });
  expect(await made()).toEqual(before);
});

it("says in one sentence that the time was too short, and changes nothing", async () => {
  const before = await made();
  const flags = [`--cluster=${uid}`, `--confirm=${uid}`, "--timeout=1ms"];
  expect(await cleanUp(...flags)).toEqual({
    code: 1,
    output: "",
    errors:
      "The cleanup did not end within 1 ms: run the same command again with a longer --timeout, or check the cloud.\n",
  });
  expect(await made()).toEqual(before);
});

it("removes all of it despite an unreliable cloud, keeps what others own, and finds nothing the second time", async () => {
  await fetch(`${cloud.admin}/admin/faults`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      provisioningMs: 200,
      rules: [
        { method: "DELETE", status: 503, times: 1 },
        { method: "DELETE", path: "/v1/routes/*", loseResponse: true, times: 1 },
      ],
    }),
  });
  const { code, output, errors } = await cleanUp(`--cluster=${uid}`, `--confirm=${uid}`);
  expect(errors).toBe("");
  expect(output).toMatch(
    /\nRemoved load balancer .*\nRemoved route .*\nRemoved 2; nothing is left\.\n$/,
  );
  expect(code).toBe(0);
  expect((await made()).flat().map(({ name }) => name)).toEqual([
    "of-another-cluster",
    "of-a-user",
  ]);
  expect((await cleanUp(`--cluster=${uid}`)).code).toBe(0);
}, 60_000);
