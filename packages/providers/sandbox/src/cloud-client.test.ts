import type { CallContext } from "@cloudwright/provider-api";
import { sendFenced } from "@cloudwright/provider-api/http";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { createCloudClient } from "./cloud-client.ts";
import { PROVIDER } from "./config.ts";
import { startScriptedCloud } from "./testing/scripted-cloud.ts";

const CALL = { target: "b-1", path: "/v1/load-balancers", shape: z.object({}) } as const;
const READ = { ...CALL, operation: "GET /v1/load-balancers" } as const;
const WRITE = { ...CALL, operation: "POST /v1/load-balancers", method: "POST", body: {} } as const;

/** A client whose process loses its Lease while the call waits for a connection. */
async function losingTheLease() {
  const cloud = await startScriptedCloud(() => ({ body: {} }));
  const client = createCloudClient({ endpoint: cloud.endpoint, token: "sesame-sesame" }, "test");
  onTestFinished(async () => {
    await client.close();
    await cloud.close();
  });
  const { signal } = new AbortController();
  const context: CallContext = {
    signal,
    call: async (description, send) => {
      const call = { provider: PROVIDER, description, signal, deadlineMs: 10_000 };
      const after = () => () => {};
      return (await sendFenced({ ...call, fence: () => false, after }, send)).value;
    },
  };
  return { cloud, client, context };
}

it("sends no change if the Lease was lost while it waited for a connection", async () => {
  const { cloud, client, context } = await losingTheLease();
  await expect(client.write(context, WRITE)).rejects.toMatchObject({
    code: "Unavailable",
    message: expect.stringContaining("was not sent"),
    call: { fenced: true },
  });
  expect(cloud.requests).toEqual([]);
});

it("reads without the Lease", async () => {
  const { cloud, client, context } = await losingTheLease();
  await client.read(context, READ);
  await client.read(context, READ);
  expect(cloud.requests).toHaveLength(2);
});
