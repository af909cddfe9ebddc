import { hasEnded, type RunningController } from "../harness/controller.ts";
import { namesOf, someOf } from "./fleet.ts";
import { onScene, type Scene } from "./scene.ts";
import { seededRandom } from "./seeded-random.ts";
import { ServiceFleet } from "./service-fleet.ts";
import { servicesWhole } from "./service-ledger.ts";

/**
 * 100 Services are created, changed and deleted at random while the controller dies by kill -9 again and again; once per seed,
 * 20 seeds. Nothing is leaked, doubled or deleted wrongly, and every Service is right afterwards.
 */
export const serviceChurn = onScene("service-churn", async (scene) => {
  const { short, random, cloud, fleet } = scene;
  const seeds = short ? 1 : 20;
  const perSeed = short ? 30 : 100;
  await cloud.setFaults({ provisioningMs: 100, latencyMs: 20 });
  const services = await ServiceFleet.open(scene);
  scene.after(() => services.close());
  let running = await scene.start();
  await fleet.join(namesOf("member", 3));
  await fleet.settled();
  let kills = 0;
  for (let seed = 0; seed < seeds; seed++) {
    const dice = seededRandom(Math.floor(random() * 2 ** 31));
    const round = churn(services, dice, { prefix: `s${seed}`, count: perSeed });
    const killing = killAgainAndAgain(scene, running, { dice, until: round });
    await round;
    const { left, kills: times } = await killing;
    running = left;
    kills += times;
    await services.settled(fleet, 180_000);
  }
  const told = await servicesWhole(scene.database.url, services);
  return `${seeds} seeds, ${kills} kills; ${told}`;
});

interface Round {
  readonly prefix: string;
  readonly count: number;
}

type Dice = () => number;

async function churn(services: ServiceFleet, dice: Dice, { prefix, count }: Round): Promise<void> {
  const mine: string[] = [];
  for (const name of namesOf(prefix, count)) {
    mine.push(name);
    await services.create(name, wish(dice));
    if (dice() < 0.6) await changeOrRemove(services, dice, mine);
  }
  for (let steps = 0; steps < count; steps++) await changeOrRemove(services, dice, mine);
}

async function changeOrRemove(services: ServiceFleet, dice: Dice, mine: string[]): Promise<void> {
  const [name] = someOf(mine, 1, dice);
  if (name === undefined) return;
  if (dice() < 0.6) return services.change(name, wish(dice));
  mine.splice(mine.indexOf(name), 1);
  await services.remove(name);
}

function wish(dice: Dice) {
  const range = `10.${Math.floor(dice() * 256)}.0.0/16`;
  return { port: 1_000 + Math.floor(dice() * 60_000), ranges: dice() < 0.5 ? [] : [range] };
}

/** Each time after the controller has got through some of the work. */
async function killAgainAndAgain(
  scene: Scene,
  first: RunningController,
  { dice, until }: { readonly dice: Dice; readonly until: Promise<void> },
): Promise<{ readonly left: RunningController; readonly kills: number }> {
  let left = first;
  let kills = 0;
  let isOver = false;
  const over = until.finally(() => {
    isOver = true;
  });
  const most = scene.short ? 3 : 6;
  while (kills < most && !(isOver && kills > 0)) {
    await someCalls(scene, 5 + Math.floor(dice() * 60));
    await left.stop("SIGKILL");
    kills += 1;
    left = await scene.start();
  }
  await over;
  if (hasEnded(left)) left = await scene.start();
  return { left, kills };
}

/** Until the cloud has been asked so many more things, or nothing more is asked. */
async function someCalls({ cloud }: Scene, count: number): Promise<void> {
  const { total } = await cloud.calls();
  for (let looks = 0; looks < 50; looks++) {
    if ((await cloud.calls()).total >= total + count) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
