import { relayedWay } from "../../conformance/environment/shared.ts";
import { hasEnded, type RunningController } from "../../harness/controller.ts";
import type { CloudRelay } from "../../harness/relays/cloud-relay.ts";
import { demand, eventually } from "../../harness/wait.ts";
import { type Environment, fault } from "../environment.ts";
import { EXCLUDED, namesOf, someOf } from "../fleets/fleet.ts";
import { settleForeign } from "../fleets/foreign.ts";
import { type Options, ServiceFleet } from "../fleets/service-fleet.ts";
import { servicesWhole } from "../ledger.ts";
import { isAboutLoadBalancers, outlastAll } from "./disturbances.ts";

const LIMITED: Options = { port: 80, ranges: ["10.0.0.0/8"] };
const OPEN: Options = { port: 80, ranges: [] };
/** More calls than any step takes. */
const MOST_CALLS = 30;
/** Kills of CI's form. */
const SAMPLE = 6;
const PROVISIONING_MS = 150;
const MEMBERS = 3;

/** What is done to a Service, and what it was before; nothing before a creation. */
interface Step {
  readonly from?: Options;
  act(play: Play, name: string): Promise<unknown>;
}

const STEPS: Readonly<Record<string, Step>> = {
  create: { act: ({ services }, name) => services.create(name, LIMITED) },
  port: changing(LIMITED, { ...LIMITED, port: 81 }),
  ranges: changing(LIMITED, { ...LIMITED, ranges: ["192.168.0.0/16"] }),
  open: changing(LIMITED, OPEN),
  limit: changing(OPEN, LIMITED),
  join: { from: OPEN, act: ({ env }, name) => env.fleet.join([name]) },
  leave: { from: OPEN, act: ({ env }) => env.fleet.exclude(lastOf(env)) },
  inside: changing(LIMITED, { ...LIMITED, inside: true }),
  remove: { from: LIMITED, act: ({ services }, name) => services.remove(name) },
};

interface Play {
  readonly env: Environment;
  readonly relay: CloudRelay;
  readonly services: ServiceFleet;
  readonly config: string;
  victim: RunningController;
}

/**
 * The controller dies by kill -9 once the cloud has done each single thing that it asks for, before it learns so and right
 * afterwards; every such answer is lost, too; and the cloud refuses for a while, or has no room. Nothing is leaked, doubled or
 * deleted wrongly, and the ledger knows it all.
 */
export const crashMatrix = fault("crash-matrix", async (env) => {
  const { cloud, fleet, short, dir, random } = env;
  const { relay, config } = await relayedWay(env, dir);
  env.after(() => relay.close());
  const services = await ServiceFleet.open(env);
  env.after(() => services.close());
  await cloud.setFaults({ provisioningMs: PROVISIONING_MS });
  const foreign = await settleForeign(cloud, "create-1");
  const victim = await env.start({ cloudConfig: config });
  const play = { env, relay, services, config, victim };
  await fleet.join(namesOf("member", MEMBERS));
  await fleet.settled();
  const kills = short ? await someMoments(play, random) : await everyMoment(play);
  const outlasted = await outlastAll(play);
  demand(!hasEnded(play.victim), "the last controller ended");
  await foreign.untouched();
  const reported = await servicesWhole(env.database.url, services);
  return `${kills}, ${outlasted}; ${reported}`;
});

function changing(from: Options, to: Options): Step {
  return { from, act: ({ services }, name) => services.change(name, to) };
}

interface Moment {
  readonly step: string;
  /** Of the step's calls about load balancers, from 1. */
  readonly nth: number;
  /** Whether the controller gets the answer before it dies. */
  readonly answered: boolean;
}

