import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cloudwrightProgram } from "./program.ts";
import {
  type ServedCloud,
  type ServedCluster,
  ServingCommands,
  writeCloudConfig,
} from "./sandbox-cluster.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const commands = new ServingCommands();
const GONE = ["g-1", "g-2", "g-3", "g-4", "g-5", "g-6", "g-7"];

let program: string;
let folder: string;
let cluster: ServedCluster;
let cloud: ServedCloud;

beforeAll(async () => {
  program = await cloudwrightProgram();
  folder = mkdtempSync(join(tmpdir(), "cloudwright-plan-"));
  [cloud, cluster] = await Promise.all([commands.cloud(folder), commands.cluster(folder)]);
  await post(`${cloud.endpoint}/v1/instances`, cloud.token, { name: "w-1" });
  await post(`${cluster.server}/api/v1/nodes`, cluster.token, {
    metadata: { name: "w-1" },
    spec: {
      taints: [{ key: "node.cloudprovider.kubernetes.io/uninitialized", effect: "NoSchedule" }],
    },
  });
  for (const name of GONE) {
    await post(`${cluster.server}/api/v1/nodes`, cluster.token, {
      metadata: { name },
      spec: { providerID: `sandbox://region-1/${name}` },
    });
  }
});

afterAll(async () => {
  await commands.end();
  rmSync(folder, { recursive: true, force: true });
});

async function post(url: string, token: string, body: object): Promise<void> {
  await commands.send("POST", { url, token, body });
}

async function get(url: string, token = ""): Promise<unknown> {
  return await commands.send("GET", { url, token });
}

interface Ended {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

function plan(...flags: readonly string[]): Promise<Ended> {
  const child = spawn(
    process.execPath,
    [
      ...[program, "plan", "--cloud-provider=sandbox"],
      ...[
        `--cloud-config=${join(folder, "cloud.yaml")}`,
        `--kubeconfig=${join(folder, "kubeconfig")}`,
      ],
      ...["--node-monitor-period=1s", "--configure-cloud-routes=false", ...flags],
    ],
    { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] },
  );
  let output = "";
  let errors = "";
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    errors += chunk.toString();
  });
  return new Promise((done) => {
    child.once("close", (code) => done({ code, output, errors }));
  });
}

