import { demand, eventually, same } from "../../harness/wait.ts";
import { isolatedRow } from "../environment/isolated.ts";
import { leaderAmong, leaseOf, startPair } from "../environment/leading.ts";
import {
  createInstance,
  createNode,
  eventsOf,
  initialised,
  internal,
} from "../environment/objects.ts";
import type { Scenario } from "../environment/scenario.ts";

const RELEASED_WITHIN_MS = 2_000;
const LED_WITHIN_MS = 5_000;

/** Row H-10: the leader is told to end. */
export const SHUTDOWN_OF_LEADER: Scenario = isolatedRow(
  "H-10",
  "SIGTERM frees the Lease within 2 s, the standby leads within 5 s, the call under way is recorded, exit 0",
  async (env) => {
    const { leader, standby } = await startPair(env);
    await createInstance(env, "h-10", { addresses: [internal("10.210.0.1")] });
    const lift = await env.cloud.fault({
      method: "GET",
      path: "/v1/instances*",
      instance: "h-10",
      hang: true,
    });
    await createNode(env, "h-10");
    await eventually(async () => {
      const { total } = await env.cloud.calls();
      demand(total >= 1, "the cloud was not asked yet");
    });
    const holder = (await leaseOf(env))?.spec.holderIdentity;
    const told = Date.now();
    leader.child.kill("SIGTERM");
    const free = eventually(
      async () => {
        const now = (await leaseOf(env))?.spec.holderIdentity;
        demand(now !== holder, `the Lease still has the holder ${now}`);
      },
      { withinMs: RELEASED_WITHIN_MS },
    );
    await free;
    await leaderAmong([standby], LED_WITHIN_MS - (Date.now() - told));
    same(await leader.ended, 0, "the exit code");
    await lift();
    await initialised(env, "h-10");
    await eventually(async () => {
      const runs = await env.history(["--object", "h-10"]);
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

/** Row B-86, which needs all nodes for itself. */
export const EVENTS_AT_THE_END: Scenario = isolatedRow(
  "B-86",
  "the Events that a wave left behind are sent after SIGTERM",
  async (env) => {
    const names = Array.from({ length: WAVE }, (_, index) => `b-86-${index}`);
    const leader = await env.start({ flags: FEW_CALLS });
    await leaderAmong([leader]);
    for (const [index, name] of names.entries()) {
      await createInstance(env, name, { addresses: [internal(`10.211.0.${index + 1}`)] });
    }
    await Promise.all(names.map((name) => createNode(env, name)));
    await Promise.all(names.map((name) => initialised(env, name)));
    leader.child.kill("SIGTERM");
    same(await leader.ended, 0, "the exit code");
    await eventually(() => {
      const without = names.filter(
        (name) => !eventsOf(env, name).some(({ type }) => type === "Normal"),
      );
      same(without, [], "the nodes without an Event");
    });
  },
);

/** So many that their Events wait for the writes to nodes, and for more than a second at this rate of calls. */
const WAVE = 60;
const FEW_CALLS = { "--kube-api-qps": "20", "--kube-api-burst": "20" };
