import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type ControllerProcess, eventually, startController } from "./controller-process.ts";
import { startTestCluster, type TestCluster, testclusterFolder } from "./testcluster.ts";

const folder = testclusterFolder();
const PROVIDER = fileURLToPath(new URL("scripted-provider.mjs", import.meta.url));
const started: ControllerProcess[] = [];
let cluster: TestCluster;
let work: string;
let count = 0;

describe.skipIf(folder === undefined)("cloudwright controller on a real API server", () => {
  beforeAll(async () => {
    work = mkdtempSync(join(tmpdir(), "cloudwright-controller-"));
    if (folder !== undefined) cluster = await startTestCluster(folder);
  });

  afterEach(async () => {
    for (const { child } of started) child.kill("SIGKILL");
    await Promise.all(started.splice(0).map(({ ended }) => ended));
  });

  afterAll(async () => {
    await cluster.stop();
    rmSync(work, { recursive: true, force: true });
  });

  it("initialises a node and serves its health (N-01, H-07, H-11, H-12, H-23)", async () => {
    const controller = await start("--leader-elect=false");
    await ready(controller);
    await cluster.kubectl("create", "-f", nodeFile("node-a"));
    const id = () => cluster.kubectl("get", "node", "node-a", "-o", "jsonpath={.spec.providerID}");
    expect(await eventually(id, (text) => text !== "")).toBe("scripted://node-a");
    const health = await controller.get("/healthz?verbose");
    expect(health.body).toMatch(/^\[\+\]cloud-node-controller ok$/m);
    expect(health.body).not.toContain("leaderElection");
    expect((await controller.get("/metrics")).status).toBe(403);
    controller.child.kill("SIGTERM");
    expect(await controller.ended).toBe(0);
  });

  it("releases the Lease immediately on a signal to end (H-01, H-10, H-11)", async () => {
    const lease = "--leader-elect-resource-name=hand-over";
    const first = await start(lease);
    await leads(first);
    const second = await start(lease);
    await ready(second);
    expect((await second.get("/readyz?verbose")).body).toMatch(
      /leadership ok \(standby, .* leads\)/,
    );
    expect((await second.get("/healthz?verbose")).body).not.toContain("cloud-node-controller");
    first.child.kill("SIGTERM");
    expect(await first.ended).toBe(0);
    await leads(second);
    expect(await leaseOf("hand-over", "{.spec.leaseTransitions}")).toBe("1");
    second.child.kill("SIGTERM");
    expect(await second.ended).toBe(0);
    expect(await leaseOf("hand-over", "{.spec.holderIdentity}")).toBe("");
  });

  it("exits with 1 if another process has taken its Lease (H-05)", async () => {
    const controller = await start("--leader-elect-resource-name=taken");
    await leads(controller);
    const patch = JSON.stringify({ spec: { holderIdentity: "x" } });
    await cluster.kubectl(
      "patch",
      "lease",
      "-n",
      "kube-system",
      "taken",
      "--type=merge",
      "-p",
      patch,
    );
    expect(await controller.ended).toBe(1);
    expect(controller.log()).toContain("the Lease was lost");
  });

  it("gives way if its provider cannot start (H-19)", async () => {
    const config = join(work, "broken");
    writeFileSync(config, "broken");
    const lease = "--leader-elect-resource-name=broken";
    const controller = await start(lease, `--cloud-config=${config}`);
    expect(await controller.ended).toBe(255);
    expect(controller.log()).toContain("the quota of this project is zero");
    expect(await leaseOf("broken", "{.spec.holderIdentity}")).toBe("");
  });

  it("shows its metrics to users whom the cluster allows (H-13)", async () => {
    const { kubeconfig } = cluster;
    const lease = "--leader-elect-resource-name=metrics";
    const controller = await start(
      lease,
      `--authentication-kubeconfig=${kubeconfig}`,
      `--authorization-kubeconfig=${kubeconfig}`,
    );
    await leads(controller);
    const foreign = await accountToken("stranger");
    const scraper = await accountToken("scraper");
    await cluster.kubectl(
      "create",
      "clusterrole",
      "read-metrics",
      "--verb=get",
      "--non-resource-url=/metrics",
    );
    await cluster.kubectl(
      "create",
      "clusterrolebinding",
      "read-metrics",
      "--clusterrole=read-metrics",
      "--serviceaccount=default:scraper",
    );
    expect((await controller.get("/metrics")).status).toBe(403);
    expect((await controller.get("/metrics", "nonsense")).status).toBe(401);
    expect((await controller.get("/metrics", foreign)).status).toBe(403);
    const answer = await eventually(
      () => controller.get("/metrics", scraper),
      ({ status }) => status === 200,
    );
    expect(answer.body).toContain('leader_election_master_status{name="metrics"} 1');
    expect(answer.body).toContain(
      'running_managed_controllers{name="cloud-node",manager="cloud-controller-manager"} 1',
    );
  });

  it.each<[string, string[], string[]]>([
    [
      "an alias runs that one alone (H-14)",
      ["--controllers=cloud-node"],
      ["cloud-node-controller"],
    ],
    ["a removal alone runs nothing (H-16)", ["--controllers=-route"], []],
  ])("%s", async (_, flags, running) => {
    const controller = await start("--leader-elect=false", ...flags);
    await ready(controller);
    const { body } = await controller.get("/healthz?verbose");
    const checks = [...body.matchAll(/^\[\+\](\S+-controller) ok$/gm)].map((match) => match[1]);
    expect(checks).toEqual(running);
  });

  it("keeps retrying while there is no API server (H-32)", async () => {
    const kubeconfig = join(work, "nobody.kubeconfig");
    writeFileSync(kubeconfig, kubeconfigOf("https://127.0.0.1:9"));
    const controller = await startController([`--kubeconfig=${kubeconfig}`, ...provided()]);
    started.push(controller);
    await eventually(
      () => controller.get("/healthz"),
      ({ status }) => status === 200,
    );
    expect((await controller.get("/readyz")).status).toBe(500);
    await eventually(
      async () => controller.log(),
      (log) => log.includes("cannot be reached yet"),
    );
    controller.child.kill("SIGTERM");
    expect(await controller.ended).toBe(0);
  });

  it.each<Refusal>([
    {
      what: "an unknown provider (H-19)",
      flags: ["--cloud-provider=nope"],
      code: 255,
      sentence: /^Unknown cloud provider nope: /m,
    },
    {
      what: "a config that is not there (H-19)",
      flags: ["--cloud-config=/nope"],
      code: 1,
      sentence: /^--cloud-config cannot be read/m,
    },
    {
      what: "a provider that refuses its config (H-19)",
      flags: ["--cloud-config=refuse"],
      code: 1,
      sentence: /the config says refuse/,
    },
    {
      what: "a cloud without a cluster (H-20)",
      flags: ["--cloud-config=untagged"],
      code: 255,
      sentence: /names no cluster: .*--allow-untagged-cloud/,
    },
    {
      what: "no kubeconfig",
      flags: ["--kubeconfig=/nope"],
      code: 1,
      sentence: /^The kubeconfig \/nope cannot be used/m,
    },
    {
      what: "half a certificate",
      flags: ["--tls-cert-file=/nope", "--tls-private-key-file=/nope"],
      code: 1,
      sentence: /^--tls-cert-file cannot be read/m,
    },
    {
      what: "a spool that cannot be",
      flags: ["--spool-dir=refuse/spool"],
      code: 1,
      sentence: /^--spool-dir cannot be used/m,
    },
    {
      what: "a bad flag",
      flags: ["--v=x"],
      code: 1,
      sentence: /^--v is "x": it must be a whole number\.$/m,
    },
  ])("does not start with $what", async ({ flags, code, sentence }) => {
    for (const name of ["refuse", "untagged"]) writeFileSync(join(work, name), name);
    const inWork = flags.map((flag) => flag.replace(/=(refuse|untagged)/, `=${work}/$1`));
    const controller = await start(...inWork);
    expect(await controller.ended).toBe(code);
    expect(controller.log()).toMatch(sentence);
    expect(controller.log()).not.toMatch(/^\s+at /m);
  });
});