describe("cloudwright plan", () => {
  it("reports for each object what would be written, from what to what and why, and exits with 2", async () => {
    const { code, output } = await plan("--only=node/w-1");
    expect(output).toContain("Node w-1 (cloud-node-controller)");
    expect(output).toContain("Write provider ID and labels and remove the uninitialized taint");
    expect(output).toMatch(/providerID: none → sandbox:\/\//);
    expect(output).toMatch(
      /taints: \S*uninitialized NoSchedule, .* → node.kubernetes.io\/not-ready NoSchedule/,
    );
    expect(output).toMatch(/2 observations: 2 changes to 1, 1 in sync\.\n$/);
    expect(code).toBe(2);
  });

  it("observes twice before it reports that a node would be deleted, and shows those that the guard would hold", async () => {
    const { code, output } = await plan(
      ...["-o", "json", "--controllers=cloud-node-lifecycle-controller"],
    );
    expect(code).toBe(2);
    const { summary, objects, controllers } = JSON.parse(output);
    expect(controllers).toEqual(["cloud-node-lifecycle-controller"]);
    expect(summary).toEqual({
      looks: 8,
      changes: 5,
      change: 5,
      failed: 0,
      blocked: 2,
      waiting: 0,
      inStep: 1,
    });
    const blocked = objects.filter((object: { verdict: string }) => object.verdict === "blocked");
    expect(blocked).toMatchObject(
      Array.from({ length: 2 }, () => ({
        code: "DeletionGuardHeld",
        notTaken: [{ step: "delete" }],
      })),
    );
  });

  it.each([
    ["load balancers", ["--controllers=service"], "service-lb-controller"],
    [
      "routes",
      [...["--controllers=route", "--configure-cloud-routes=true"], "--cluster-cidr=10.244.0.0/16"],
      "node-route-controller",
    ],
  ])(
    "ends with 1 where the %s could not be listed, though nothing asks for any, and says why",
    async (what, flags, controller) => {
      writeCloudConfig(join(folder, "away.yaml"), { ...cloud, endpoint: "http://127.0.0.1:9" });
      const away = `--cloud-config=${join(folder, "away.yaml")}`;
      const text = await plan(away, ...flags);
      expect(text.output).toContain(
        `Not everything could be observed (${controller}): the ${what} could not be listed`,
      );
      expect(text.code).toBe(1);
      const json = await plan(away, ...flags, "-o", "json");
      expect(JSON.parse(json.output)).toMatchObject({
        unseen: [{ controller, why: expect.stringContaining(`the ${what} could not be listed`) }],
      });
      expect(json.code).toBe(1);
    },
  );

  it("shows which load balancer would be created for a Service, and which load balancers have no Service", async () => {
    await post(`${cluster.server}/api/v1/namespaces/default/services`, cluster.token, {
      metadata: { name: "web" },
      spec: { type: "LoadBalancer", ports: [{ port: 80, protocol: "TCP" }] },
    });
    const uid = /^Cluster (\S+) /.exec((await plan("--only=Node/w-1")).output)?.[1] ?? "";
    const tags = { "cloudwright.io/cluster": uid, "cloudwright.io/service-uid": "gone" };
    await post(`${cloud.endpoint}/v1/load-balancers`, cloud.token, {
      name: "agone",
      tags,
      listeners: [],
    });
    const { code, output } = await plan("-o", "json", "--controllers=service");
    expect(code).toBe(2);
    const { objects } = JSON.parse(output);
    expect(objects).toMatchObject([
      { object: { kind: "LoadBalancer" }, code: "BalancerOrphaned" },
      {
        object: { kind: "Service", namespace: "default", name: "web" },
        verdict: "change",
        changes: expect.arrayContaining([
          expect.objectContaining({ kind: "service.finalizer.add", system: "cluster" }),
          expect.objectContaining({ kind: "balancer.create", system: "cloud" }),
        ]),
      },
    ]);
    const { items } = (await get(`${cloud.endpoint}/v1/load-balancers`, cloud.token)) as {
      items: { name: string }[];
    };
    expect(items.map(({ name }) => name)).toEqual(["agone"]);
  });

  it("shows which routes would be created or deleted, and which belong to somebody else", async () => {
    await post(`${cluster.server}/api/v1/nodes`, cluster.token, {
      metadata: { name: "routed" },
      spec: { podCIDR: "10.244.1.0/24", podCIDRs: ["10.244.1.0/24"] },
      status: { addresses: [{ type: "InternalIP", address: "10.9.0.1" }] },
    });
    const uid = /^Cluster (\S+) /.exec((await plan("--only=Node/w-1")).output)?.[1] ?? "";
    const ours = { "cloudwright.io/cluster": uid, "cloudwright.io/node-uid": "gone" };
    for (const [destination, tags] of [
      ["10.244.7.0/24", ours],
      ["10.244.8.0/24", {}],
    ]) {
      const body = { name: "by-hand", destination, instanceId: "", tags };
      await post(`${cloud.endpoint}/v1/routes`, cloud.token, body);
    }
    const { code, output } = await plan(
      ...["-o", "json", "--controllers=route", "--configure-cloud-routes=true"],
      "--cluster-cidr=10.244.0.0/16",
    );
    expect(code).toBe(2);
    const { objects } = JSON.parse(output);
    expect(objects).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({
          object: expect.objectContaining({ kind: "Node", name: "routed" }),
          changes: [
            expect.objectContaining({ kind: "route.create", system: "cloud" }),
            expect.objectContaining({ kind: "node.network-condition.write", system: "cluster" }),
          ],
        }),
        expect.objectContaining({
          object: expect.objectContaining({ kind: "Route" }),
          changes: [expect.objectContaining({ kind: "route.delete" })],
        }),
        expect.objectContaining({
          object: expect.objectContaining({ kind: "RouteTable" }),
          code: "RouteTableSeen",
        }),
      ]),
    );
    const { items } = (await get(`${cloud.endpoint}/v1/routes`, cloud.token)) as {
      items: readonly unknown[];
    };
    expect(items).toHaveLength(2);
  });

  it("exits with 0 if nothing would be done", async () => {
    const { code, output } = await plan(
      ...["--controllers=cloud-node-lifecycle-controller", "--only=Node/w-1"],
    );
    expect(output).toMatch(/1 observation: nothing would be changed, 1 in sync\.\n$/);
    expect(code).toBe(0);
  });

  it("exits with 1 if it could not observe everything, and says why", async () => {
    writeCloudConfig(join(folder, "away.yaml"), { ...cloud, endpoint: "http://127.0.0.1:9" });
    const { code, output } = await plan(
      `--cloud-config=${join(folder, "away.yaml")}`,
      "--only=Node/w-1",
    );
    expect(output).toMatch(/Failed: Sandbox/);
    expect(code).toBe(1);
  });

  it.each([
    [
      "an output that there is not",
      ["--output=xml"],
      '--output is "xml": it must be text or json.',
    ],
    ["an object without a kind", ["--only=w-1"], "such as Node/w-1"],
    [
      "an object that is not there",
      ["--only=Node/w-9"],
      "No selected controller has observed Node/w-9",
    ],
    ["a flag of nobody", ["--kubeconfi=x"], "did you mean --kubeconfig?"],
    [
      "a cluster that does not answer",
      ["--master=https://127.0.0.1:9", "--timeout=1s"],
      "not made within 1 s",
    ],
  ])("refuses %s with a sentence", async (_what, flags, sentence) => {
    const { code, output, errors } = await plan(...flags);
    expect({ code, output }).toEqual({ code: 1, output: "" });
    expect(errors).toContain(sentence);
  });
});
