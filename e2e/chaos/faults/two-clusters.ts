import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { sandboxCluster } from "../../conformance/clusters/sandbox.ts";
import { Kube } from "../../harness/kube.ts";
import { allLoadBalancers, CLUSTER_TAG } from "../../harness/load-balancers.ts";
import { always, same } from "../../harness/wait.ts";
import { type Environment, fault, seededRandom } from "../environment.ts";
import { churn } from "../fleets/churn.ts";
import { Fleet, namesOf } from "../fleets/fleet.ts";
import { ServiceFleet } from "../fleets/service-fleet.ts";
import { servicesWhole } from "../ledger.ts";

const FLAGS = { "--cluster-name": "same", "--load-balancer-drift-period": "3s" };

/**
 * Two clusters of the same name, with Services of the same names, share a cloud: neither touches what is the other's, neither
 * while both are churned and a controller dies nor when one of them loses all its Services.
 */
export const twoClusters = fault("two-clusters", async (env) => {
  const { short, random, fleet, cloud } = env;
  const count = short ? 10 : 60;
  await cloud.setFaults({ provisioningMs: 100, latencyMs: 20 });
  const first = await ServiceFleet.open(env);
  env.after(() => first.close());
  const other = await openOther(env);
  const optionsOfOther = { name: "other", kubeconfig: other.kubeconfig, flags: FLAGS };
  await env.start({ flags: FLAGS });
  const victim = await env.start(optionsOfOther);
  await fleet.join(namesOf("member", 3));
  await other.fleet.join(namesOf("other", 3));
  const seed = Math.floor(random() * 2 ** 31);
  const churns = [first, other.services].map((services, index) =>
    churn(services, { prefix: "web", count, dice: seededRandom(seed + index) }),
  );
  const killing = (async () => {
    while (other.services.names.length < count / 2) await wait(20);
    await victim.stop("SIGKILL");
    await env.start(optionsOfOther);
  })();
  await Promise.all([...churns, killing]);
  await Promise.all([first.settled(fleet), other.services.settled(other.fleet)]);
  const untouched = await loadBalancersOf(env, first.cluster);
  const gone = other.services.names;
  for (const name of gone) await other.services.remove(name);
  await other.services.settled(other.fleet);
  // Long enough for both to look for drift and for orphans.
  await always(
    async () => same(await loadBalancersOf(env, first.cluster), untouched, "the first one's"),
    { forMs: 7_000 },
  );
  const { url } = env.database;
  const reported = [await servicesWhole(url, first), await servicesWhole(url, other.services)];
  return `${untouched.length} load balancers stayed while ${gone.length} Services of the other cluster were deleted; ${reported.join(" and ")}`;
});

async function openOther(env: Environment) {
  const dir = join(env.dir, "other-cluster");
  mkdirSync(dir, { recursive: true });
  const cluster = await sandboxCluster(dir);
  env.after(() => cluster.close());
  const kube = new Kube(cluster.kubeconfig);
  env.after(() => kube.close());
  const parts = { kube, cloud: env.cloud };
  const fleet = await Fleet.open(parts);
  env.after(() => fleet.close());
  const services = await ServiceFleet.open(parts);
  env.after(() => services.close());
  return { kubeconfig: cluster.kubeconfig, fleet, services };
}

/** Each with all that it is, in order of creation. */
async function loadBalancersOf(
  { cloud }: Environment,
  cluster: string,
): Promise<readonly object[]> {
  return (await allLoadBalancers(cloud)).filter(({ tags }) => tags[CLUSTER_TAG] === cluster);
}
