import type { RunningController } from "../../harness/controller.ts";
import { type Environment, fault } from "../environment.ts";
import { namesOf, someOf } from "../fleets/fleet.ts";

/** kill -9 at random moments of initialising 200 nodes: every node right, no run lost or doubled. */
export const killedController = fault("killed-controller", async (env) => {
  const { short, random, fleet, cloud } = env;
  const rounds = short ? 3 : 20;
  const perRound = short ? 60 : 200;
  await cloud.setFaults({ rules: [{ method: "GET", path: "/v1/instances*", latencyMs: 20 }] });
  for (let round = 0; round < rounds; round++) {
    const names = namesOf(`killed-${round}`, perRound);
    const victim = await env.start();
    const going = someOf(fleet.names, 1, random);
    const joined = fleet.join(names).then(() => fleet.lose(going));
    const dead = killOnce(victim, env, { names, done: Math.floor(random() * perRound) });
    await Promise.all([joined, dead]);
    const successor = await env.start();
    await fleet.settled();
    await successor.stop();
  }
  return `${rounds} kills`;
});

interface Moment {
  readonly names: readonly string[];
  /** Kill once so many of the names have lost the taint. */
  readonly done: number;
}

async function killOnce(
  victim: RunningController,
  { fleet }: Environment,
  { names, done }: Moment,
): Promise<void> {
  while (fleet.initialised(names) < done) await fleet.nodes.changed(1_000);
  await victim.stop("SIGKILL");
}
