import { relayedWay } from "../../conformance/environment/shared.ts";
import type { RunningController } from "../../harness/controller.ts";
import type { CloudRelay } from "../../harness/relays/cloud-relay.ts";
import { eventually } from "../../harness/wait.ts";
import { type Environment, fault } from "../environment.ts";
import { someOf } from "../fleets/fleet.ts";
import { POD_RANGE, RouteFleet, settleForeignRoutes } from "../fleets/route-fleet.ts";

const FLAGS = {
  "--configure-cloud-routes": "true",
  "--cluster-cidr": POD_RANGE,
  "--route-reconciliation-period": "1s",
} as const;

/** Calls on routes of one round after which the controller dies at the latest. */
const MOST_CALLS = 4;
const AT_FIRST = 4;

interface Play {
  readonly env: Environment;
  readonly relay: CloudRelay;
  readonly routes: RouteFleet;
  readonly config: string;
  victim: RunningController;
  joined: number;
}

/**
 * Nodes with pod ranges come and go, and ranges change hands, while the controller dies by kill -9 after one of its calls on
 * routes, before or after it has its answer. Nothing is leaked, doubled or deleted wrongly, and what is not ours stays.
 */
export const routeChurn = fault("route-churn", async (env) => {
  const { cloud, fleet, short, dir, random } = env;
  const { relay, config } = await relayedWay(env, dir);
  env.after(() => relay.close());
  const foreign = await settleForeignRoutes(cloud);
  const routes = RouteFleet.open(env, fleet, foreign.routes);
  const victim = await env.start({ cloudConfig: config, flags: FLAGS });
  const play: Play = { env, relay, routes, config, victim, joined: 0 };
  for (let each = 0; each < AT_FIRST; each++) await joinOne(play, random);
  await settled(play);
  const rounds = short ? 3 : 60;
  let kills = 0;
  for (let round = 0; round < rounds; round++) kills += (await isKilledIn(play)) ? 1 : 0;
  await foreign.untouched();
  return `${rounds} rounds, ${kills} kills, ${play.joined} nodes came, ${foreign.routes.length} routes of others untouched`;
});

/** One round: something changes, and the controller may die of it; the next one sets all right. */
async function isKilledIn(play: Play): Promise<boolean> {
  const { env, relay, victim } = play;
  const { random } = env;
  arm(play, { nth: 1 + Math.floor(random() * MOST_CALLS), answered: random() < 0.5 });
  await changeSomething(play);
  await eventually(() => (victim.child.killed ? undefined : isRight(play)), { withinMs: 90_000 });
  relay.onHandled(() => undefined);
  relay.onAnswered(() => undefined);
  const isDead = victim.child.killed;
  if (isDead) {
    await victim.ended;
    play.victim = await env.start({ cloudConfig: play.config, flags: FLAGS });
  }
  await settled(play);
  return isDead;
}

function arm(
  { relay, victim }: Play,
  { nth, answered }: { readonly nth: number; readonly answered: boolean },
): void {
  let seen = 0;
  const count = ({ path, method }: { readonly path: string; readonly method: string }) => {
    if (!path.startsWith("/v1/routes") || method === "GET") return;
    seen += 1;
    if (seen === nth) victim.child.kill("SIGKILL");
  };
  if (answered) relay.onAnswered(count);
  else relay.onHandled(count);
}

/** Two join, one leaves, or one leaves and another one gets its range. */
async function changeSomething(play: Play): Promise<void> {
  const { routes, env } = play;
  const { random, fleet } = env;
  const dice = random();
  if (dice < 0.4) {
    await joinOne(play, random);
    await joinOne(play, random);
    return;
  }
  const [leaver] = someOf(fleet.names, 1, random);
  if (leaver === undefined) return;
  const range = await routes.leave(leaver);
  if (dice < 0.8) await joinWith(play, range);
}

async function joinOne(play: Play, random: () => number): Promise<void> {
  const [range = ""] = someOf([...play.routes.free], 1, random);
  await joinWith(play, range);
}

async function joinWith(play: Play, range: string): Promise<void> {
  play.joined += 1;
  await play.routes.join(`route-${play.joined}`, range);
}

async function isRight({ env, routes }: Play): Promise<void> {
  env.fleet.check();
  await routes.check();
}

async function settled({ env, routes }: Play): Promise<void> {
  await env.fleet.settled();
  await routes.settled();
}
