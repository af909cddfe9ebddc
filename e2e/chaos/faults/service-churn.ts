import { setTimeout as wait } from "node:timers/promises";
import { type Environment, fault, seededRandom } from "../environment.ts";
import { churn, nodesComeAndGo } from "../fleets/churn.ts";
import { namesOf } from "../fleets/fleet.ts";
import { settleForeign } from "../fleets/foreign.ts";
import { ServiceFleet } from "../fleets/service-fleet.ts";
import { servicesWhole } from "../ledger.ts";
import { type Replica, startPair, startReplica, waitToLead } from "../replicas.ts";

/**
 * 100 Services are created, changed and deleted at random while nodes come and go and of two replicas the leader dies by kill
 * -9 again and again; once per seed, 20 seeds. Nothing is leaked, doubled or deleted wrongly, and every Service is right.
 */
export const serviceChurn = fault("service-churn", async (env) => {
  const { short, random, cloud, fleet } = env;
  const seeds = short ? 1 : 20;
  const perSeed = short ? 40 : 100;
  await cloud.setFaults({ provisioningMs: 100, latencyMs: 20 });
  const services = await ServiceFleet.open(env);
  env.after(() => services.close());
  const foreign = await settleForeign(cloud, "s0-0");
  let pair = await startPair(env);
  await fleet.join(namesOf("member", 3));
  let kills = 0;
  let nodes = 0;
  for (let seed = 0; seed < seeds; seed++) {
    const dice = seededRandom(Math.floor(random() * 2 ** 31));
    const prefix = `s${seed}`;
    let over = false;
    const churned = churn(services, { prefix, count: perSeed, dice }).finally(() => {
      over = true;
    });
    const came = nodesComeAndGo(fleet, { prefix, dice }, () => over);
    const struck = await killAgainAndAgain(env, pair, { dice, isOver: () => over });
    pair = struck.pair;
    kills += struck.kills;
    await churned;
    nodes += await came;
    await services.settled(fleet, 180_000);
    if (seed < seeds - 1) await removeAll(services);
  }
  await foreign.untouched();
  const reported = await servicesWhole(env.database.url, services);
  return `${seeds} seeds, ${kills} kills, ${nodes} nodes came; ${reported}`;
});

interface Killing {
  readonly dice: () => number;
  readonly isOver: () => boolean;
}

async function killAgainAndAgain(
  env: Environment,
  pair: [Replica, Replica],
  { dice, isOver }: Killing,
): Promise<{ readonly pair: [Replica, Replica]; readonly kills: number }> {
  let [leader, standby] = pair;
  let kills = 0;
  while (!isOver()) {
    await wait(dice() * 2_000);
    await leader.running.stop("SIGKILL");
    kills += 1;
    await waitToLead(standby);
    [leader, standby] = [standby, await startReplica(env, leader.name)];
  }
  return { pair: [leader, standby], kills };
}

async function removeAll(services: ServiceFleet): Promise<void> {
  for (const name of services.names) await services.remove(name);
}
