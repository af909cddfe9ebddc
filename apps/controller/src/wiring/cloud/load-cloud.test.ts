import { ProviderError } from "@cloudwright/provider-api";
import { expect, it } from "vitest";
import { initialise, reportConfigProblems } from "./load-cloud.ts";

type Parts = Parameters<typeof initialise>[0];

it("passes on a provider's error at its start without what looks like a secret", async () => {
  const call = { provider: "lab", operation: "sign in" };
  const provider = {
    name: "lab",
    hasClusterId: true,
    initialize: async () => {
      throw new ProviderError("Unauthorized", "refused token=sesame-12345", call);
    },
  };
  const parts = { cloud: { provider }, clusterUid: "6f3c2a10-0000-4000-8000-000000000001" };
  const begun = initialise(parts as unknown as Parts, new AbortController().signal);
  await expect(begun).rejects.toMatchObject({ code: "Unauthorized", message: "refused token=***" });
});

/** Returns what a leader's check of its configuration logs. */
async function reported(checkConfig: () => Promise<unknown>): Promise<readonly string[]> {
  const said: string[] = [];
  const log = {
    warn: (fields: object, text: string) => said.push(`${text} ${JSON.stringify(fields)}`),
  };
  const parts = { processContext: { log }, cloud: { provider: { name: "lab" }, checkConfig } };
  await reportConfigProblems(parts as unknown as Parts, new AbortController().signal);
  return said;
}

it("reports each option that the cloud contradicts, and a cloud that cannot be reached", async () => {
  const problem = { option: "[Route] router-id", message: "[Route] router-id: no router r-1." };
  expect(await reported(async () => [problem, problem])).toEqual(
    Array(2).fill(
      '[Route] router-id: no router r-1. {"provider":"lab","option":"[Route] router-id"}',
    ),
  );
  expect(await reported(() => Promise.reject(new Error("down")))).toEqual([
    expect.stringContaining("could not be compared with the cloud"),
  ]);
});
