import { accountToken, EVERYTHING, otherKubeconfig } from "../conformance/clusters/accounts.ts";
import { demand } from "../harness/wait.ts";
import { fault } from "./environment.ts";
import { namesOf, someOf } from "./fleets/fleet.ts";

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
