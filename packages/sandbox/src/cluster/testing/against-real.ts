import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ApiClient } from "./api-client.ts";
import { type Step, verdict } from "./comparison.ts";
import { missingRealCluster, type RealCluster, startRealCluster } from "./real-cluster.ts";
import { startTestCluster, type TestCluster } from "./test-cluster.ts";

/** Clients of the real API server and the sandbox's, once these are started. */
type Clients = () => readonly [real: ApiClient, sandbox: ApiClient];

/** Runs steps whose verdicts must be equal on both API servers, in order, after setting up `more`. Skipped without a real one. */
export function compareWithReal(
  title: string,
  steps: readonly Step[],
  more: (clients: Clients) => void = () => undefined,
): void {
  describe.skipIf(missingRealCluster() !== undefined)(title, () => {
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

    more(() => [realClient, sandbox.client]);

    it.each(steps)("$does", async (step) => {
      const expected = await verdict(realClient, step);
      expect(await verdict(sandbox.client, step)).toEqual(expected);
    });
  });
}
