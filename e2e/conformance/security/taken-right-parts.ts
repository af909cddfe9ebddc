import { always, demand, eventually, same } from "../../harness/wait.ts";
import type { IsolatedEnvironment, Replica } from "../environment/isolated.ts";
import {
  createInstance,
  createNode,
  initialised,
  internal,
  keepsTaint,
  nodeStays,
} from "../environment/objects.ts";
import { Skip } from "../environment/scenario.ts";
import { createMember, createService, finalizersOf, seenService } from "../service/objects.ts";

export const SYSTEM = { namespace: "kube-system" };
/** Else the controllers of other rows would work on a row's Service. */
export const NODES_ALONE = { "--controllers": "*,-service" };
export const SERVICES_ALONE = { "--controllers": "service" };
export const NOBODY = { "--controllers": "-service" };
export const SHORT_MS = 3_000;

/** Answers its machine's id. */
export async function nodeComes(env: IsolatedEnvironment): Promise<string> {
  const { id } = await createInstance(env, env.name, { addresses: [addressOf(env)] });
  await createNode(env, env.name);
  await initialised(env, env.name);
  return id;
}

export async function nodeWaits(env: IsolatedEnvironment): Promise<void> {
  await createInstance(env, env.name, { addresses: [addressOf(env)] });
  await createNode(env, env.name);
  await nodeStays(env, env.name, { check: keepsTaint, forMs: SHORT_MS });
}

function addressOf({ name }: IsolatedEnvironment) {
  return internal(`10.240.${Number(name.slice(2))}.1`);
}

export async function serviceWaits(env: IsolatedEnvironment): Promise<void> {
  await createMember(env, env.name);
  await createService(env, env.name);
  await eventually(() => void seenService(env, env.name), { on: env.services });
  await always(() => same(finalizersOf(seenService(env, env.name)), [], "the finalizers"), {
    forMs: SHORT_MS,
  });
}

interface Refused {
  readonly verb: string;
  readonly path: string;
}

/** What the row's controller asks and may not: H-26 has none of that. */
export async function isRefused(env: IsolatedEnvironment, { verb, path }: Refused): Promise<void> {
  await eventually(async () => {
    const seen = await env.cluster.requestsOf(env.name);
    if (seen === undefined) throw new Skip("this cluster keeps no record of requests");
    const refused = seen.filter(({ code }) => code === 403);
    demand(
      refused.some((each) => each.verb === verb && each.path.split("?")[0] === path),
      `no ${verb} ${path} among ${JSON.stringify(refused)}`,
    );
  });
}

export function says(replica: Replica, pattern: RegExp): Promise<void> {
  return eventually(() =>
    demand(pattern.test(replica.output()), `it does not say ${pattern}: ${replica.output()}`),
  );
}
