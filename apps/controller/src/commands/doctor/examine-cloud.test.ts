import { ProviderError } from "@cloudwright/provider-api";
import { expect, it } from "vitest";
import type { CloudAccess } from "../../wiring/cloud/cloud-access.ts";
import { examineCloud } from "./examine-cloud.ts";

/** Returns the first findings, which concern the configuration. */
async function findings(checkConfig: CloudAccess["checkConfig"]) {
  const cloud = { provider: { name: "p", hasClusterId: true }, checkConfig } as CloudAccess;
  const signal = AbortSignal.timeout(10_000);
  const all = await examineCloud({ cloud, nodes: [], clusterUid: undefined, nowMs: 0, signal });
  return all.filter(({ says }) => says.includes("--cloud-config") || says.startsWith("["));
}

it("a configuration that the cloud confirms is in order", async () => {
  expect(await findings(async () => [])).toEqual([
    { verdict: "ok", says: "p has everything that --cloud-config names." },
  ]);
});

it("each option that the cloud contradicts is a problem, shown without a secret", async () => {
  const message = "[Route] router-id: there is no router r-1 (password=hunter2); correct it.";
  const found = await findings(async () => [{ option: "[Route] router-id", message }]);
  expect(found).toMatchObject([
    { verdict: "problem", says: expect.stringContaining("router r-1") },
  ]);
  expect(JSON.stringify(found)).not.toContain("hunter2");
});

it("a cloud that does not respond is one problem, and the advice is about the connection", async () => {
  const down = new ProviderError("Unavailable", "Neutron does not answer.", {
    provider: "p",
    operation: "subnet_get",
  });
  expect(await findings(() => Promise.reject(down))).toMatchObject([
    { verdict: "problem", advice: expect.stringContaining("answers at the addresses") },
  ]);
});

it("nothing is reported for a provider that does not compare them", async () => {
  expect(await findings(undefined)).toEqual([]);
});
