import type { RunningController } from "../harness/controller.ts";
import { namesOf, someOf } from "./fleet.ts";
import { onScene, type Scene } from "./scene.ts";

/** kill -9 at random moments of initialising 200 nodes: every node right, no run lost or doubled. */
export const killedController = onScene("killed-controller", async (scene) => {
  const { short, random, fleet, cloud } = scene;
  const rounds = short ? 3 : 20;
  const perRound = short ? 60 : 200;
  await cloud.setFaults({ rules: [{ method: "GET", path: "/v1/instances*", latencyMs: 20 }] });
  for (let round = 0; round < rounds; round++) {
    const names = namesOf(`killed-${round}`, perRound);
    const victim = await scene.start();
    const going = someOf(fleet.names, 1, random);
    const joined = fleet.join(names).then(() => fleet.lose(going));
    const dead = killOnce(victim, scene, { names, done: Math.floor(random() * perRound) });
    await Promise.all([joined, dead]);
    const successor = await scene.start();
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
  { fleet }: Scene,
  { names, done }: Moment,
): Promise<void> {
  while (fleet.initialised(names) < done) await fleet.nodes.changed(1_000);
  await victim.stop("SIGKILL");
}
