import { join } from "node:path";
import { startCloud, startController, startDatabase } from "../harness/controller.ts";
import { Kube, type Node, View } from "../harness/kube.ts";
import { cloudwrightServing } from "../harness/processes.ts";
import { always } from "../harness/wait.ts";
import { allRight, makeInstances, namesOf, registerNodes } from "./fleet.ts";
import { ledgerComplete } from "./ledger.ts";
import type { Fault, Surroundings } from "./main.ts";

/** PostgreSQL stopped for a while: reconciling goes on, the ledger is complete afterwards. */
export const databaseAway: Fault = { name: "database-away", run };

async function run({ dir, kubeconfig, short }: Surroundings): Promise<string> {
  const awayMs = short ? 10_000 : 60_000;
  const kube = new Kube(kubeconfig);
  const nodes = await View.open<Node>(kube, "/api/v1/nodes");
  const { cloud, process: cloudProcess, config } = await startCloud(dir);
  const database = await startDatabase(dir);
  const databaseUrl = database.ready.url;
  const flags = { "--leader-elect": "false", "--configure-cloud-routes": "false" };
  const controller = await startController({
    kubeconfig,
    cloudConfig: config,
    dir,
    flags,
    databaseUrl,
  });
  let back: Awaited<ReturnType<typeof startDatabase>> | undefined;
  try {
    const before = await initialise("before", { cloud, kube, nodes });
    await database.stop();
    const stoppedAt = Date.now();
    const during = await initialise("during", { cloud, kube, nodes });
    await always(() => undefined, { forMs: awayMs - (Date.now() - stoppedAt) });
    back = await restart(dir, databaseUrl);
    const runs = await ledgerComplete(databaseUrl, [...before, ...during]);
    return `${before.length + during.length} nodes right, ${during.length} of them with the database away for ${awayMs / 1_000} s, ${runs} runs in the ledger`;
  } finally {
    nodes.close();
    await controller.stop();
    await Promise.all([
      cloudProcess.stop(),
      back?.stop(),
      database.stop(),
      kube.close(),
      cloud.close(),
    ]);
  }
}

interface Parts {
  readonly cloud: Awaited<ReturnType<typeof startCloud>>["cloud"];
  readonly kube: Kube;
  readonly nodes: View<Node>;
}

async function initialise(prefix: string, { cloud, kube, nodes }: Parts): Promise<string[]> {
  const names = namesOf(prefix, 50);
  const instances = await makeInstances(cloud, names);
  await registerNodes(kube, names);
  await allRight(nodes, instances);
  return names;
}

/** On the same data and the same port, as an operator's database comes back. */
function restart(dir: string, url: string) {
  const port = new URL(url).port;
  return cloudwrightServing<{ url: string }>(
    ["sandbox", "database", "--data", join(dir, "database"), "--port", port],
    { log: join(dir, "database.log") },
  );
}
