import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ApiClient } from "./testing/api-client.ts";
import { type Step, verdict } from "./testing/comparison.ts";
import { missingRealCluster, type RealCluster, startRealCluster } from "./testing/real-cluster.ts";
import { NODE_CHANGES } from "./testing/steps/node-changes.ts";
import { NODE_CREATION } from "./testing/steps/node-creation.ts";
import { NODE_READS } from "./testing/steps/node-reads.ts";
import { OTHER_KINDS } from "./testing/steps/other-kinds.ts";
import { STRICT_WRITES } from "./testing/steps/strict-writes.ts";
import { startTestCluster, type TestCluster } from "./testing/test-cluster.ts";

/** In order: later steps stand on what earlier ones left. */
const STEPS: readonly Step[] = [
  ...NODE_CREATION,
  ...NODE_CHANGES,
  ...NODE_READS,
  ...OTHER_KINDS,
  ...STRICT_WRITES,
];

const missing = missingRealCluster();

describe.skipIf(missing !== undefined)("the sandbox cluster against a real API server", () => {
  let real: RealCluster;
  let sandbox: TestCluster;
  let realClient: ApiClient;

  beforeAll(async () => {
    real = startRealCluster();
    realClient = new ApiClient(real.access);
    sandbox = await startTestCluster({ rbac: true });
  });
  afterAll(async () => {
    await realClient.close();
    await sandbox.discard();
    real.discard();
  });

  it.each(STEPS)("$does", async (step) => {
    const expected = await verdict(realClient, step);
    expect(await verdict(sandbox.client, step)).toEqual(expected);
  });
});
