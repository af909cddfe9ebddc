import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { baselineFolder } from "../bench/baseline.ts";
import { testCluster, testclusterFolder } from "../conformance/clusters/testcluster.ts";
import { readCommandLine } from "../harness/command-line.ts";
import { buildGoProvider } from "../harness/go-provider.ts";
import { judgeRow, report, seconds, summarise, type Verdict } from "../harness/verdicts.ts";
import { messageOf, same } from "../harness/wait.ts";
import { buildBaselineProvider } from "./baseline-provider.ts";
import { type Environment, openEnvironment, type Way } from "./environment.ts";
import { openFake } from "./fake/environment.ts";
import { FAKE_PARTS, type FakePart } from "./fake/rows.ts";
import { playKillings } from "./killings.ts";
import { SCENARIOS, type Scenario } from "./rows.ts";

/**
 * `npm run e2e:bridge [-- --short] [-- --seed N]`: the baseline's own Go provider, unmodified, in a process of its own on a real
 * kube-apiserver. Each scenario is played with the plug-in for the same cloud in our process first, and must come to the same; then
 * the process is killed and stopped at random moments. In the long form upstream's own fake plays scenarios of spec/90 before that.
 * Ends with 1 when a row failed, or when something is missing although REQUIRE_REAL=1. `--only` names the parts to play.
 */
const USAGE = "usage: npm run e2e:bridge -- [--short] [--only baseline,fake,killings] [--seed N]";
const PARTS = ["baseline", "fake", "killings"] as const;
type Part = (typeof PARTS)[number];

const CHAOS = "C-killed";

await main();

async function main(): Promise<void> {
  const { short, seed, only } = readCommandLine(
    {
      short: { type: "boolean", default: false },
      seed: { type: "string", default: "1" },
      only: { type: "string", default: PARTS.join() },
    },
    USAGE,
  );
  const parts = new Set(PARTS.filter((part) => only.split(",").includes(part)));
  if (short) parts.delete("fake");
  const missing = whatIsMissing();
  if (missing !== undefined) {
    const ids = idsOf(parts);
    const skipped = ids.map((id): Verdict => ({ id, kind: "skip", why: missing }));
    for (const each of skipped) report(each);
    return summarise(skipped);
  }
  const dir = mkdtempSync(join(tmpdir(), "cloudwright-bridge-"));
  const began = Date.now();
  const providerFolder = await buildBaselineProvider();
  console.log(`# the provider: ${seconds(Date.now() - began)}`);
  const verdicts = await judgeAll({ dir, providerFolder, parts, short, seed: Number(seed) });
  summarise(verdicts);
  if (verdicts.some(({ kind }) => kind === "fail")) console.log(`logs: ${dir}`);
  else rmSync(dir, { recursive: true, force: true });
}

function idsOf(parts: ReadonlySet<Part>): readonly string[] {
  return [
    ...(parts.has("baseline") ? SCENARIOS.map(({ id }) => id) : []),
    ...(parts.has("fake") ? FAKE_PARTS.flatMap(({ rows }) => rows.map(({ id }) => id)) : []),
    ...(parts.has("killings") ? [CHAOS] : []),
  ];
}

function whatIsMissing(): string | undefined {
  if (spawnSync("go", ["version"]).status !== 0) return "Go is not here";
  if (testclusterFolder() === undefined)
    return "testcluster is not here: set CLOUDWRIGHT_TESTCLUSTER to its folder";
  try {
    baselineFolder();
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

interface Suite {
  readonly dir: string;
  readonly providerFolder: string;
  readonly parts: ReadonlySet<Part>;
  readonly short: boolean;
  readonly seed: number;
}

async function judgeAll(suite: Suite): Promise<readonly Verdict[]> {
  const { parts } = suite;
  return [
    ...(parts.has("baseline") ? await judgeBaseline(suite) : []),
    ...(parts.has("fake") ? await judgeFake(suite) : []),
    ...(parts.has("killings") ? await judgeKillings(suite) : []),
  ];
}

async function judgeBaseline(suite: Suite): Promise<readonly Verdict[]> {
  const outcomes = new Map<string, unknown>();
  await onCluster(suite, "plug-in", async (env) => {
    for (const scenario of SCENARIOS) outcomes.set(scenario.id, await outcomeOf(scenario, env));
  });
  const verdicts: Verdict[] = [];
  await onCluster(suite, "process", async (env) => {
    for (const scenario of SCENARIOS) verdicts.push(await judge(scenario, env, outcomes));
  });
  return verdicts;
}

/** What spec/90 demands, which the sandbox cloud's provider shows in our process (`npm run conformance`). */
async function judgeFake({ dir }: Suite): Promise<readonly Verdict[]> {
  const program = { name: "fake", module: ".", package: "./cmd/cloudwright-provider-fake" };
  const providerFolder = await buildGoProvider(program);
  const verdicts: Verdict[] = [];
  for (const [index, part] of FAKE_PARTS.entries()) {
    const into = { dir: join(dir, `fake-${index}`), providerFolder };
    verdicts.push(...(await judgeFakePart(into, part)));
  }
  return verdicts;
}

function judgeFakePart(
  into: { readonly dir: string; readonly providerFolder: string },
  { manner, rows }: FakePart,
): Promise<readonly Verdict[]> {
  return withCluster(async (kubeconfig) => {
    const env = await openFake({ ...into, kubeconfig, manner });
    try {
      const verdicts: Verdict[] = [];
      for (const row of rows) verdicts.push(await judgeRow(row, env));
      return verdicts;
    } finally {
      await env.close();
    }
  });
}

async function judgeKillings(suite: Suite): Promise<readonly Verdict[]> {
  const size = suite.short ? { nodes: 40, services: 10 } : { nodes: 200, services: 50 };
  const title = `${size.nodes} Nodes and ${size.services} Services outlive a process that is killed and stopped`;
  const verdicts: Verdict[] = [];
  await onCluster({ ...suite, dir: join(suite.dir, "killings") }, "process", async (env) => {
    const run = () => playKillings(env, { ...size, seed: suite.seed });
    verdicts.push(await judgeRow({ id: CHAOS, title, run }, env));
  });
  return verdicts;
}

/** What came of it in our process: also a failure, which the other process must then have as well. */
async function outcomeOf(scenario: Scenario, env: Environment): Promise<unknown> {
  return scenario.play(env).catch((error: unknown) => `fails: ${messageOf(error)}`);
}

function judge(scenario: Scenario, env: Environment, outcomes: ReadonlyMap<string, unknown>) {
  const run = async () => {
    const outcome = await scenario.play(env);
    same(outcome, outcomes.get(scenario.id), "what came of it, beside the plug-in's,");
    return "as with the plug-in";
  };
  return judgeRow({ id: scenario.id, title: scenario.title, run }, env);
}

async function onCluster(
  { dir, providerFolder }: Suite,
  way: Way,
  play: (env: Environment) => Promise<void>,
): Promise<void> {
  await withCluster(async (kubeconfig) => {
    const env = await openEnvironment({ way, dir, kubeconfig, providerFolder });
    try {
      await play(env);
    } finally {
      await env.close();
    }
  });
}

async function withCluster<T>(work: (kubeconfig: string) => Promise<T>): Promise<T> {
  const cluster = await testCluster(mkdtempSync(join(tmpdir(), "cloudwright-bridge-cluster-")));
  try {
    return await work(cluster.kubeconfig);
  } finally {
    await cluster.close();
  }
}
