import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { testclusterFolder } from "../conformance/clusters/testcluster.ts";
import { Kube, type Node, View } from "../harness/kube.ts";
import { run, start } from "../harness/processes.ts";
import { demand, eventually } from "../harness/wait.ts";
import { baselineFolder, type Report, reportSchema } from "./baseline.ts";
import { type Counts, countsSchema } from "./counts.ts";

const UNINITIALIZED = "node.cloudprovider.kubernetes.io/uninitialized";
/** Events are sent later; the baseline's program waits as long before it reads what a wave cost. */
const TRAILING_MS = 2_000;
const FIRST_WAVE_WITHIN_MS = 25 * 60_000;
const INSTRUMENTS = ["cpu", "heap", "hooks"] as const;
/** A quiet machine needs a second for 200 nodes; the rest is for a busy one. */
const SECONDS_A_NODE = 0.03;
const SECONDS_A_WAVE = 20;

export interface WarmOptions {
  readonly nodes: number;
  /** Our command; undefined means upstream's own controller. */
  readonly controller: string | undefined;
  /** The file in which our controller writes where to request its counts. */
  readonly countsAt: string | undefined;
}

export interface WarmRun {
  readonly report: Report;
  /** The numbers of the second wave. */
  readonly wave: Readonly<Record<string, number>>;
  readonly counts: Counts | undefined;
}

/**
 * Runs the baseline's program once, and while it watches the idle cluster after its wave, measures a second one with as many
 * nodes. With `countsAt` three more follow, one for each instrument.
 */
