import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { misused, readCommandLine } from "../harness/command-line.ts";
import { judgeRow, report, seconds, summarise, type Verdict } from "../harness/verdicts.ts";
import { messageOf } from "../harness/wait.ts";
import { openEnvironment, type Row } from "./environment.ts";
import { type Lab, openLab } from "./lab.ts";
import { ROWS } from "./rows.ts";
import { LEFT_OUT, SHOWN } from "./scenarios.ts";
import { startOver } from "./start-over.ts";

/**
 * `npm run e2e:openstack [-- --short] [-- --only O-01,O-LB]`: against the real Keystone, Nova, Neutron and Octavia of the
 * lab, which is started when it does not run. One line a row, then those that failed once more, and the counts. Ends with 1
 * when a row failed, or when there is no lab although REQUIRE_REAL=1. `--scenarios` lists what of spec/90 they show, and runs nothing.
 */
const USAGE = "usage: npm run e2e:openstack -- [--short] [--only O-01,O-LB] | --scenarios";

await main();

async function main(): Promise<void> {
  const values = readCommandLine(
    {
      only: { type: "string" },
      short: { type: "boolean", default: false },
      scenarios: { type: "boolean", default: false },
    },
    USAGE,
  );
  if (values.scenarios) return listScenarios();
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

function listScenarios(): void {
  for (const [scenario, rows] of Object.entries(SHOWN))
    console.log(`${scenario}  ${rows.join(", ")}`);
  for (const { scenarios, why } of LEFT_OUT)
    console.log(`${scenarios.join(", ")}: not run, ${why}`);
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
    for (const row of rows) {
      const verdict = await judgeRow(row, env);
      verdicts.push(verdict);
      if (verdict.kind === "fail") await startOver(env);
    }
  } finally {
    await env.close();
  }
  if (verdicts.some(({ kind }) => kind === "fail")) console.log(`logs: ${dir}`);
  else rmSync(dir, { recursive: true, force: true });
  return verdicts;
}
