import { spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { type ControllerProcess, eventually, startController } from "./controller-process.ts";
import { type ServedCluster, ServingCommands } from "./sandbox-cluster.ts";

const PROVIDER = fileURLToPath(
  new URL("../../../packages/providers/grpc/test/supervision/provider.mjs", import.meta.url),
);
const TAINT = "node.cloudprovider.kubernetes.io/uninitialized";

const commands = new ServingCommands();
let cluster: ServedCluster;
let home: string;
let folder: string;
let controllers: ControllerProcess[];

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "cloudwright-outside-"));
  cluster = await commands.cluster(home);
}, 120_000);

afterAll(async () => {
  await commands.end();
  rmSync(home, { recursive: true, force: true });
}, 60_000);

beforeEach(() => {
  folder = mkdtempSync(join(home, "test-"));
  controllers = [];
  const executable = join(folder, "cloudwright-provider-fixture");
  writeFileSync(
    executable,
    `#!/bin/sh\necho $$ >> "${folder}/starts"\nexec "${process.execPath}" "${PROVIDER}"\n`,
  );
  chmodSync(executable, 0o755);
  vi.stubEnv("FIXTURE_FOLDER", folder);
});

afterEach(async () => {
  vi.unstubAllEnvs();
  for (const { child } of controllers) child.kill("SIGKILL");
  await Promise.all(controllers.map(({ ended }) => ended));
}, 60_000);

async function start(...flags: readonly string[]): Promise<ControllerProcess> {
  const controller = await startController([
    ...[`--kubeconfig=${join(home, "kubeconfig")}`, `--spool-dir=${join(folder, "spool")}`],
    ...["--configure-cloud-routes=false", `--leader-elect-resource-name=${flags.length}-outside`],
    ...["--leader-elect=false", "--node-monitor-period=1s"],
    ...flags,
  ]);
  controllers.push(controller);
  return controller;
}

function startOwn(...flags: readonly string[]): Promise<ControllerProcess> {
  return start("--cloud-provider=fixture", `--provider-path=${folder}`, ...flags);
}

function ready(controller: ControllerProcess) {
  return eventually(
    () => controller.get("/readyz"),
    ({ status }) => status === 200,
  );
}

async function register(name: string, spec: object = uninitialised()): Promise<void> {
  const url = `${cluster.server}/api/v1/nodes`;
  const body = { apiVersion: "v1", kind: "Node", metadata: { name }, spec };
  await commands.send("POST", { url, token: cluster.token, body });
}

function uninitialised() {
  return { taints: [{ key: TAINT, value: "true", effect: "NoSchedule" }] };
}

interface ListedNode {
  readonly metadata: { readonly name: string; readonly uid: string };
  readonly spec?: {
    readonly providerID?: string;
    readonly taints?: readonly { readonly key: string }[];
  };
}

async function nodes(): Promise<ReadonlyMap<string, ListedNode>> {
  const url = `${cluster.server}/api/v1/nodes`;
  const { items } = (await commands.send("GET", { url, token: cluster.token })) as {
    readonly items: readonly ListedNode[];
  };
  return new Map(items.map((node) => [node.metadata.name, node]));
}

function initialised(names: readonly string[]) {
  return eventually(nodes, (all) =>
    names.every((name) => all.get(name)?.spec?.providerID === `fixture://${name}`),
  );
}

function starts(): readonly number[] {
  const file = join(folder, "starts");
  return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n").map(Number) : [];
}

function isRunning(pid: number | undefined): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return !/\) [ZX] /.test(stat);
  } catch {
    return false;
  }
}

const soon = <T>(look: () => T) => eventually(async () => look(), Boolean);

