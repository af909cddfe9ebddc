import { always, demand, eventually, same } from "../../harness/wait.ts";
import {
  createInstance,
  createNode,
  initialised,
  internal,
  keepsTaint,
  nodeStays,
} from "../environment/objects.ts";
import { Skip } from "../environment/scenario.ts";
import type { Replica, Stage } from "../environment/stage.ts";
import { createMember, createService, finalizersOf, seenService } from "../service/objects.ts";

export const SYSTEM = { namespace: "kube-system" };
/** Else the controllers of other rows would work on a row's Service. */
export const NODES_ALONE = { "--controllers": "*,-service" };
export const SERVICES_ALONE = { "--controllers": "service" };
export const NOBODY = { "--controllers": "-service" };
export const SHORT_MS = 3_000;

/** Answers its machine's id. */
export async function nodeComes(stage: Stage): Promise<string> {
  const { id } = await createInstance(stage, stage.name, { addresses: [addressOf(stage)] });
  await createNode(stage, stage.name);
  await initialised(stage, stage.name);
  return id;
}

export async function nodeWaits(stage: Stage): Promise<void> {
  await createInstance(stage, stage.name, { addresses: [addressOf(stage)] });
  await createNode(stage, stage.name);
  await nodeStays(stage, stage.name, { check: keepsTaint, forMs: SHORT_MS });
}

function addressOf({ name }: Stage) {
  return internal(`10.240.${Number(name.slice(2))}.1`);
}

export async function serviceWaits(stage: Stage): Promise<void> {
  await createMember(stage, stage.name);
  await createService(stage, stage.name);
  await eventually(() => void seenService(stage, stage.name), { on: stage.services });
  await always(() => same(finalizersOf(seenService(stage, stage.name)), [], "the finalizers"), {
    forMs: SHORT_MS,
  });
}

interface Refused {
  readonly verb: string;
  readonly path: string;
}

/** What the row's controller asks and may not: H-26 has none of that. */
export async function isRefused(stage: Stage, { verb, path }: Refused): Promise<void> {
  await eventually(async () => {
    const seen = await stage.cluster.requestsOf(stage.name);
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
