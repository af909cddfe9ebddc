import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openCluster } from "../conformance/clusters/open.ts";
import { misused, readCommandLine } from "../harness/command-line.ts";
import { messageOf } from "../harness/wait.ts";
import type { Fault } from "./environment.ts";
import { seededRandom } from "./environment.ts";
import { cutWatches, forgottenVersions, restartedApiServer } from "./faults/api-server.ts";
import { crashMatrix } from "./faults/crash-matrix.ts";
import { databaseKilled, databaseReadOnly, databaseSlow } from "./faults/database.ts";
import { fullSpool } from "./faults/full-spool.ts";
import { hostileCloud } from "./faults/hostile-cloud.ts";
import { ipamFailover } from "./faults/ipam-failover.ts";
import { killedController } from "./faults/killed-controller.ts";
import { routeChurn } from "./faults/route-churn.ts";
import { serviceChurn } from "./faults/service-churn.ts";
import { stoppedLeader } from "./faults/stopped-leader.ts";
import { twoClusters } from "./faults/two-clusters.ts";
import { unreliableCloud } from "./faults/unreliable-cloud.ts";
import { userActions } from "./faults/user-actions.ts";

const FAULTS: readonly Fault[] = [
  crashMatrix,
  serviceChurn,
  routeChurn,
  twoClusters,
  hostileCloud,
  killedController,
  ipamFailover,
  unreliableCloud,
  databaseKilled,
  databaseSlow,
  databaseReadOnly,
  fullSpool,
  stoppedLeader,
  userActions,
  cutWatches,
  forgottenVersions,
  restartedApiServer,
];

const USAGE =
  "usage: npm run chaos -- --seed N [--only NAME,NAME] [--short] [--cluster sandbox|testcluster]";

/**
 * The same seed makes the same faults. One line a fault, then the counts; ends with 1 when something was wrong afterwards. In CI
 * what failed is played once more.
 */
const values = readCommandLine(
  {
    seed: { type: "string", default: "1" },
    only: { type: "string" },
    short: { type: "boolean", default: false },
    cluster: { type: "string", default: "sandbox" },
  },
  USAGE,
);
const seed = Number(values.seed);
if (!Number.isInteger(seed)) misused(`--seed ${values.seed}: a whole number is needed`, USAGE);

/** Faults wait more than they work, so that CI's form plays some at once. */
const AT_ONCE = values.short && values.cluster === "sandbox" ? 4 : 1;

const left = chosen(values.only);
const counts = { pass: 0, fail: 0, skip: 0 };
const failures: string[] = [];
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    for (let fault = left.shift(); fault !== undefined; fault = left.shift())
      counts[await play(fault)] += 1;
  }),
);
for (const failure of failures) console.log(`failed: ${failure}`);
const skipped = counts.skip === 0 ? "" : `, ${counts.skip} skipped`;
console.log(`${counts.pass} passed, ${counts.fail} failed${skipped}`);
process.exitCode = counts.fail > 0 ? 1 : 0;

function chosen(only: string | undefined): Fault[] {
  const wanted = only?.split(",");
  const unknown = wanted?.filter((name) => !FAULTS.some((fault) => fault.name === name)) ?? [];
  if (unknown.length > 0)
    misused(`--only ${unknown}: there is ${FAULTS.map(({ name }) => name).join(", ")}`, USAGE);
  return FAULTS.filter(({ name }) => wanted?.includes(name) ?? true);
}

async function play(fault: Fault): Promise<keyof typeof counts> {
  const obstacle = await fault.obstacle?.();
  if (obstacle !== undefined) {
    console.log(`${fault.name} skip ${obstacle}`);
    return "skip";
  }
  let wrong = await wrongAfter(fault);
  if (wrong !== undefined && process.env.CI !== undefined) {
    console.log(`${fault.name} gets a second try, as the machine may have been too slow for it`);
    wrong = await wrongAfter(fault);
  }
  if (wrong === undefined) return "pass";
  failures.push(`${fault.name} ${wrong}`);
  return "fail";
}

/** What was wrong afterwards, in one line; undefined when nothing was. */
async function wrongAfter(fault: Fault): Promise<string | undefined> {
  const began = Date.now();
  const took = () => `(${((Date.now() - began) / 1_000).toFixed(1)} s)`;
  const dir = mkdtempSync(join(tmpdir(), `cloudwright-chaos-${fault.name}-`));
  try {
    const found = await inCluster(fault, dir);
    console.log(`${fault.name} pass ${found} ${took()}`);
    rmSync(dir, { recursive: true, force: true });
    return undefined;
  } catch (error) {
    console.log(`${fault.name} fail ${messageOf(error)} (logs: ${dir}) ${took()}`);
    return messageOf(error).replaceAll(/\s+/g, " ");
  }
}

async function inCluster(fault: Fault, dir: string): Promise<string> {
  const cluster = await openCluster(values.cluster, { dir });
  try {
    const random = seededRandom(seed);
    return await fault.run({ dir, cluster, random, short: values.short });
  } finally {
    await cluster.close();
  }
}
