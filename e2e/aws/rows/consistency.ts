import { demand } from "../../harness/wait.ts";
import { type Row, row } from "../environment.ts";
import type { Side } from "../side.ts";
import { initialised } from "./nodes.ts";

/**
 * What was just made is not there yet for those who ask: EC2 is eventually consistent. Played with machines alone: while the lab hides a
 * security group it lets a second one of the name be made, which AWS refuses, and one that was just made shows its load balancers at once.
 */
export const consistencyRows: readonly Row[] = [
  row("A-E-01", "a machine that was just launched is found once it is listed", launched),
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