interface Refusal {
  readonly what: string;
  readonly flags: readonly string[];
  readonly code: number;
  readonly sentence: RegExp;
}

function provided(): readonly string[] {
  count += 1;
  return [`--cloud-provider=${PROVIDER}`, `--spool-dir=${join(work, `spool-${count}`)}`];
}

async function start(...flags: readonly string[]): Promise<ControllerProcess> {
  const controller = await startController([
    `--kubeconfig=${cluster.kubeconfig}`,
    ...provided(),
    ...flags,
  ]);
  started.push(controller);
  return controller;
}

function ready(controller: ControllerProcess) {
  return eventually(
    () => controller.get("/readyz"),
    ({ status }) => status === 200,
  );
}

function leads(controller: ControllerProcess) {
  return eventually(
    () => controller.get("/readyz?verbose"),
    ({ body }) => body.includes("leadership ok (leader)"),
  );
}

function leaseOf(name: string, path: string): Promise<string> {
  return cluster.kubectl("get", "lease", "-n", "kube-system", name, "-o", `jsonpath=${path}`);
}

async function accountToken(name: string): Promise<string> {
  await cluster.kubectl("create", "serviceaccount", name);
  return (await cluster.kubectl("create", "token", name)).trim();
}

function nodeFile(name: string): string {
  const file = join(work, `${name}.json`);
  const taint = {
    key: "node.cloudprovider.kubernetes.io/uninitialized",
    value: "true",
    effect: "NoSchedule",
  };
  const node = { apiVersion: "v1", kind: "Node", metadata: { name }, spec: { taints: [taint] } };
  writeFileSync(file, JSON.stringify(node));
  return file;
}

function kubeconfigOf(server: string): string {
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": "c",
    clusters: [{ name: "c", cluster: { server } }],
    users: [{ name: "u", user: {} }],
    contexts: [{ name: "c", context: { cluster: "c", user: "u" } }],
  });
}
