import { demand } from "../../harness/wait.ts";
import { type Row, row } from "../environment.ts";
import type { Side } from "../side.ts";
import { comesAndGoes } from "./faults.ts";
import { initialised } from "./nodes.ts";

/**
 * What was just made is not there yet for those who ask: EC2 and its load balancers are eventually consistent. Not played with security
 * groups: the lab lets a second one of the name be made while the first is hidden, which AWS refuses.
 */
export const consistencyRows: readonly Row[] = [
  row("A-E-01", "a machine that was just launched is found once it is listed", launched),
  row("A-E-02", "a load balancer that was just made and is not listed yet is made once", (side) =>
    comesAndGoes(side, { rules: ["elb", "elbv2"].map((service) => unlisted(side, service)) }),
  ),
].map((each) => ({ ...each, isLong: true as const }));

async function launched(side: Side): Promise<unknown> {
  await side.lab.faults({ emulate: { visibleAfterSeconds: 6 } });
  try {
    const which = await side.lab.launch("late", "10.10.130.77");
    await side.register(which, 1);
    const [facts] = await initialised(side, which, 1);
    demand(facts !== undefined, "there is no Node");
    const { providerID: _isRandom, ...known } = facts;
    const [machine] = side.lab.machines.slice(which);
    demand(machine !== undefined, "there is no machine");
    await side.kube.delete(`/api/v1/nodes/${machine.name}`);
    await side.lab.terminate(machine);
    return known;
  } finally {
    await side.lab.faults({});
  }
}

/** The first question after it was made: ours looks before the change, too, as upstream's manager does not. */
function unlisted({ who }: Side, service: string): object {
  const skip = who === "ours" ? 2 : 1;
  return {
    ...{ action: `${service}.DescribeLoadBalancers`, skip, times: 1, status: 400 },
    ...{ code: "LoadBalancerNotFound", message: "One or more load balancers not found" },
  };
}
