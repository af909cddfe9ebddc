import {
  type CloudFault,
  type InstancesFixture,
  instancesCases,
} from "@cloudwright/provider-api/kit";
import { afterAll, afterEach, beforeAll, describe, it } from "vitest";
import { ANSWER_MS, CASE_MS, isAsked, LabUnderTest } from "./lab-under-test.ts";

describe.skipIf(!isAsked)("instances on the real services", { timeout: CASE_MS }, () => {
  let lab: LabUnderTest;

  beforeAll(async () => {
    lab = await LabUnderTest.open();
  }, CASE_MS);
  afterEach(async () => {
    lab.lift();
    await lab.spareServers();
  }, CASE_MS);
  afterAll(() => lab.close(), CASE_MS);

  function fixture(): InstancesFixture {
    const { instances } = lab.provider;
    if (instances === undefined) throw new Error("the provider has no instances");
    return {
      provider: "openstack",
      deadlineMs: ANSWER_MS,
      instances,
      create: async (name) => `openstack:///${(await lab.server(name)).id}`,
      remove: async (name) => lab.servers.remove(await idOf(name)),
      stop: async (name) => void (await lab.servers.act(await idOf(name), "os-stop")),
      malformedProviderID: "openstack:///no-uuid",
      faults: faultsOf(lab),
    };
  }

  async function idOf(name: string): Promise<string> {
    return (await lab.server(name)).id;
  }

  for (const one of instancesCases)
    it(`as every provider, it ${one.name}`, async ({ skip }) => {
      const given = fixture();
      const unmet = one.unmet(given);
      skip(unmet.length > 0, `the lab lacks ${unmet.join(", ")}`);
      // Servers of earlier cases are reused, but this case needs a project without any.
      if (one.name.includes("shows no instance")) await lab.removeServers();
      await one.run(given);
    });
});
function faultsOf(lab: LabUnderTest): InstancesFixture["faults"] {
  const answering = (fate: { readonly status: number; readonly text: string }) => async () =>
    lab.answer(fate);
  const endless = (fault: Extract<CloudFault, "huge" | "deep" | "endlessPages" | "sameCursor">) =>
    [fault, () => lab.answerWithoutEnd(fault)] as const;
  return {
    unavailable: () => lab.refuse({ status: 503, code: "serviceUnavailable" }),
    unauthorized: () => lab.refuse({ status: 403, code: "forbidden" }),
    throttled: () => lab.refuse({ status: 429, code: "overLimit", retryAfter: 3 }),
    garbage: answering({ status: 200, text: "<html>hello</html>" }),
    nothingFound: answering({ status: 404, text: "404 page not found" }),
    ...Object.fromEntries((["huge", "deep", "endlessPages", "sameCursor"] as const).map(endless)),
  };
}