it("serves nodes with a process that is killed during its work, and deletes none of them", async () => {
  const controller = await startOwn();
  await ready(controller);
  const names = Array.from({ length: 60 }, (_, index) => `kill-${index}`);
  const registered = Promise.all(names.map((name) => register(name)));
  await soon(
    () =>
      existsSync(join(folder, "notes")) &&
      /describe/.test(readFileSync(join(folder, "notes"), "utf8")),
  );
  const before = await nodes();
  process.kill(starts()[0] ?? 0, "SIGKILL");
  await registered;
  const after = await initialised(names);
  for (const [name, { metadata }] of before)
    expect(after.get(name)?.metadata.uid).toBe(metadata.uid);
  const { body: health } = await controller.get("/healthz?verbose");
  expect(health).toMatch(
    /cloud-provider-process ok \(cloudwright-provider-fixture 1\.2\.3 runs as/,
  );
  expect(controller.log()).toMatch(/cloudwright-provider-fixture was killed by SIGKILL/);
  expect(starts()).toHaveLength(2);
  controller.child.kill("SIGTERM");
  expect(await controller.ended).toBe(0);
  expect(readFileSync(join(folder, "notes"), "utf8")).toContain(`${starts()[1]} shutdown`);
  expect(isRunning(starts()[1])).toBe(false);
}, 120_000);

it("deletes a Node that the process reports as absent twice, and none while it is stopped", async () => {
  const controller = await startOwn();
  await ready(controller);
  await register("stays", { providerID: "fixture://stays" });
  await register("gone-1", { providerID: "fixture://gone-1" });
  await eventually(nodes, (all) => !all.has("gone-1"));
  const lookups = readFileSync(join(folder, "notes"), "utf8").match(/describe.* gone-1/g) ?? [];
  expect(lookups.length).toBeGreaterThanOrEqual(2);
  process.kill(starts()[0] ?? 0, "SIGSTOP");
  await register("gone-2", { providerID: "fixture://gone-2" });
  await eventually(
    () => controller.get("/healthz?verbose"),
    ({ body }) =>
      body.includes("degraded: cloudwright-provider-fixture did not answer 2 health checks"),
  );
  const all = await nodes();
  expect([all.has("stays"), all.has("gone-2")]).toEqual([true, true]);
  await eventually(nodes, (later) => !later.has("gone-2"));
  expect((await nodes()).has("stays")).toBe(true);
  expect(isRunning(starts()[0])).toBe(false);
}, 120_000);

it("ends the process when it ends itself, even if it is killed", async () => {
  const controller = await startOwn();
  await ready(controller);
  const [pid] = starts();
  expect(isRunning(pid)).toBe(true);
  controller.child.kill("SIGKILL");
  await soon(() => !isRunning(pid));
}, 120_000);

it("serves its health while the process does not start, and says why", async () => {
  vi.stubEnv("FIXTURE", "crash-at-start");
  const controller = await startOwn();
  const { body } = await eventually(
    () => controller.get("/healthz?verbose"),
    (answer) => answer.body.includes("no credentials"),
  );
  expect(body).toMatch(
    /cloud-provider-process ok \(degraded: cloudwright-provider-fixture exited with code 1: Error: no credentials; it will be restarted in \d+ s\.\)/,
  );
  expect((await controller.get("/livez")).status).toBe(200);
  expect((await controller.get("/readyz")).status).toBe(500);
  controller.child.kill("SIGTERM");
  expect(await controller.ended).toBe(0);
}, 120_000);

it("does not start with a configuration that the process refuses", async () => {
  const config = join(folder, "cloud.conf");
  writeFileSync(config, "refuse");
  const controller = await startOwn(`--cloud-config=${config}`);
  expect(await controller.ended).toBe(1);
  expect(controller.log()).toMatch(/^The provider cannot be used: .*the region is missing/m);
  expect(isRunning(starts()[0])).toBe(false);
}, 120_000);

it("leaves no process behind if something else keeps it from starting", async () => {
  const controller = await startOwn("--kubeconfig=/nowhere");
  expect(await controller.ended).toBe(1);
  expect(starts().filter(isRunning)).toEqual([]);
}, 120_000);

it("waits for a sidecar, whatever built-in provider is named", async () => {
  const socket = join(folder, "sidecar", "fixture.sock");
  const controller = await start(
    "--cloud-provider=sandbox",
    `--cloud-provider-socket=unix://${socket}`,
  );
  await eventually(
    () => controller.get("/healthz?verbose"),
    ({ body }) => body.includes(`(degraded: The provider at ${socket} is not available yet`),
  );
  mkdirSync(join(folder, "sidecar"), { mode: 0o700 });
  const sidecar = spawn(process.execPath, [PROVIDER], {
    env: { ...process.env, CLOUDWRIGHT_PROVIDER_SOCKET: socket },
    stdio: ["pipe", "ignore", "ignore"],
  });
  onTestFinished(() => void sidecar.kill("SIGKILL"));
  await ready(controller);
  await register("beside");
  await initialised(["beside"]);
}, 120_000);
