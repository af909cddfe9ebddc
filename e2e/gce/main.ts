import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { testCluster, testclusterFolder } from "../conformance/clusters/testcluster.ts";
import { readCommandLine } from "../harness/command-line.ts";
import { buildGoProvider, checkGoModule } from "../harness/go-provider.ts";
import { judgeRow, report, seconds, summarise, type Verdict } from "../harness/verdicts.ts";
import { messageOf } from "../harness/wait.ts";
import { openEnvironment } from "./environment.ts";
import { ROWS } from "./rows.ts";

/**
 * `npm run e2e:gce`: upstream's provider for Google Cloud, unmodified, in a process of its own on the fake of Google's API that its own
 * tests use, with a real kube-apiserver. Ends with 1 when a row failed, or when something is missing although REQUIRE_REAL=1.
 */
const USAGE = "usage: npm run e2e:gce";
const FAKE = { name: "gcefake", module: "gce", package: "./fake" };

await main();

async function main(): Promise<void> {
  readCommandLine({}, USAGE);
  const missing = whatIsMissing();
  if (missing !== undefined) return skipAll(missing);
  const dir = mkdtempSync(join(tmpdir(), "cloudwright-gce-"));
  const began = Date.now();
  let providerFolder: string;
  try {
    providerFolder = await buildGoProvider(FAKE);
  } catch (error) {
    // Its modules may not be had here.
    return skipAll(`the provider cannot be built: ${messageOf(error).slice(0, 300)}`);
  }
  await checkGoModule(FAKE.module, "vet");
  console.log(`# the provider: ${seconds(Date.now() - began)}`);
  const cluster = await testCluster(mkdtempSync(join(tmpdir(), "cloudwright-gce-cluster-")));
  try {
    const verdicts = await judgeAll({ dir, kubeconfig: cluster.kubeconfig, providerFolder });
    summarise(verdicts);
    if (verdicts.some(({ kind }) => kind === "fail")) console.log(`logs: ${dir}`);
    else rmSync(dir, { recursive: true, force: true });
  } finally {
    await cluster.close();
  }
}

function whatIsMissing(): string | undefined {
  if (spawnSync("go", ["version"]).status !== 0) return "Go is not here";
  if (testclusterFolder() !== undefined) return undefined;
  return "testcluster is not here: set CLOUDWRIGHT_TESTCLUSTER to its folder";
}

function skipAll(why: string): void {
  const skipped = ROWS.map(({ id }): Verdict => ({ id, kind: "skip", why }));
  for (const each of skipped) report(each);
  summarise(skipped);
}

async function judgeAll(options: Parameters<typeof openEnvironment>[0]) {
  const env = await openEnvironment(options);
  try {
    const verdicts: Verdict[] = [];
    for (const row of ROWS) verdicts.push(await judgeRow(row, env));
    return verdicts;
  } finally {
    await env.close();
  }
}
