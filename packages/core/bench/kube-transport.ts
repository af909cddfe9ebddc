import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import {
  CoreV1Api,
  KubeConfig,
  makeInformer,
  PatchStrategy,
  setHeaderOptions,
} from "@kubernetes/client-node";
import { loadKubeConfig } from "../src/kube/access/kubeconfig.ts";
import { createKubeClient } from "../src/kube/calls/kube-client.ts";
import { NODES, type Node } from "../src/kube/client.ts";
import { startInformer } from "../src/kube/informer/informer.ts";
import { systemClock, systemRandom } from "../src/kube/system-clock.ts";

/** Compares our transport and informer with client-node's, on the real API server with `--nodes` nodes. */
const { values } = parseArgs({ options: { nodes: { type: "string" } } });
const nodes = Number(values.nodes ?? "500");
const calls = 500;
const folder = process.env.CLOUDWRIGHT_TESTCLUSTER ?? resolve("../shared/testcluster");
if (!existsSync(join(folder, "up"))) {
  throw new Error(
    "the real kube-apiserver is not here: set CLOUDWRIGHT_TESTCLUSTER to testcluster's folder",
  );
}
const dir = mkdtempSync(join(tmpdir(), "cloudwright-transport-"));
try {
  await measure(
    execFileSync(join(folder, "up"), [dir, "--controllers", "none"], { encoding: "utf8" }).trim(),
  );
} finally {
  execFileSync(join(folder, "down"), [dir, "--purge"]);
  rmSync(dir, { recursive: true, force: true });
}

async function measure(kubeconfig: string): Promise<void> {
  const bin = execFileSync(join(folder, "build"), { encoding: "utf8" }).trim();
  const create = ["create", "--count", String(nodes), "--concurrency", "8", "--lease=false"];
  execFileSync(join(bin, "fakenodes"), create, { env: { ...process.env, KUBECONFIG: kubeconfig } });
  const ours = await oursOn(kubeconfig);
  const theirs = theirsOn(kubeconfig);
  const rows: Row[] = [];
  rows.push(
    row(`get × ${calls}, one after another`, await cost(ours.getAll), await cost(theirs.getAll)),
  );
  rows.push(
    row(`patch × ${calls}, 20 at once`, await cost(ours.patchAll), await cost(theirs.patchAll)),
  );
  rows.push(row(`list ${nodes} nodes`, await cost(ours.list), await cost(theirs.list)));
  rows.push(
    row(
      `informer: ${nodes} nodes in the cache`,
      await cost(ours.inform),
      await cost(theirs.inform),
    ),
  );
  await ours.close();
  process.stdout.write(`${table(rows)}\n`);
}

interface Cost {
  readonly wallMs: number;
  readonly cpuMs: number;
}
interface Row {
  readonly what: string;
  readonly ours: Cost;
  readonly theirs: Cost;
}

function row(what: string, ours: Cost, theirs: Cost): Row {
  return { what, ours, theirs };
}

async function cost(work: () => Promise<void>): Promise<Cost> {
  const cpu = process.cpuUsage();
  const began = performance.now();
  await work();
  const used = process.cpuUsage(cpu);
  return { wallMs: performance.now() - began, cpuMs: (used.user + used.system) / 1_000 };
}

function table(rows: readonly Row[]): string {
  const head = "| what | ours: wall / CPU, ms | client-node: wall / CPU, ms | CPU ratio |";
  const lines = rows.map(({ what, ours, theirs }) => {
    const cell = ({ wallMs, cpuMs }: Cost) => `${Math.round(wallMs)} / ${Math.round(cpuMs)}`;
    return `| ${what} | ${cell(ours)} | ${cell(theirs)} | ${(ours.cpuMs / theirs.cpuMs).toFixed(2)} |`;
  });
  return [head, "| --- | --- | --- | --- |", ...lines].join("\n");
}

async function oursOn(kubeconfig: string) {
  const clock = systemClock;
  const access = await loadKubeConfig({ kubeconfig, clock });
  const client = createKubeClient({ access, qps: 0, burst: 0, clock, userAgent: "bench" });
  const target = (index: number) => ({ resource: NODES, name: `node-${index % nodes}` });
  return {
    getAll: async () => {
      for (let index = 0; index < calls; index++) await client.get<Node>(target(index));
    },
    patchAll: () =>
      inParallel((index) =>
        client.patch(target(index), { kind: "strategic", body: labelPatch("ours", index) }),
      ),
    list: async () => {
      await client.list<Node>({ resource: NODES });
    },
    inform: async () => {
      const stop = new AbortController();
      const options = { client, resource: NODES, clock, random: systemRandom, signal: stop.signal };
      await startInformer<Node>(options).synced;
      stop.abort();
    },
    close: () => client.close(),
  };
}

function theirsOn(kubeconfig: string) {
  const config = new KubeConfig();
  config.loadFromFile(kubeconfig);
  const api = config.makeApiClient(CoreV1Api);
  const strategic = setHeaderOptions("Content-Type", PatchStrategy.StrategicMergePatch);
  return {
    getAll: async () => {
      for (let index = 0; index < calls; index++)
        await api.readNode({ name: `node-${index % nodes}` });
    },
    patchAll: () =>
      inParallel((index) =>
        api.patchNode(
          { name: `node-${index % nodes}`, body: labelPatch("theirs", index) },
          strategic,
        ),
      ),
    list: async () => {
      await api.listNode();
    },
    inform: async () => {
      const informer = makeInformer(config, "/api/v1/nodes", () => api.listNode());
      let seen = 0;
      const all = new Promise<void>((done) => {
        informer.on("add", () => {
          seen += 1;
          if (seen === nodes) done();
        });
      });
      await informer.start();
      await all;
      await informer.stop();
    },
  };
}

function labelPatch(key: string, index: number): object {
  return { metadata: { labels: { [key]: String(index) } } };
}

async function inParallel(send: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < calls) await send(next++);
  };
  await Promise.all(Array.from({ length: 20 }, worker));
}
