import { setTimeout as wait } from "node:timers/promises";
import { seededRandom } from "../chaos/environment.ts";
import { setReady } from "../harness/nodes.ts";
import { childOf } from "../harness/processes.ts";
import { SERVICES } from "../harness/service.ts";
import { demand, eventually, same } from "../harness/wait.ts";
import {
  addressOf,
  createService,
  type Environment,
  initialised,
  register,
} from "./environment.ts";

export interface Killings {
  readonly nodes: number;
  readonly services: number;
  readonly seed: number;
}

/**
 * While Nodes and Services come, change and go, the provider's process is killed or stopped at moments by the dice. In the end nothing
 * is lost, nothing is there twice, and no Node is deleted but those whose machines are gone.
 */
export async function playKillings(env: Environment, { nodes, services, seed }: Killings) {
  const killer = new Killer(env, seededRandom(seed));
  const names = numbered("node-", nodes);
  const webs = numbered("web-", services);
  await env.cloud.add("node-", 0, nodes);
  let killing = killer.strikeUpTo(STRIKES.whileTheyCome);
  try {
    const uids = await come(env, names, webs);
    await settled(env, names, uids);
    await killing;
    killing = killer.strikeUpTo(STRIKES.whileTheyGo);
    const gone = names.slice(-Math.floor(nodes / 20));
    const dropped = webs.slice(0, Math.floor(services / 2));
    await goAway(env, gone, dropped);
    await killing;
    await left(env, { nodes: names.length - gone.length, services: services - dropped.length });
  } finally {
    killer.stop();
    await killing;
  }
  return `${killer.kills} killed, ${killer.stops} stopped, seed ${seed}`;
}

const UNTIL_SETTLED_MS = 240_000;

async function come(env: Environment, names: readonly string[], webs: readonly string[]) {
  const registered = register(env, names);
  const uids = new Map<string, string>();
  for (const web of webs) uids.set(web, await createService(env, web));
  await registered;
  return uids;
}

async function settled(
  env: Environment,
  names: readonly string[],
  uids: ReadonlyMap<string, string>,
) {
  await initialised(env, names, UNTIL_SETTLED_MS);
  await eventually(
    async () => {
      const addresses = [...uids.keys()].map((web) => addressOf(env.services.get(web)));
      demand(!addresses.includes(undefined), "a Service has no address");
      same(new Set(addresses).size, uids.size, "different addresses");
      same((await env.cloud.state()).loadBalancers, uids.size, "load balancers");
      for (const uid of uids.values()) await holdsAll(env, uid, names.length);
    },
    { withinMs: UNTIL_SETTLED_MS, on: env.services },
  );
}

async function holdsAll(env: Environment, uid: string, count: number): Promise<void> {
  same((await env.cloud.loadBalancer(uid))?.targets?.length, count, "members");
}

async function goAway(env: Environment, gone: readonly string[], dropped: readonly string[]) {
  for (const name of gone) {
    await env.cloud.remove(name);
    await setReady(env.kube, name, "Unknown");
  }
  for (const web of dropped) await env.kube.delete(`${SERVICES}/${web}`);
  await eventually(
    () => {
      demand(!gone.some((name) => env.nodes.get(name)), "a Node without a machine is still there");
      demand(!dropped.some((web) => env.services.get(web)), "a deleted Service is still there");
    },
    { withinMs: UNTIL_SETTLED_MS, on: env.nodes },
  );
}

async function left(
  env: Environment,
  wanted: { readonly nodes: number; readonly services: number },
) {
  await eventually(
    async () => {
      same(env.nodes.all().length, wanted.nodes, "Nodes");
      same((await env.cloud.state()).loadBalancers, wanted.services, "load balancers");
      for (const service of env.services.all()) {
        if (addressOf(service) !== undefined)
          await holdsAll(env, service.metadata.uid ?? "", wanted.nodes);
      }
    },
    { withinMs: UNTIL_SETTLED_MS, on: env.services },
  );
}

/** Not without end: each one that follows soon makes the wait for the next start longer. */
const STRIKES = { whileTheyCome: 4, whileTheyGo: 2 };

/** Between two of them at least and at most; a process that was stopped is found out by its health check. */
const PAUSE_MS = { least: 1_000, most: 5_000 };

class Killer {
  kills = 0;
  stops = 0;
  readonly #env: Environment;
  readonly #dice: () => number;
  readonly #over = new AbortController();

  constructor(env: Environment, dice: () => number) {
    this.#env = env;
    this.#dice = dice;
  }

  async strikeUpTo(most: number): Promise<void> {
    for (let strikes = 0; strikes < most; ) {
      if (!(await this.#pause())) return;
      if (this.#strike()) strikes++;
    }
  }

  stop(): void {
    this.#over.abort();
  }

  async #pause(): Promise<boolean> {
    const ms = PAUSE_MS.least + this.#dice() * (PAUSE_MS.most - PAUSE_MS.least);
    return wait(ms, true, { signal: this.#over.signal }).catch(() => false);
  }

  /** Whether there was a process: between two starts there is none. */
  #strike(): boolean {
    const isKill = this.#dice() < 0.7;
    try {
      process.kill(
        childOf(this.#env.controller.pid, this.#env.program),
        isKill ? "SIGKILL" : "SIGSTOP",
      );
    } catch {
      return false;
    }
    if (isKill) this.kills++;
    else this.stops++;
    return true;
  }
}

function numbered(prefix: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}${index}`);
}
