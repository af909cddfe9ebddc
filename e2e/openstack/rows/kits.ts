import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { PROJECT_ROOT, start } from "../../harness/processes.ts";
import { demand } from "../../harness/wait.ts";
import { type OpenStackEnvironment, type Row, row } from "../environment.ts";

const reportSchema = z.object({
  numPassedTests: z.number(),
  testResults: z.array(
    z.object({
      assertionResults: z.array(z.object({ status: z.string(), fullName: z.string() })),
    }),
  ),
});

/** What every provider promises, case by case on the real services. */
export const kitRows: readonly Row[] = (["instances", "routes", "load-balancers"] as const).map(
  (kit) => ({
    ...row(`O-KIT-${kit}`, `the provider kit for ${kit}`, (env) => passed(env, kit)),
    isLong: true,
  }),
);

async function passed({ dir }: OpenStackEnvironment, kit: string): Promise<string> {
  const report = join(dir, `kit-${kit}.json`);
  const vitest = join(PROJECT_ROOT, "node_modules/vitest/vitest.mjs");
  const file = `packages/providers/openstack/test/${kit}.lab.test.ts`;
  const limits = ["--testTimeout=600000", "--hookTimeout=600000"];
  const reporter = ["--reporter=verbose", "--reporter=json", `--outputFile.json=${report}`];
  const started = start(process.execPath, [vitest, "run", file, ...limits, ...reporter], {
    env: { OPENSTACK_KITS: "1" },
    log: join(dir, `kit-${kit}.log`),
  });
  await started.ended;
  const { numPassedTests, testResults } = reportSchema.parse(
    JSON.parse(readFileSync(report, "utf8")),
  );
  const failed = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === "failed");
  const names = failed.map(({ fullName }) => fullName).join("; ");
  demand(failed.length === 0 && numPassedTests > 0, `${failed.length} cases failed: ${names}`);
  return `${numPassedTests} cases`;
}
