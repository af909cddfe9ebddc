import { ProviderError } from "@cloudwright/provider-api";
import { expect, it } from "vitest";
import { initialise } from "./load-cloud.ts";

type Parts = Parameters<typeof initialise>[0];

it("passes on what a provider throws as it begins without what looks like a secret", async () => {
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
