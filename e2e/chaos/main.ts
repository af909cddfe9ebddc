import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openCluster } from "../conformance/cluster-under-test.ts";
import { messageOf } from "../harness/wait.ts";
import { databaseAway } from "./database-away.ts";
import { hostileCloud } from "./hostile-cloud.ts";
import { killedController } from "./killed-controller.ts";
import { seededRandom } from "./seeded-random.ts";

/** What a fault gets: where it may write, its dice and how long it may take. */
export interface Surroundings {
  readonly dir: string;
  readonly kubeconfig: string;
  readonly random: () => number;
  /** CI's form: fewer rounds, the same checks. */
  readonly short: boolean;
}

export interface Fault {
  readonly name: string;
  /** Throws with what is wrong with the world afterwards. */
  run(surroundings: Surroundings): Promise<string>;
}

const FAULTS: readonly Fault[] = [killedController, databaseAway, hostileCloud];

/** `npm run chaos -- --seed N [--only NAME] [--short]`: the same seed makes the same faults. */
const { values } = parseArgs({
  options: { seed: { type: "string" }, only: { type: "string" }, short: { type: "boolean" } },
});
const seed = Number(values.seed ?? "1");
if (!Number.isInteger(seed)) throw new Error(`--seed ${values.seed}: a whole number is needed`);
const chosen = FAULTS.filter(({ name }) => values.only === undefined || name === values.only);
if (chosen.length === 0)
  throw new Error(`--only ${values.only}: there is ${FAULTS.map(({ name }) => name).join(", ")}`);

let failed = 0;
for (const fault of chosen) failed += (await survives(fault)) ? 0 : 1;
console.log(`${chosen.length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

async function survives(fault: Fault): Promise<boolean> {
  const dir = mkdtempSync(join(tmpdir(), `cloudwright-chaos-${fault.name}-`));
  const cluster = await openCluster("sandbox", dir);
  try {
    const random = seededRandom(seed);
    const found = await fault.run({
      dir,
      kubeconfig: cluster.kubeconfig,
      random,
      short: values.short === true,
    });
    console.log(`${fault.name} pass ${found}`);
    return true;
  } catch (error) {
    console.log(`${fault.name} fail ${messageOf(error)} (logs: ${dir})`);
    return false;
  } finally {
    await cluster.close();
  }
}
