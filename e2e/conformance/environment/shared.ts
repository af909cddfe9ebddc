import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  argumentsOf,
  cloudConfig,
  type Flags,
  type StartedCloud,
  startCloud,
  startController,
} from "../../harness/controller.ts";
import { Kube, type KubeEvent, type Node, View } from "../../harness/kube.ts";
import { cloudwright } from "../../harness/processes.ts";
import { type CloudRelay, relayTo } from "../../harness/relays/cloud-relay.ts";
import { dropService, SERVICES, type Service } from "../../harness/service.ts";
import type { ClusterUnderTest } from "../clusters/cluster-under-test.ts";
import { prepareWebhook } from "../volume/hosted-webhook.ts";
import { dropVolumes } from "../volume/objects.ts";
import { readHistory } from "./history.ts";
import type { Ending, Group, SharedEnvironment } from "./scenario.ts";
import { DEFAULT_FLAGS } from "./scenario.ts";
import { servingPair } from "./serving-pair.ts";

export interface OpenedEnvironment {
  readonly env: SharedEnvironment;
  close(): Promise<void>;
}

interface Opening {
  readonly group: Group;
  readonly cluster: ClusterUnderTest;
  readonly workDir: string;
  readonly databaseUrl: string | undefined;
}

/** Functions that end the parts of an environment, in the order in which the parts were started. */
type Endings = (() => Promise<unknown>)[];

/** Opens a new cloud and the group's controller on the cluster under test; `close` ends both and removes the rows' objects. */
export async function openShared(opening: Opening): Promise<OpenedEnvironment> {
  const endings: Endings = [];
  const close = async () => {
    for (const end of endings.splice(0).reverse()) await end();
  };
  try {
    return { env: await openParts(opening, endings), close };
  } catch (error) {
    // Anything left open keeps the suite from exiting.
    await close();
    throw error;
  }
}

async function openParts(
  { group, cluster, workDir, databaseUrl }: Opening,
  endings: Endings,
): Promise<SharedEnvironment> {
  const dir = join(workDir, group.name.replaceAll(" ", "-"));
  mkdirSync(dir, { recursive: true });
  const kube = new Kube(cluster.kubeconfig);
  endings.push(() => kube.close());
  const startedCloud = await startCloud(dir);
  endings.push(() => Promise.all([startedCloud.cloud.close(), startedCloud.process.stop()]));
  const nodes = await View.open<Node>(kube, "/api/v1/nodes");
  endings.push(async () => nodes.close());
  const events = await View.open<KubeEvent>(kube, "/api/v1/namespaces/default/events");
  endings.push(async () => events.close());
  const services = await View.open<Service>(kube, SERVICES);
  endings.push(async () => services.close());
  const ledger = group.ledger === true ? databaseUrl : undefined;
  const relayed = group.relayed === true ? await relayedWay(startedCloud, dir) : undefined;
  endings.push(async () => relayed?.relay.close());
  endings.push(() => removeObjects({ kube, nodes, services }));
  const access = {
    kubeconfig: cluster.controllerKubeconfig,
    cloudConfig: relayed?.config ?? startedCloud.config,
  };
  const webhook = group.webhook === true ? await prepareWebhook(dir) : undefined;
  const flags = { ...DEFAULT_FLAGS, ...group.flags, ...webhook?.flags };
  const controller =
    group.ownControllers === true
      ? undefined
      : await startController({ ...access, dir, flags, databaseUrl: ledger });
  endings.push(async () => controller?.stop());
  await webhook?.register(kube);
  endings.push(async () => webhook?.unregister(kube));
  return {
    cluster,
    kube,
    cloud: startedCloud.cloud,
    nodes,
    events,
    services,
    databaseUrl: ledger,
    dir,
    servingPair: await servingPair(dir),
    get controller() {
      if (controller === undefined)
        throw new Error("rows of this group start their own controllers");
      return controller;
    },
    get relay() {
      if (relayed === undefined) throw new Error("this group's way to the cloud is no relay");
      return relayed.relay;
    },
    get securePort() {
      return controller?.securePort ?? 0;
    },
    get webhookPort() {
      return webhook?.port ?? 0;
    },
    history: (args) => readHistory(ledger, args),
    startsAndEnds: (more, words = []) => startsAndEnds({ ...access, flags: more, words }),
  };
}

/** Opens a relay in front of the cloud, with the config for it. */
export async function relayedWay(
  { cloud }: Pick<StartedCloud, "cloud">,
  dir: string,
): Promise<{ readonly relay: CloudRelay; readonly config: string }> {
  const relay = await relayTo(cloud.ready.endpoint);
  const config = join(dir, `cloud-relayed-${new URL(relay.endpoint).port}.yaml`);
  writeFileSync(config, cloudConfig(relay.endpoint, cloud.ready.token), { mode: 0o600 });
  return { relay, config };
}

interface Attempt {
  readonly kubeconfig: string;
  readonly cloudConfig: string;
  readonly flags: Flags;
  readonly words: readonly string[];
}

const MOST_MS = 30_000;

async function startsAndEnds({ kubeconfig, cloudConfig, flags, words }: Attempt): Promise<Ending> {
  const args = argumentsOf({
    "--cloud-provider": "sandbox",
    "--cloud-config": cloudConfig,
    "--kubeconfig": kubeconfig,
    ...flags,
  });
  const started = cloudwright(["controller", ...args, ...words], {
    env: { DATABASE_URL: undefined },
  });
  const timer = setTimeout(() => started.child.kill("SIGKILL"), MOST_MS);
  const code = await started.ended;
  clearTimeout(timer);
  return { code, output: started.output() };
}

type Objects = Pick<SharedEnvironment, "kube" | "nodes" | "services">;

/** Removes the rows' objects, after all controllers have stopped. */
async function removeObjects(objects: Objects): Promise<void> {
  await removeServices(objects);
  await dropVolumes(objects.kube);
  await removeNodes(objects);
}

/** Removes only nodes of the rows: a cluster given by a file may have others. */
async function removeNodes({ kube, nodes }: Objects): Promise<void> {
  const ours = nodes.all().filter((node) => /^[nlhbsrp]-\d\d/.test(node.metadata.name));
  for (let from = 0; from < ours.length; from += 50) {
    const some = ours.slice(from, from + 50);
    await Promise.all(
      some.map((node) => kube.delete(`/api/v1/nodes/${node.metadata.name}`).catch(() => undefined)),
    );
  }
  await kube.delete("/api/v1/namespaces/default/events").catch(() => undefined);
}

/** Removes the rows' Services, including their finalizers, which no controller is left to remove. */
async function removeServices({ kube, services }: Objects): Promise<void> {
  const ours = services.all().filter(({ metadata }) => /^[sbhp]-\d\d/.test(metadata.name));
  for (const { metadata } of ours) await dropService(kube, metadata.name);
}
