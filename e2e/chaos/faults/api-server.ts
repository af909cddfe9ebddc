import { setTimeout as wait } from "node:timers/promises";
import { accountToken, EVERYTHING, otherKubeconfig } from "../../conformance/clusters/accounts.ts";
import { demand } from "../../harness/wait.ts";
import { type Environment, fault } from "../environment.ts";
import { namesOf, someOf } from "../fleets/fleet.ts";
import { comeAndGo } from "../fleets/rounds.ts";

/** All connections to the API server are cut every second: watches, and now and then a write whose answer is then lost. */
export const cutWatches = fault("cut-watches", async (env) => {
  const { short, fleet, start } = env;
  const cuts = short ? 15 : 60;
  const { relay, config } = await env.wayToCluster();
  await start({ kubeconfig: config });
  let over = false;
  const cutting = (async () => {
    for (let cut = 0; cut < cuts; cut++) {
      await wait(1_000);
      relay.drop();
    }
  })().finally(() => {
    over = true;
  });
  const came = await comeAndGo(env, () => over);
  await cutting;
  await fleet.settled();
  return `${cuts} cuts, a second apart, while ${came} nodes joined`;
});

/** The API server dies by kill -9 at random moments and comes back with what it had. */
export const restartedApiServer = fault("restarted-api-server", async (env) => {
  const { short, fleet, start } = env;
  const times = short ? 2 : 10;
  const controller = await start();
  let over = false;
  const restarting = restartNowAndThen(env, times).finally(() => {
    over = true;
  });
  const came = await comeAndGo(env, () => over);
  await restarting;
  await fleet.settled();
  if (controller.child.exitCode !== null) throw new Error("the controller ended");
  return `${times} deaths of the API server while ${came} nodes joined`;
});

/** After some nodes more each time. */
async function restartNowAndThen(
  { cluster, fleet, random }: Environment,
  times: number,
): Promise<void> {
  if (cluster.restart === undefined) throw new Error("this API server is not ours to kill");
  for (let done = 0; done < times; done++) {
    const wanted = fleet.everyName.length + 10 + Math.floor(random() * 60);
    while (fleet.everyName.length < wanted) await fleet.nodes.changed(500);
    await cluster.restart();
  }
}

const ACCOUNT = "forgotten-versions";

/** Watches are resumed from a version that the API server has forgotten (410): nothing that happened meanwhile is missed. */
export const forgottenVersions = fault("forgotten-versions", async (env) => {
  const { short, random, dir, kube, cluster, fleet } = env;
  if (cluster.forgetVersions === undefined) throw new Error("this cluster cannot forget versions");
  const rounds = short ? 2 : 10;
  const perRound = short ? 30 : 100;
  const token = await accountToken(kube, ACCOUNT, EVERYTHING);
  const { relay, config } = await env.wayToCluster();
  await env.start({ kubeconfig: otherKubeconfig(config, { dir, name: ACCOUNT, token }) });
  await fleet.join(namesOf("before", perRound));
  await fleet.settled();
  for (let round = 0; round < rounds; round++) {
    const [lost = "", ...deleted] = someOf(fleet.names, 6, random);
    await relay.cut();
    await fleet.join(namesOf(`meanwhile-${round}`, perRound));
    await fleet.deleteNodes(deleted);
    if (round < 5) await fleet.lose([lost]);
    await cluster.forgetVersions();
    const mendedAt = Date.now();
    await relay.mend();
    await fleet.settled();
    const seen = (await cluster.requestsOf(ACCOUNT)) ?? [];
    const lists = seen.filter(({ at, verb, path }) => at >= mendedAt && isListOfNodes(verb, path));
    demand(lists.length > 0, "the nodes were not listed again, so no version was forgotten");
  }
  return `${rounds} times all versions forgotten, ${rounds * perRound} nodes joined unseen`;
});

function isListOfNodes(verb: string, path: string): boolean {
  return verb === "list" && path.startsWith("/api/v1/nodes");
}
