import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type StartedCloud, startCloud, startController } from "../harness/controller.ts";
import { Kube, type KubeEvent, type Node, View } from "../harness/kube.ts";
import { cloudwright, runCloudwright, type Started } from "../harness/processes.ts";
import type { ClusterUnderTest } from "./cluster-under-test.ts";
import { DEFAULT_FLAGS } from "./groups.ts";
import type { Group, World } from "./scenario.ts";

export interface OpenedWorld {
  readonly world: World;
  close(): Promise<void>;
}

interface Opening {
  readonly group: Group;
  readonly cluster: ClusterUnderTest;
  readonly workDir: string;
  readonly databaseUrl: string | undefined;
}

/** A fresh cloud and the group's controller on the cluster under test; `close` ends both and removes the nodes. */
export async function openWorld({
  group,
  cluster,
  workDir,
  databaseUrl,
}: Opening): Promise<OpenedWorld> {
  const dir = join(workDir, group.name.replaceAll(" ", "-"));
  mkdirSync(dir, { recursive: true });
  const kube = new Kube(cluster.kubeconfig);
  const startedCloud = await startCloud(dir);
  const nodes = await View.open<Node>(kube, "/api/v1/nodes");
  const events = await View.open<KubeEvent>(kube, "/api/v1/namespaces/default/events");
  const ledger = group.ledger === true ? databaseUrl : undefined;
  const access = { kubeconfig: cluster.kubeconfig, cloudConfig: startedCloud.config };
  const flags = { ...DEFAULT_FLAGS, ...group.flags };
  const controller =
    group.ownControllers === true
      ? undefined
      : await startController({ ...access, dir, flags, databaseUrl: ledger });
  const world: World = {
    cluster,
    kube,
    cloud: startedCloud.cloud,
    nodes,
    events,
    get controller() {
      if (controller === undefined)
        throw new Error("rows of this group start their own controllers");
      return controller;
    },
    get securePort() {
      return controller?.securePort ?? 0;
    },
    history: (args) => readHistory(ledger, args),
    startsAndEnds: (flagsAlone) => startsAndEnds(access, flagsAlone),
  };
  return { world, close: () => closeWorld(world, startedCloud, controller) };
}

async function readHistory(databaseUrl: string | undefined, args: readonly string[]) {
  if (databaseUrl === undefined) throw new Error("this group keeps no ledger");
  const text = await runCloudwright([
    "history",
    "--database-url",
    databaseUrl,
    "--output",
    "json",
    ...args,
  ]);
  return JSON.parse(text) as Record<string, unknown>[];
}

async function startsAndEnds(
  access: { kubeconfig: string; cloudConfig: string },
  flags: readonly string[],
) {
  const started = cloudwright([
    "controller",
    "--cloud-provider=sandbox",
    `--cloud-config=${access.cloudConfig}`,
    `--kubeconfig=${access.kubeconfig}`,
    ...flags,
  ]);
  const code = await started.ended;
  return { code, output: started.output() };
}

async function closeWorld(
  world: World,
  startedCloud: StartedCloud,
  controller: Started | undefined,
): Promise<void> {
  await controller?.stop();
  await removeNodes(world);
  world.nodes.close();
  world.events.close();
  await Promise.all([world.kube.close(), world.cloud.close(), startedCloud.process.stop()]);
}

/** Only those of the rows: a cluster named by a file may hold other nodes. */
async function removeNodes({ kube, nodes }: World): Promise<void> {
  const ours = nodes.all().filter((node) => /^[nl]-\d\d/.test(node.metadata.name));
  for (let from = 0; from < ours.length; from += 50) {
    const some = ours.slice(from, from + 50);
    await Promise.all(
      some.map((node) => kube.delete(`/api/v1/nodes/${node.metadata.name}`).catch(() => undefined)),
    );
  }
  await kube.delete("/api/v1/namespaces/default/events").catch(() => undefined);
}
