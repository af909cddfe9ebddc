import { startCloud, startController, startDatabase } from "../harness/controller.ts";
import { Kube, type Node, View } from "../harness/kube.ts";
import { allRight, makeInstances, namesOf, registerNodes } from "./fleet.ts";
import { ledgerComplete } from "./ledger.ts";
import type { Fault, Surroundings } from "./main.ts";

const FLAGS = { "--leader-elect": "false", "--configure-cloud-routes": "false" };

/** kill -9 at random moments of initialising 200 nodes: every node right, no run lost or doubled. */
export const killedController: Fault = { name: "killed-controller", run };

async function run({ dir, kubeconfig, random, short }: Surroundings): Promise<string> {
  const rounds = short ? 2 : 5;
  const perRound = short ? 60 : 200;
  const kube = new Kube(kubeconfig);
  const nodes = await View.open<Node>(kube, "/api/v1/nodes");
  const { cloud, process: cloudProcess, config } = await startCloud(dir);
  const database = await startDatabase(dir);
  const options = {
    kubeconfig,
    cloudConfig: config,
    dir,
    flags: FLAGS,
    databaseUrl: database.ready.url,
  };
  await cloud.fault({ method: "GET", path: "/v1/instances*", latencyMs: 20 });
  const all: string[] = [];
  let kills = 0;
  try {
    for (let round = 0; round < rounds; round++) {
      const names = namesOf(`killed-${round}`, perRound);
      const instances = await makeInstances(cloud, names);
      const victim = await startController(options);
      const registered = registerNodes(kube, names);
      const dead = killWhen(victim, nodes, { names, done: Math.floor(random() * perRound) });
      await Promise.all([registered, dead]);
      kills += 1;
      const successor = await startController(options);
      await allRight(nodes, instances);
      await successor.stop();
      all.push(...names);
    }
    const runs = await ledgerCompleteAfterDrain(options, all);
    return `${kills} kills, ${all.length} nodes right, ${runs} runs in the ledger`;
  } finally {
    nodes.close();
    await Promise.all([cloudProcess.stop(), database.stop(), kube.close(), cloud.close()]);
  }
}

interface Moment {
  readonly names: readonly string[];
  /** Kill once so many of the names have lost the taint. */
  readonly done: number;
}

async function killWhen(
  victim: Awaited<ReturnType<typeof startController>>,
  nodes: View<Node>,
  { names, done }: Moment,
): Promise<void> {
  const untainted = () =>
    names.filter((name) => {
      const node = nodes.get(name);
      return (
        node !== undefined &&
        !(node.spec.taints ?? []).some(({ key }) => key.endsWith("/uninitialized"))
      );
    }).length;
  while (untainted() < done) await nodes.changed(1_000);
  await victim.stop("SIGKILL");
}

/** The last spool is drained by a controller that runs: one more start brings its end into the database. */
async function ledgerCompleteAfterDrain(
  options: Parameters<typeof startController>[0] & { databaseUrl: string },
  names: readonly string[],
): Promise<number> {
  const drain = await startController(options);
  try {
    return await ledgerComplete(options.databaseUrl, names);
  } finally {
    await drain.stop();
  }
}
