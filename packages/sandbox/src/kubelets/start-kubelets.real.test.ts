import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { type RunningCloud, startCloud } from "../cloud/start-cloud.ts";
import { type KubeApi, type KubeRequest, openKubeApi } from "./kube-api.ts";
import { readKubeconfig } from "./kubeconfig.ts";
import { type RunningKubelets, startKubelets } from "./start-kubelets.ts";

const testcluster =
  process.env.CLOUDWRIGHT_TESTCLUSTER ??
  resolve(import.meta.dirname, "../../../../../shared/testcluster");
const missing = !existsSync(join(testcluster, "up"));
const run = promisify(execFile);

const nodeSchema = z.object({
  metadata: z.object({
    name: z.string(),
    uid: z.string(),
    annotations: z.record(z.string(), z.string()).optional(),
  }),
  spec: z.object({ taints: z.array(z.looseObject({ key: z.string() })).optional() }),
  status: z.object({
    addresses: z.array(z.object({ type: z.string(), address: z.string() })),
    conditions: z.array(
      z.object({ type: z.string(), status: z.string(), lastHeartbeatTime: z.string().nullable() }),
    ),
    nodeInfo: z.object({ kubeletVersion: z.string() }),
  }),
});
const leaseSchema = z.object({
  metadata: z.object({ ownerReferences: z.array(z.object({ uid: z.string() })) }),
  spec: z.object({ renewTime: z.string() }),
});
const instancesSchema = z.object({
  items: z.array(z.object({ id: z.string(), name: z.string(), zone: z.string() })),
});

if (missing) {
  it("needs a real API server", ({ skip }) => {
    expect(process.env.REQUIRE_REAL, `no testcluster at ${testcluster}`).not.toBe("1");
    skip();
  });
}