/** Until a step comes to its end before it has made so many calls. */
async function everyMoment(play: Play): Promise<string> {
  const kills: string[] = [];
  for (const step of Object.keys(STEPS)) {
    let ofStep = 0;
    for (const answered of [false, true])
      for (let nth = 1; (await played(play, { step, nth, answered })).killed; nth++) ofStep += 1;
    kills.push(`${ofStep} of ${step}`);
  }
  return `kills: ${kills.join(", ")}`;
}

/** By the dice: how many calls a step has is counted first. */
async function someMoments(play: Play, random: () => number): Promise<string> {
  const all: Moment[] = [];
  for (const step of ["create", "port", "remove"]) {
    const { calls } = await played(play, { step, nth: MOST_CALLS, answered: false });
    for (let nth = 1; nth <= calls; nth++)
      all.push({ step, nth, answered: false }, { step, nth, answered: true });
  }
  const chosen = new Set(someOf([...all.keys()].map(String), SAMPLE, random));
  let kills = 0;
  for (const [index, moment] of all.entries())
    if (chosen.has(String(index)) && (await played(play, moment)).killed) kills += 1;
  return `${kills} kills`;
}

interface Played {
  /** False when the step was over before it had made so many calls. */
  readonly killed: boolean;
  readonly calls: number;
}

/** Plays the step and kills the controller in it; a new one then sets all right. */
async function played(play: Play, { step, nth, answered }: Moment): Promise<Played> {
  const { env, services, relay } = play;
  const { from, act } = STEPS[step] ?? {};
  const name = `${step}-${nth}${answered ? "-answered" : ""}`;
  if (from !== undefined) await services.create(name, from);
  await atRest(play);
  const callsSoFar = arm(play, nth, answered);
  await act?.(play, name);
  await settledUnlessDead(play);
  const calls = callsSoFar();
  relay.onHandled(() => undefined);
  relay.onAnswered(() => undefined);
  const isDead = play.victim.child.killed;
  if (isDead) await resume(play);
  if (services.names.includes(name)) await services.remove(name);
  await sameMembersAgain(env, name);
  return { killed: isDead, calls };
}

/** Who joined goes, and another one comes for who was excluded. */
async function sameMembersAgain(env: Environment, name: string): Promise<void> {
  const { fleet } = env;
  const excluded = lastOf(env);
  const isExcluded = EXCLUDED in (fleet.nodes.get(excluded)?.metadata.labels ?? {});
  if (isExcluded) await fleet.deleteNodes([excluded]);
  await fleet.deleteNodes(fleet.names.slice(MEMBERS));
  if (isExcluded) await fleet.join([`${name}-back`]);
}

function lastOf({ fleet }: Environment): string {
  return fleet.names.at(-1) ?? "";
}

async function resume(play: Play): Promise<void> {
  await play.victim.ended;
  play.victim = await play.env.start({ cloudConfig: play.config });
  await play.services.settled(play.env.fleet);
}

/** Nothing that happened before is to count for the step. */
async function atRest(play: Play): Promise<void> {
  await play.env.fleet.settled();
  await play.services.settled(play.env.fleet);
  let calls = -1;
  await eventually(() => {
    const before = calls;
    calls = callsAboutLoadBalancers(play);
    demand(before === calls, "the cloud is still asked");
  });
}

function arm({ relay, victim }: Play, nth: number, answered: boolean): () => number {
  let seen = 0;
  const count = ({ path }: { readonly path: string }) => {
    if (!isAboutLoadBalancers(path)) return;
    seen += 1;
    if (seen === nth) victim.child.kill("SIGKILL");
  };
  if (answered) relay.onAnswered(count);
  else relay.onHandled(count);
  return () => seen;
}

function settledUnlessDead({ env, services, victim }: Play): Promise<void> {
  const check = async () => {
    if (victim.child.killed) return;
    env.fleet.check();
    await services.check(env.fleet);
  };
  return eventually(check, { withinMs: 120_000 });
}

function callsAboutLoadBalancers({ relay }: Play): number {
  return relay.calls.filter(({ path }) => isAboutLoadBalancers(path)).length;
}
