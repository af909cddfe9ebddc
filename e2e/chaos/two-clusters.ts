import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { sandboxCluster } from "../conformance/sandbox-cluster.ts";
import { allBalancers, CLUSTER_TAG } from "../harness/balancers.ts";
import { Kube } from "../harness/kube.ts";
import { always, same } from "../harness/wait.ts";
import { Fleet, namesOf } from "./fleet.ts";
import { onScene, type Scene } from "./scene.ts";
import { ServiceFleet } from "./service-fleet.ts";

const FLAGS = { "--cluster-name": "same", "--load-balancer-drift-period": "3s" };
const OPEN = { port: 80, ranges: [] };
const LIMITED = { port: 443, ranges: ["10.0.0.0/8"] };

/** Two clusters of the same name, with Services of the same names, share a cloud: neither touches what is the other's. */
export const twoClusters = onScene("two-clusters", async (scene) => {
  const { short, fleet } = scene;
  const count = short ? 5 : 30;
  const first = await ServiceFleet.open(scene);
  scene.after(() => first.close());
  const other = await openOther(scene);
  await scene.start({ flags: FLAGS });
  let second = await scene.start({ name: "other", kubeconfig: other.kubeconfig, flags: FLAGS });
  await fleet.join(namesOf("member", 3));
  await other.fleet.join(namesOf("other", 3));
  const names = namesOf("web", count);
  for (const name of names)
    await Promise.all([first.create(name, LIMITED), other.services.create(name, OPEN)]);
  const bothSettled = () =>
    Promise.all([first.settled(fleet), other.services.settled(other.fleet)]);
  await bothSettled();
  const untouched = await balancersOf(scene, first.cluster);

  for (const name of names.slice(0, count / 2)) await other.services.change(name, LIMITED);
  await second.stop("SIGKILL");
  for (const name of names.slice(count / 2)) await other.services.remove(name);
  second = await scene.start({ name: "other", kubeconfig: other.kubeconfig, flags: FLAGS });
  await bothSettled();
  for (const name of other.services.names) await other.services.remove(name);
  await bothSettled();
  // Long enough for both to look for drift and for orphans.
  await always(
    async () => same(await balancersOf(scene, first.cluster), untouched, "the first one's"),
    { forMs: 7_000 },
  );
  await second.stop();
  return `${untouched.length} balancers beside ${count} of the other cluster's`;
});

async function openOther(scene: Scene) {
  const dir = join(scene.dir, "other-cluster");
  mkdirSync(dir, { recursive: true });
  const cluster = await sandboxCluster(dir);
  scene.after(() => cluster.close());
  const kube = new Kube(cluster.kubeconfig);
  scene.after(() => kube.close());
  const parts = { kube, cloud: scene.cloud };
  const fleet = await Fleet.open(parts);
  scene.after(() => fleet.close());
  const services = await ServiceFleet.open(parts);
  scene.after(() => services.close());
  return { kubeconfig: cluster.kubeconfig, fleet, services };
}

/** Each with all that it is, in order of creation. */
async function balancersOf({ cloud }: Scene, cluster: string): Promise<readonly object[]> {
  return (await allBalancers(cloud)).filter(({ tags }) => tags[CLUSTER_TAG] === cluster);
}