export async function measureWarm(
  args: readonly string[],
  { nodes, controller, countsAt }: WarmOptions,
): Promise<WarmRun> {
  const waves = countsAt === undefined ? 1 : 1 + INSTRUMENTS.length;
  const steady = Math.ceil(waves * (SECONDS_A_WAVE + SECONDS_A_NODE * nodes));
  const dir = mkdtempSync(join(tmpdir(), "cloudwright-bench-warm-"));
  const bench = start(
    join(baselineFolder(), "bench/upstream"),
    [
      ...["run", ...args, "--dir", dir, "--steady", `${steady}s`],
      ...(controller === undefined ? [] : ["--controller", controller]),
    ],
    { env: countsAt === undefined ? {} : { BENCH_COUNTS_AT: countsAt } },
  );
  let out = "";
  bench.child.stdout?.on("data", (chunk: Buffer) => {
    out += chunk.toString("utf8");
  });
  try {
    await idle(bench);
    const cluster = await surroundings(bench.pid, dir);
    try {
      const wave = await secondWave(cluster, nodes);
      const counts =
        countsAt === undefined ? undefined : await countedWaves(cluster, nodes, countsAt);
      if ((await bench.ended) !== 0) throw new Error(bench.output());
      const raw: unknown = JSON.parse(out);
      return { report: { ...reportSchema.parse(raw), raw }, wave, counts };
    } finally {
      cluster.nodes.close();
      await cluster.kube.close();
    }
  } finally {
    await bench.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Waits until the baseline's own wave is over. */
async function idle(bench: ReturnType<typeof start>): Promise<void> {
  await eventually(
    () => {
      const isOver = bench.output().includes("watching the idle cluster");
      demand(isOver || bench.child.exitCode !== null, "the first wave is not over");
    },
    { withinMs: FIRST_WAVE_WITHIN_MS },
  );
  if (bench.child.exitCode !== null) throw new Error(bench.output());
}

interface Surroundings {
  readonly kube: Kube;
  readonly kubeconfig: string;
  readonly nodes: View<Node>;
  readonly fakenodes: string;
  readonly cloudUrl: string;
  readonly controllerPid: number;
}

async function surroundings(benchPid: number, dir: string): Promise<Surroundings> {
  const [run0 = ""] = readdirSync(dir);
  const kubeconfig = join(dir, run0, "cluster/kubeconfig");
  const built = await run(join(testclusterFolder() ?? "", "build"), []);
  const [controllerPid] = childrenOf(benchPid);
  if (controllerPid === undefined) throw new Error("the baseline's program runs no controller");
  const kube = new Kube(kubeconfig);
  return {
    kube,
    kubeconfig,
    nodes: await View.open<Node>(kube, "/api/v1/nodes"),
    fakenodes: join(process.env.TESTCLUSTER_BIN ?? built.trim(), "fakenodes"),
    cloudUrl: environmentOf(controllerPid).get("FAKECLOUD_URL") ?? "",
    controllerPid,
  };
}

async function secondWave(cluster: Surroundings, count: number) {
  const cpuBefore = cpuSecondsBelow(cluster.controllerPid);
  const times = await wave(cluster, count);
  await new Promise((resolve) => setTimeout(resolve, TRAILING_MS));
  const cpuSeconds = cpuSecondsBelow(cluster.controllerPid) - cpuBefore;
  return { ...waveNumbers(times), cpuSeconds: round(cpuSeconds) };
}

/** Runs a separate wave for each instrument, since one would affect the results of another. */
async function countedWaves(cluster: Surroundings, count: number, file: string): Promise<Counts> {
  const url = `http://127.0.0.1:${readFileSync(file, "utf8")}`;
  const found: Record<string, unknown> = {};
  for (const instrument of INSTRUMENTS) {
    await asked(`${url}/${instrument}`, "POST");
    await wave(cluster, count);
    await new Promise((resolve) => setTimeout(resolve, TRAILING_MS));
    found[instrument] = await asked(`${url}/${instrument}`, "DELETE");
  }
  return countsSchema.parse(found);
}

async function asked(url: string, method: string, body?: object): Promise<unknown> {
  const answer = await fetch(url, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${text}`);
  return text === "" ? undefined : JSON.parse(text);
}

export interface WaveTimes {
  readonly began: number;
  readonly created: number;
  /** By node, in milliseconds of the same clock. */
  readonly seen: ReadonlyMap<string, number>;
  readonly done: ReadonlyMap<string, number>;
}

/** Registers this many additional nodes with their instances, and waits until each is initialised. */
async function wave(cluster: Surroundings, count: number): Promise<WaveTimes> {
  const first = cluster.nodes.all().length;
  const seen = new Map<string, number>();
  const done = new Map<string, number>();
  const unfollow = cluster.nodes.onChange((_, { metadata, spec }) => {
    const { name } = metadata;
    if (Number(name.slice(name.lastIndexOf("-") + 1)) < first) return;
    if (!seen.has(name)) seen.set(name, performance.now());
    const tainted = spec.taints?.some(({ key }) => key === UNINITIALIZED) ?? false;
    if (!tainted && !done.has(name)) done.set(name, performance.now());
  });
  const began = performance.now();
  await asked(`${cluster.cloudUrl}/instances`, "POST", { prefix: "node-", first, count });
  await run(cluster.fakenodes, [
    ...["create", "--first", String(first), "--count", String(count), "--lease=false"],
    ...["--kubeconfig", cluster.kubeconfig],
  ]);
  const created = performance.now();
  const withinMs = 1_000 * (SECONDS_A_WAVE + SECONDS_A_NODE * count);
  const check = () => demand(done.size >= count, `${done.size} of ${count} are initialised`);
  try {
    await eventually(check, { withinMs, on: cluster.nodes });
  } finally {
    unfollow();
  }
  return { began, created, seen, done };
}

/** Returns the baseline's numbers: seconds, and each node's wait from its appearance to the removal of its taint. */
export function waveNumbers({ began, created, seen, done }: WaveTimes) {
  const waits = [...done]
    .map(([name, at]) => (at - (seen.get(name) ?? at)) / 1_000)
    .sort((a, b) => a - b);
  const percentile = (share: number) =>
    round(waits[Math.min(waits.length - 1, Math.floor(share * waits.length))] ?? Number.NaN);
  return {
    createSeconds: round((created - began) / 1_000),
    seconds: round((Math.max(...done.values()) - began) / 1_000),
    nodeWaitP50: percentile(0.5),
    nodeWaitP99: percentile(0.99),
  };
}

/**
 * Returns the numbers of a cell, with medians and ranges over the runs: those of the second wave by name, those of the first as
 * `cold.`.
 */
export function warmNumbers(runs: readonly WarmRun[]) {
  const each = runs.map(numbersOf);
  const numbers: Record<string, number> = {};
  const spread: Record<string, string> = {};
  for (const key of Object.keys(each[0] ?? {})) {
    const values = each.map((one) => one[key] ?? Number.NaN).sort((a, b) => a - b);
    numbers[key] = values[Math.floor(values.length / 2)] ?? Number.NaN;
    if (values.length > 1) spread[key] = `${values[0]}..${values.at(-1)}`;
  }
  return { numbers, spread };
}

function numbersOf({ report: { median }, wave, counts }: WarmRun): Record<string, number> {
  const of = (key: string) => median[key] ?? Number.NaN;
  const first = ["seconds", "createSeconds", "cpuSeconds"].map((key) => [`cold.${key}`, of(key)]);
  return {
    ...Object.fromEntries(first),
    ...wave,
    rssPeakMiB: of("rssPeakMiB"),
    loadPerCore: of("loadPerCore"),
    // The baseline's program counts everything after its own wave, including the nodes that we create.
    ...(counts === undefined && {
      cloudCalls: of("steady.cloudCalls"),
      cloudThrottled: of("steady.cloudThrottled"),
      nodeWritesPerItem: round(of("steady.nodeWritesPerItem") - 1),
    }),
  };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

function environmentOf(pid: number): ReadonlyMap<string, string> {
  const lines = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
  return new Map(
    lines.map((line) => [line.split("=", 1).join(), line.slice(line.indexOf("=") + 1)]),
  );
}

/** Returns the fields of /proc/PID/stat after the command's name: state, parent, ...; empty if the process has ended. */
function statOf(pid: number): readonly string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    return [];
  }
}

function childrenOf(parent: number): readonly number[] {
  const pids = readdirSync("/proc").map(Number).filter(Number.isInteger);
  return pids.filter((pid) => Number(statOf(pid)[1]) === parent);
}

const TICKS_A_SECOND = 100;

/** Returns user and system time of a process and its descendants, including children that have ended. */
function cpuSecondsBelow(pid: number): number {
  const own = statOf(pid).slice(11, 15).map(Number);
  const ticks = own.reduce((total, value) => total + value, 0);
  return (
    ticks / TICKS_A_SECOND + childrenOf(pid).reduce((all, one) => all + cpuSecondsBelow(one), 0)
  );
}
