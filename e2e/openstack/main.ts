import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { misused, readCommandLine } from "../harness/command-line.ts";
import { report, summarise, type Verdict } from "../harness/verdicts.ts";
import { messageOf } from "../harness/wait.ts";
import { type OpenStackEnvironment, openEnvironment, type Row } from "./environment.ts";
import { type Lab, openLab } from "./lab.ts";
import { callRows } from "./rows/calls.ts";
import { crashRows } from "./rows/crashes.ts";
import { faultRows } from "./rows/faults.ts";
import { kitRows } from "./rows/kits.ts";
import { loginRows } from "./rows/login.ts";
import { nodeRows } from "./rows/nodes.ts";
import { optionRows } from "./rows/options.ts";
import { routeRows } from "./rows/routes.ts";
import { serviceRows } from "./rows/services.ts";
import { takeoverRows } from "./rows/takeover.ts";

/**
 * `npm run e2e:openstack [-- --short] [-- --only O-01,O-LB]`: against the real Keystone, Nova, Neutron and Octavia of the
 * lab, which is started when it does not run. One line a row, then those that failed once more, and the counts. Ends with 1
 * when a row failed, or when there is no lab although REQUIRE_REAL=1.
 */
const USAGE = "usage: npm run e2e:openstack -- [--short] [--only O-01,O-LB]";

const ROWS: readonly Row[] = [
  ...loginRows,
  ...nodeRows,
  ...serviceRows,
  ...optionRows.map((each) => ({ ...each, isLong: true as const })),
  ...routeRows,
  ...faultRows,
  ...takeoverRows,
  ...callRows,
  ...crashRows,
  ...kitRows,
];

await main();

async function main(): Promise<void> {
  const values = readCommandLine(
    { only: { type: "string" }, short: { type: "boolean", default: false } },
    USAGE,
  );
  const rows = ROWS.filter((row) => isWanted(row, values));
  if (rows.length === 0) misused(`--only ${values.only}: no row has such an id.`, USAGE);
  const began = Date.now();
  const lab = await openLab().catch((error: unknown) => messageOf(error));
  if (typeof lab === "string") {
    const skipped = rows.map(({ id }): Verdict => ({ id, kind: "skip", why: lab }));
    for (const each of skipped) report(each);
    return summarise(skipped);
  }
  console.log(`# the lab: ${seconds(Date.now() - began)}`);
  try {
    summarise(await judgeAll(rows, lab));
  } finally {
    await lab.close();
  }
}

function isWanted({ id, isLong }: Row, { only, short }: { only?: string; short: boolean }) {
  if (only === undefined) return !short || isLong !== true;
  return only.split(",").some((word) => id === word || id.startsWith(`${word}-`));
}

async function judgeAll(rows: readonly Row[], lab: Lab): Promise<readonly Verdict[]> {
  const dir = mkdtempSync(join(tmpdir(), "cloudwright-openstack-"));
  const env = await openEnvironment(lab, dir);
  const verdicts: Verdict[] = [];
  try {
    for (const row of rows) verdicts.push(await judge(row, env));
  } finally {
    await env.close();
  }
  if (verdicts.some(({ kind }) => kind === "fail")) console.log(`logs: ${dir}`);
  else rmSync(dir, { recursive: true, force: true });
  return verdicts;
}

async function judge(row: Row, env: OpenStackEnvironment): Promise<Verdict> {
  const began = Date.now();
  const { kind, why } = await attempt(row, env);
  const line = `${why} (${seconds(Date.now() - began)})`.replaceAll(/\s+/g, " ");
  const verdict = { id: row.id, kind, why: line };
  report(verdict);
  return verdict;
}

async function attempt({ title, run }: Row, env: OpenStackEnvironment) {
  try {
    const found = await run(env);
    const more = typeof found === "string" ? `: ${found}` : "";
    return { kind: "pass" as const, why: `${title}${more}` };
  } catch (error) {
    return { kind: "fail" as const, why: `${title}: ${messageOf(error)}` };
  }
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
