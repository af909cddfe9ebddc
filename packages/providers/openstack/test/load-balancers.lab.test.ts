import { loadBalancerCases } from "@cloudwright/provider-api/kit";
import { describe, it } from "vitest";
import { LabCloud, labSettings } from "./lab-cloud.ts";
import { clearLoadBalancers, loadBalancersFixture } from "./lab-load-balancers.ts";

/** Takes minutes and the lab for itself: only where it is asked for. */
const isAsked = process.env.OPENSTACK_KITS === "1";

/** Against the real Octavia and Neutron where the lab runs; visibly skipped elsewhere. */
describe.skipIf(!isAsked || labSettings() === undefined)(
  "the load balancers' kit",
  { timeout: 600_000 },
  () => {
    it.each(loadBalancerCases.map((one) => [one.name, one] as const))("%s", async (_name, one) => {
      const lab = await LabCloud.open("on-error = recreate");
      try {
        await clearLoadBalancers(lab);
        const fixture = loadBalancersFixture(lab);
        if (one.unmet(fixture).length === 0) await one.run(fixture);
      } finally {
        await clearLoadBalancers(lab);
        await lab.close();
      }
    });
  },
);
