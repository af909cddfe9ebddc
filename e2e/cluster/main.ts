import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { misused, readCommandLine } from "../harness/command-line.ts";
import { PROJECT_ROOT, run } from "../harness/processes.ts";
import { judgeRow, report, seconds, summarise, type Verdict } from "../harness/verdicts.ts";
import { messageOf } from "../harness/wait.ts";
import type { PrepareCloud, PreparedCloud } from "./clouds/cloud.ts";
import { openstack } from "./clouds/openstack.ts";
import { sandbox } from "./clouds/sandbox.ts";
import { type Options, openEnvironment, type Row } from "./environment.ts";
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
 * `npm run image` that is there already, `--before FILE` one of the release before with the tag `before`, to upgrade from. The cloud
 * is the sandbox's, or with `--cloud openstack` the real Keystone, Nova, Neutron and Octavia of the lab. Ends with
 * 1 when a row failed, or when it cannot run here although REQUIRE_REAL=1.
 */
const USAGE =
  "usage: npm run e2e:cluster -- [--short] [--cloud sandbox|openstack] [--image FILE] [--before FILE]";

const CLOUDS: Readonly<Record<string, PrepareCloud | undefined>> = { sandbox, openstack };

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
  const { short, cloud, image, before } = readCommandLine(
    {
      short: { type: "boolean", default: false },
      cloud: { type: "string", default: "sandbox" },
      image: { type: "string" },
      before: { type: "string" },
    },
    USAGE,
  );
  const prepare = CLOUDS[cloud] ?? misused(`--cloud ${cloud}: there is no such cloud.`, USAGE);
  const rows = rowsOf(short);
  const found = await findParts(prepare);
  if ("why" in found) return skip(rows, found.why);
  try {
    summarise(
      await judgeAll(rows, { ...found, archive: absolute(image), before: absolute(before) }),
    );
  } finally {
    await found.cloud.close();
  }
}

async function judgeAll(rows: readonly Row[], options: Omit<Options, "dir">): Promise<Verdict[]> {
  const dir = mkdtempSync(join(tmpdir(), "cloudwright-cluster-"));
  const began = Date.now();
  const { env, close } = await openEnvironment({ ...options, dir });
  console.log(`# the cluster: ${seconds(Date.now() - began)}`);
  const verdicts: Verdict[] = [];
  try {
    for (const row of rows) verdicts.push(await judgeRow(row, env));
  } finally {
    await close();
  }
  if (verdicts.some(({ kind }) => kind === "fail")) console.log(`logs: ${dir}`);
  else rmSync(dir, { recursive: true, force: true });
  return verdicts;
}

function absolute(path: string | undefined): string | undefined {
  return path === undefined ? undefined : resolve(path);
}

/** Builds what is built once. */
async function findParts(
  prepare: PrepareCloud,
): Promise<{ readonly folder: string; readonly cloud: PreparedCloud } | { readonly why: string }> {
  const lab = findLab();
  if ("why" in lab) return lab;
  try {
    await buildLab(lab.folder);
    await run(process.execPath, [join(PROJECT_ROOT, "scripts/helm.mjs"), "version"]);
    return { folder: lab.folder, cloud: await prepare() };
  } catch (error) {
    return { why: messageOf(error) };
  }
}

function skip(rows: readonly Row[], why: string): void {
  const verdicts = rows.map(({ id }): Verdict => ({ id, kind: "skip", why }));
  for (const verdict of verdicts) report(verdict);
  summarise(verdicts);
}