describe.skipIf(missing)("fake kubelets at a real API server", () => {
  let folder: string;
  let kubeconfig: string;
  let api: KubeApi;
  let cloud: RunningCloud;
  let kubelets: RunningKubelets | undefined;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "kubelets-"));
    const flags = [join(folder, "cluster"), "--controllers", "none"];
    const { stdout } = await run(join(testcluster, "up"), flags);
    kubeconfig = stdout.trim();
    api = openKubeApi(await readKubeconfig(kubeconfig), 4);
  });

  afterAll(async () => {
    await api.close();
    await run(join(testcluster, "down"), [join(folder, "cluster"), "--purge"]);
    await rm(folder, { recursive: true, force: true });
  });

  beforeEach(async () => {
    await rm(join(folder, "cloud"), { force: true });
    await rm(join(folder, "made"), { force: true });
    cloud = await startCloud({ listen: "127.0.0.1:0", stateFile: join(folder, "cloud") });
  });

  afterEach(async () => {
    await kubelets?.close();
    kubelets = undefined;
    await cloud.close();
    for (const path of ["/api/v1/nodes", LEASES]) {
      await remove(path);
    }
  });

  const LEASES = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases";

  /** The fake kubelets never delete anything, so their client cannot. */
  async function remove(path: string): Promise<void> {
    await kubectl(["delete", "--raw", path]);
  }

  async function kubectl(args: readonly string[]): Promise<void> {
    await run("kubectl", ["--kubeconfig", kubeconfig, ...args]).catch(async () => {
      const { stdout } = await run(join(testcluster, "build"));
      await run(join(stdout.trim(), "kubectl"), ["--kubeconfig", kubeconfig, ...args]);
    });
  }

  async function start(count: number, more: { statusIntervalMs?: number } = {}): Promise<void> {
    kubelets = await startKubelets({
      kubeconfig,
      cloudEndpoint: cloud.endpoint,
      cloudAdmin: cloud.admin,
      token: cloud.token,
      count,
      zones: 3,
      leaseIntervalMs: 100,
      statusIntervalMs: 300_000,
      stateFile: join(folder, "made"),
      ...more,
    });
  }

  async function restart(count: number): Promise<void> {
    await kubelets?.close();
    await start(count);
  }

  async function send(request: KubeRequest) {
    const answer = await api.send(request);
    expect(answer.status).toBeLessThan(300);
    return answer.body;
  }

  async function nodes() {
    const body = await send({ method: "GET", path: "/api/v1/nodes" });
    return z.object({ items: z.array(nodeSchema) }).parse(body).items;
  }

  async function names() {
    return (await nodes()).map(({ metadata }) => metadata.name).sort();
  }

  async function node(name: string) {
    return nodeSchema.parse(await send({ method: "GET", path: `/api/v1/nodes/${name}` }));
  }

  async function ready(name: string) {
    return (await node(name)).status.conditions.find(({ type }) => type === "Ready")?.status;
  }

  async function renewed(name: string): Promise<string> {
    return (await lease(name)).spec.renewTime;
  }

  async function lease(name: string) {
    return leaseSchema.parse(await send({ method: "GET", path: `${LEASES}/${name}` }));
  }

  async function setReady(name: string, status: string): Promise<void> {
    await send({
      method: "PATCH",
      path: `/api/v1/nodes/${name}/status`,
      contentType: "application/strategic-merge-patch+json",
      body: { status: { conditions: [{ type: "Ready", status, reason: "Test" }] } },
    });
  }

  async function inCloud(method: string, path: string, body?: unknown) {
    const response = await fetch(`${cloud.endpoint}/v1/instances${path}`, {
      method,
      headers: { authorization: `Bearer ${cloud.token}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    expect(response.status).toBeLessThan(300);
    const text = await response.text();
    return text === "" ? undefined : JSON.parse(text);
  }

  async function instances() {
    return instancesSchema.parse(await inCloud("GET", "")).items;
  }

  async function idOf(name: string): Promise<string> {
    return (await instances()).find((instance) => instance.name === name)?.id ?? "none";
  }

  async function beats(name: string): Promise<void> {
    const before = await renewed(name);
    await expect.poll(() => renewed(name)).not.toBe(before);
  }

  /** Two beats of another kubelet are long enough for this one to have sent one. */
  async function isSilent(name: string, other: string): Promise<boolean> {
    await beats(other);
    const before = await renewed(name);
    await beats(other);
    await beats(other);
    return (await renewed(name)) === before;
  }

  it("creates machines across the zones and registers them as kubelets with an external cloud do", async () => {
    await start(4);
    expect((await instances()).map(({ name, zone }) => [name, zone]).sort()).toEqual([
      ["node-1", "region-1a"],
      ["node-2", "region-1b"],
      ["node-3", "region-1c"],
      ["node-4", "region-1a"],
    ]);
    await expect.poll(names).toEqual(["node-1", "node-2", "node-3", "node-4"]);
    const first = await node("node-1");
    expect(first.spec.taints).toContainEqual(
      expect.objectContaining({
        key: "node.cloudprovider.kubernetes.io/uninitialized",
        value: "true",
        effect: "NoSchedule",
      }),
    );
    const ip = first.metadata.annotations?.["alpha.kubernetes.io/provided-node-ip"];
    expect(ip).toMatch(/^10\./);
    expect(first.status.addresses).toEqual([
      { type: "InternalIP", address: ip },
      { type: "Hostname", address: "node-1" },
    ]);
    expect(first.status.nodeInfo.kubeletVersion).toMatch(/^v1\./);
    expect(await ready("node-1")).toBe("True");
    await expect
      .poll(async () => (await lease("node-1")).metadata.ownerReferences)
      .toMatchObject([{ uid: first.metadata.uid }]);
    await beats("node-1");
  });

  it("fall silent with their machine and come back with it", async () => {
    await start(2);
    await expect.poll(names).toHaveLength(2);
    const id = await idOf("node-1");
    await expect.poll(() => renewed("node-1")).toBeTruthy();
    await inCloud("POST", `/${id}/stop`);
    await expect.poll(() => isSilent("node-1", "node-2")).toBe(true);
    await setReady("node-1", "Unknown");
    await inCloud("POST", `/${id}/start`);
    await expect.poll(() => ready("node-1")).toBe("True");
    await beats("node-1");
  });

  it("leave a Ready that a user set until their machine is restarted", async () => {
    await start(1);
    await expect.poll(names).toHaveLength(1);
    await expect.poll(() => renewed("node-1")).toBeTruthy();
    await setReady("node-1", "False");
    await beats("node-1");
    await beats("node-1");
    expect(await ready("node-1")).toBe("False");
    const id = await idOf("node-1");
    await inCloud("POST", `/${id}/stop`);
    await inCloud("POST", `/${id}/start`);
    await expect.poll(() => ready("node-1")).toBe("True");
  });

  it("post their status every interval", async () => {
    await start(1, { statusIntervalMs: 200 });
    await expect.poll(names).toHaveLength(1);
    await setReady("node-1", "False");
    await expect.poll(() => ready("node-1")).toBe("True");
  });

  it("are silenced by an annotation, and report that they are healthy when it is removed", async () => {
    await start(2);
    await expect.poll(names).toHaveLength(2);
    await expect.poll(() => renewed("node-1")).toBeTruthy();
    await expect.poll(() => renewed("node-2")).toBeTruthy();
    await kubectl(["annotate", "node", "node-1", "sandbox.cloudwright.io/kubelet=silent"]);
    await expect.poll(() => isSilent("node-1", "node-2")).toBe(true);
    await setReady("node-1", "Unknown");
    await kubectl(["annotate", "node", "node-1", "sandbox.cloudwright.io/kubelet-"]);
    await expect.poll(() => ready("node-1")).toBe("True");
    await beats("node-1");
  });

  it("register a deleted Node only when its machine is restarted", async () => {
    await start(2);
    await expect.poll(names).toHaveLength(2);
    await expect.poll(() => renewed("node-2")).toBeTruthy();
    await remove("/api/v1/nodes/node-1");
    await beats("node-2");
    await beats("node-2");
    expect(await names()).toEqual(["node-2"]);
    const id = await idOf("node-1");
    await inCloud("POST", `/${id}/stop`);
    await inCloud("POST", `/${id}/start`);
    await expect.poll(names).toEqual(["node-1", "node-2"]);
    const { uid } = (await node("node-1")).metadata;
    await expect
      .poll(async () => (await lease("node-1")).metadata.ownerReferences)
      .toMatchObject([{ uid }]);
  });

  it("exist for a machine that a user creates, but not for one with another name", async () => {
    await start(1);
    await inCloud("POST", "", { name: "bastion" });
    await inCloud("POST", "", { name: "node-7" });
    await expect.poll(names).toEqual(["node-1", "node-7"]);
  });

  it("do not bring back a machine that was deleted, and create more when more are requested", async () => {
    await start(3);
    await inCloud("DELETE", `/${await idOf("node-2")}`);
    await restart(4);
    expect((await instances()).map(({ name }) => name)).toEqual(["node-1", "node-3", "node-4"]);
  });

  it("create each machine once in a cloud that loses answers and fails", async () => {
    await fetch(`${cloud.admin}/admin/faults`, {
      method: "PUT",
      body: JSON.stringify({
        rules: [
          { method: "POST", loseResponse: true, times: 1 },
          { method: "POST", status: 503, times: 1 },
        ],
      }),
    });
    await start(2);
    expect((await instances()).map(({ name }) => name).sort()).toEqual(["node-1", "node-2"]);
  });

  it("recognise the machines of a cloud that went away and came back", async () => {
    await start(1);
    await expect.poll(names).toEqual(["node-1"]);
    await setReady("node-1", "False");
    const listen = new URL(cloud.endpoint).host;
    await cloud.close();
    cloud = await startCloud({ listen, stateFile: join(folder, "cloud") });
    await inCloud("POST", "", { name: "node-2" });
    await expect.poll(names, { timeout: 20_000 }).toEqual(["node-1", "node-2"]);
    expect(await ready("node-1")).toBe("False");
  });

  it("report in one sentence that the cluster does not answer", async () => {
    const nowhere = join(folder, "nowhere");
    await writeFile(
      nowhere,
      (await readFile(kubeconfig, "utf8")).replace(/127\.0\.0\.1:\d+/, "127.0.0.1:1"),
    );
    await expect(
      startKubelets({
        kubeconfig: nowhere,
        cloudEndpoint: cloud.endpoint,
        cloudAdmin: cloud.admin,
        token: cloud.token,
        count: 1,
        zones: 1,
        leaseIntervalMs: 100,
        statusIntervalMs: 1_000,
      }),
    ).rejects.toThrow(/The cluster of .*nowhere does not answer/);
  });
});
