import { loadBalancerCases } from "@cloudwright/provider-api/kit";
import { afterAll, afterEach, beforeAll, describe, it } from "vitest";
import { clearLoadBalancers, loadBalancersFixture } from "./lab-load-balancers.ts";
import { CASE_MS, isAsked, LabUnderTest } from "./lab-under-test.ts";

describe.skipIf(!isAsked)("load balancers on the real services", { timeout: CASE_MS }, () => {
  let lab: LabUnderTest;

  beforeAll(async () => {
    lab = await LabUnderTest.open("on-error = recreate");
    await clearLoadBalancers(lab);
  }, CASE_MS);
  afterEach(async () => {
    lab.lift();
    await clearLoadBalancers(lab);
  }, CASE_MS);
  afterAll(() => lab.close(), CASE_MS);

  for (const one of loadBalancerCases)
    it(`as every provider, it ${one.name}`, async ({ skip }) => {
      const given = loadBalancersFixture(lab);
      const unmet = one.unmet(given);
      skip(unmet.length > 0, `the lab lacks ${unmet.join(", ")}`);
      await one.run(given);
    });
});
