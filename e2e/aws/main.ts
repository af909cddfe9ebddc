import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { testclusterFolder } from "../conformance/clusters/testcluster.ts";
import { readCommandLine } from "../harness/command-line.ts";
import { buildGoProvider, checkGoModule } from "../harness/go-provider.ts";
import { judgeRow, report, seconds, summarise, type Verdict } from "../harness/verdicts.ts";
import { messageOf } from "../harness/wait.ts";
import { type AwsEnvironment, openEnvironment, type Row } from "./environment.ts";
import { labFolder, prepareLab } from "./lab.ts";
import { ROWS } from "./rows.ts";

/**
 * `npm run e2e:aws [-- --short] [-- --rows A-T,A-M]`: upstream's AWS provider, unmodified, in a process of its own beside our controller, against an
 * AWS in memory. Each row is played on two equal clouds, once with ours and once with upstream's own manager, and must leave them
 * equal. One line a row, then those that failed once more, and the counts. Ends with 1 when a row failed, or when something is
 * missing although REQUIRE_REAL=1. `--rows` names those to play by how their IDs begin, beside the Nodes that all of them need.
 */
const USAGE = "usage: npm run e2e:aws -- [--short] [--rows BEGINNING,…]";

await main();

async function main(): Promise<void> {
  const { short, rows: named } = readCommandLine(
    { short: { type: "boolean", default: false }, rows: { type: "string", default: "A-" } },
    USAGE,
  );
  const beginnings = ["A-N-", ...named.split(",")];
  const rows = ROWS.filter(
    ({ id, isLong }) => beginnings.some((one) => id.startsWith(one)) && !(short && isLong === true),
  );
  const lab = await foldersOf(short).catch((error: unknown) => messageOf(error));
  if (typeof lab === "string") {
    const skipped = rows.map(({ id }): Verdict => ({ id, kind: "skip", why: lab }));
    for (const each of skipped) report(each);
    return summarise(skipped);
  }
  summarise(await judgeAll(rows, lab));
}

type Folders = Awaited<ReturnType<typeof foldersOf>>;

/** Throws with what is missing here. */
async function foldersOf(short: boolean) {
  const folder = labFolder();
  if (folder === undefined)
    throw new Error("the AWS lab is not here (CLOUDWRIGHT_AWS names its folder)");
  if (testclusterFolder() === undefined)
    throw new Error("testcluster is not here: set CLOUDWRIGHT_TESTCLUSTER to its folder");
  if (spawnSync("go", ["version"]).status !== 0) throw new Error("Go is not here");
  const began = Date.now();
  await prepareLab(folder);
  const providerFolder = await buildGoProvider({ name: "aws", module: "aws", package: "." });
  if (!short) {
    await checkGoModule("aws", "vet");
    await checkGoModule("aws", "test");
  }
  console.log(`# the builds: ${seconds(Date.now() - began)}`);
  return { labFolder: folder, providerFolder };
}

/** Each row goes on where the one before has ended: after one that has failed there is no telling what another one shows. */
async function judgeNext(row: Row, env: AwsEnvironment, before: readonly Verdict[]) {
  const failed = before.find(({ kind }) => kind === "fail");
  if (failed === undefined) return judgeRow(row, env);
  const verdict: Verdict = { id: row.id, kind: "skip", why: `not played, as ${failed.id} failed` };
  report(verdict);
  return verdict;
}

async function judgeAll(rows: readonly Row[], folders: Folders): Promise<readonly Verdict[]> {
  const dir = mkdtempSync(join(tmpdir(), "cloudwright-aws-"));
  const began = Date.now();
  const env = await openEnvironment({ ...folders, dir });
  console.log(`# two clusters and two labs: ${seconds(Date.now() - began)}`);
  const verdicts: Verdict[] = [];
  try {
    for (const row of rows) verdicts.push(await judgeNext(row, env, verdicts));
  } finally {
    await env.close();
  }
  if (verdicts.some(({ kind }) => kind === "fail")) console.log(`logs: ${dir}`);
  else rmSync(dir, { recursive: true, force: true });
  return verdicts;
}
