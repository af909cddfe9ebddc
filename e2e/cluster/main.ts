import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { readCommandLine } from "../harness/command-line.ts";
import { PROJECT_ROOT, run } from "../harness/processes.ts";
import { judgeRow, report, seconds, summarise, type Verdict } from "../harness/verdicts.ts";
import { messageOf } from "../harness/wait.ts";
import { openEnvironment, type Row } from "./environment.ts";
import { buildLab, findLab } from "./lab.ts";
import { faultRows, machineRows } from "./rows/faults.ts";
import { formRows } from "./rows/forms.ts";
import { installRows } from "./rows/install.ts";
import { removalRows } from "./rows/removal.ts";
import { earlierRows, upgradeRows } from "./rows/upgrade.ts";
import { workRows } from "./rows/work.ts";

/**
 * `npm run e2e:cluster [-- --short]`: our image and our chart on a cluster with real kubelets, from helm install to helm
 * uninstall. Each row goes on from where the one before has left the cluster, so one that failed makes the rest fail as well. `--image FILE` takes an archive of
 * `npm run image` that is there already, `--before FILE` one of the release before with the tag `before`, to upgrade from. Ends with
 * 1 when a row failed, or when it cannot run here although REQUIRE_REAL=1.
 */
const USAGE = "usage: npm run e2e:cluster -- [--short] [--image FILE] [--before FILE]";

function rowsOf(short: boolean): readonly Row[] {
  const forms = short ? [] : formRows;
  const earlier = short ? [] : earlierRows;
  return [
    ...[installRows, workRows, faultRows, upgradeRows, forms, machineRows, removalRows].flat(),
    ...earlier,
  ];
}

await main();

async function main(): Promise<void> {
  const { short, image, before } = readCommandLine(
    {
      short: { type: "boolean", default: false },
      image: { type: "string" },
      before: { type: "string" },
    },
    USAGE,
  );
  const rows = rowsOf(short);
  const lab = findLab();
  const missing = "why" in lab ? lab.why : await whatIsMissing(lab.folder);
  if ("why" in lab || missing !== undefined) return skip(rows, `${missing}`);
  const dir = mkdtempSync(join(tmpdir(), "cloudwright-cluster-"));
  const began = Date.now();
  const paths = { archive: absolute(image), before: absolute(before) };
  const { env, close } = await openEnvironment({ folder: lab.folder, dir, ...paths });
  console.log(`# the cluster: ${seconds(Date.now() - began)}`);
  const verdicts: Verdict[] = [];
  try {
    for (const row of rows) verdicts.push(await judgeRow(row, env));
  } finally {
    await close();
  }
  if (verdicts.some(({ kind }) => kind === "fail")) console.log(`logs: ${dir}`);
  else rmSync(dir, { recursive: true, force: true });
  summarise(verdicts);
}

function absolute(path: string | undefined): string | undefined {
  return path === undefined ? undefined : resolve(path);
}

/** Builds what is built once. */
async function whatIsMissing(folder: string): Promise<string | undefined> {
  try {
    await buildLab(folder);
    await run(process.execPath, [join(PROJECT_ROOT, "scripts/helm.mjs"), "version"]);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

function skip(rows: readonly Row[], why: string): void {
  const verdicts = rows.map(({ id }): Verdict => ({ id, kind: "skip", why }));
  for (const verdict of verdicts) report(verdict);
  summarise(verdicts);
}
