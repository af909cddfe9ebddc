import { demand, eventually, same } from "../harness/wait.ts";
import { leaderAmong, leaseOf, startPair } from "./leading.ts";
import { createInstance, createNode, initialised, internal } from "./objects.ts";
import type { Scenario } from "./scenario.ts";
import { onStage } from "./stage.ts";

const RELEASED_WITHIN_MS = 2_000;
const LED_WITHIN_MS = 5_000;

/** Row H-10: the leader is told to end. */
export const SHUTDOWN_OF_LEADER: Scenario = onStage(
  "H-10",
  "SIGTERM frees the Lease within 2 s, the standby leads within 5 s, the call under way is recorded, exit 0",
  async (stage) => {
    const { leader, standby } = await startPair(stage);
    await createInstance(stage, "h-10", { addresses: [internal("10.210.0.1")] });
    const lift = await stage.cloud.fault({
      method: "GET",
      path: "/v1/instances*",
      instance: "h-10",
      hang: true,
    });
    await createNode(stage, "h-10");
    await eventually(async () => {
      const { total } = await stage.cloud.calls();
      demand(total >= 1, "the cloud was not asked yet");
    });
    const holder = (await leaseOf(stage))?.spec.holderIdentity;
    const told = Date.now();
    leader.child.kill("SIGTERM");
    const free = eventually(
      async () => {
        const now = (await leaseOf(stage))?.spec.holderIdentity;
        demand(now !== holder, `the Lease still has the holder ${now}`);
      },
      { withinMs: RELEASED_WITHIN_MS },
    );
    await free;
    await leaderAmong([standby], LED_WITHIN_MS - (Date.now() - told));
    same(await leader.ended, 0, "the exit code");
    await lift();
    await initialised(stage, "h-10");
    await eventually(async () => {
      const runs = await stage.history(["--object", "h-10"]);
      const broken = runs.find(({ outcome }) => outcome === "interrupted");
      demand(broken !== undefined, "no run was interrupted");
      demand(broken.cloudCalls >= 1, "it does not tell of its call");
      demand(
        runs.some(({ outcome }) => outcome === "changed"),
        "no later run changed the node",
      );
    });
  },
);
