import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { type ControllerProcess, eventually, startController } from "./controller-process.ts";
import { startTestCluster, type TestCluster, testclusterFolder } from "./testcluster.ts";

const folder = testclusterFolder();
const PROVIDER = fileURLToPath(new URL("scripted-provider.mjs", import.meta.url));
const SYSTEM = ["-n", "kube-system"];
const MIGRATION_LEASE = "cloud-provider-extraction-migration";
const IDENTITIES = "--use-service-account-credentials";
const started: ControllerProcess[] = [];
let cluster: TestCluster;
let work: string;
let count = 0;

describe.skipIf(folder === undefined)("several controllers as one, on a real API server", () => {
  beforeAll(async () => {
    work = mkdtempSync(join(tmpdir(), "cloudwright-identity-"));
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

  it("a process that may not write nodes initialises one as node-controller (H-25)", async () => {
    const kubeconfig = await accountConfig("root", true);
    const controller = await start(kubeconfig, "--leader-elect=false", IDENTITIES);
    await createNode("node-a");
    const id = () => cluster.kubectl("get", "node", "node-a", "-o", "jsonpath={.spec.providerID}");
    expect(await eventually(id, (text) => text !== "")).toBe("scripted://node-a");
    await cluster.kubectl("get", "serviceaccount", ...SYSTEM, "node-controller");
    expect(controller.log()).not.toMatch(/forbidden/i);
  });

  it("a process that may not create tokens exits with 255 and names the missing right (H-25)", async () => {
    const kubeconfig = await accountConfig("bare", false);
    const controller = await start(kubeconfig, "--leader-elect=false", IDENTITIES);
    expect(await controller.ended).toBe(255);
    expect(controller.log()).toMatch(
      /ERROR.*cannot start.*kube-system\/node-controller returned no token.*create of serviceaccounts\/token/,
    );
  });

  it("migrating controllers wait for the second Lease, and its loss ends the process (H-28, H-31)", async () => {
    await createLease(MIGRATION_LEASE);
    const controller = await start(
      cluster.kubeconfig,
      "--enable-leader-migration",
      "--leader-elect-resource-name=main",
    );
    await healthSays(controller, `waits for the Lease ${MIGRATION_LEASE}, which other_1 holds`);
    await healthSays(controller, "[+]cloud-node-controller ok");
    expect((await controller.get("/healthz?verbose")).body).not.toContain("lifecycle");
    await patchLease(MIGRATION_LEASE, { holderIdentity: "", leaseDurationSeconds: 1 });
    await healthSays(controller, `leaderMigration ok (holds the Lease ${MIGRATION_LEASE})`);
    await healthSays(controller, "[+]cloud-node-lifecycle-controller ok");
    expect(await holderOf(MIGRATION_LEASE)).toBe(await holderOf("main"));
    await patchLease(MIGRATION_LEASE, { holderIdentity: "x" });
    expect(await controller.ended).toBe(1);
    expect(controller.log()).toContain(
      `the Lease ${MIGRATION_LEASE} of the leader migration was lost`,
    );
    expect(await holderOf("main")).toBe("");
  });
});

async function start(kubeconfig: string, ...flags: readonly string[]): Promise<ControllerProcess> {
  count += 1;
  const controller = await startController([
    `--kubeconfig=${kubeconfig}`,
    `--cloud-provider=${PROVIDER}`,
    `--spool-dir=${join(work, `spool-${count}`)}`,
    ...flags,
  ]);
  started.push(controller);
  return controller;
}

function healthSays(controller: ControllerProcess, text: string) {
  return eventually(
    () => controller.get("/healthz?verbose"),
    ({ body }) => body.includes(text),
  );
}

function holderOf(lease: string): Promise<string> {
  return cluster.kubectl("get", "lease", ...SYSTEM, lease, "-o", "jsonpath={.spec.holderIdentity}");
}

async function patchLease(name: string, spec: object): Promise<void> {
  const patch = JSON.stringify({ spec });
  await cluster.kubectl("patch", "lease", ...SYSTEM, name, "--type=merge", "-p", patch);
}

/** Creates a Lease held by another process, which does not renew it for an hour. */
async function createLease(name: string): Promise<void> {
  await create({
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: { name, namespace: "kube-system" },
    spec: {
      holderIdentity: "other_1",
      leaseDurationSeconds: 3_600,
      renewTime: `${new Date().toISOString().slice(0, -1)}000Z`,
    },
  });
}

async function createNode(name: string): Promise<void> {
  const taint = {
    key: "node.cloudprovider.kubernetes.io/uninitialized",
    value: "true",
    effect: "NoSchedule",
  };
  await create({
    apiVersion: "v1",
    kind: "Node",
    metadata: { name },
    spec: { taints: [taint] },
  });
}

async function create(object: object): Promise<void> {
  count += 1;
  const file = join(work, `object-${count}.json`);
  writeFileSync(file, JSON.stringify(object));
  await cluster.kubectl("create", "-f", file);
}

/**
 * Returns a kubeconfig of a new service account with the rights of a process with identities, with or without the right to create
 * tokens.
 */
async function accountConfig(name: string, makesTokens: boolean): Promise<string> {
  await cluster.kubectl("create", "serviceaccount", name);
  const rule = (resources: readonly string[], verbs: readonly string[]) => ({
    apiGroups: [""],
    resources,
    verbs,
  });
  await create({
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRole",
    metadata: { name },
    rules: [
      rule(["namespaces"], ["get"]),
      rule(["nodes"], ["list", "watch"]),
      rule(["events"], ["create", "patch"]),
      rule(["configmaps"], ["get", "create", "update"]),
      rule(["serviceaccounts"], ["get", "create"]),
      ...(makesTokens ? [rule(["serviceaccounts/token"], ["create"])] : []),
    ],
  });
  await cluster.kubectl(
    "create",
    "clusterrolebinding",
    name,
    `--clusterrole=${name}`,
    `--serviceaccount=default:${name}`,
  );
  const token = (await cluster.kubectl("create", "token", name)).trim();
  const config = parse(readFileSync(cluster.kubeconfig, "utf8")) as { users: { user: object }[] };
  for (const user of config.users) user.user = { token };
  const path = join(work, `${name}.kubeconfig`);
  writeFileSync(path, stringify(config), { mode: 0o600 });
  return path;
}
