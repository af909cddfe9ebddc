import { randomUUID } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { request } from "undici";
import { Cloud, type CloudReady } from "../harness/cloud.ts";
import { Kube, type KubeEvent, type Node, View } from "../harness/kube.ts";
import {
  cloudwright,
  cloudwrightServing,
  runCloudwright,
  type Started,
} from "../harness/processes.ts";
import { demand, eventually } from "../harness/wait.ts";
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
  const cloudProcess = await cloudwrightServing<CloudReady>(
    ["sandbox", "cloud", "--listen", "127.0.0.1:0", "--state", join(dir, "cloud.state")],
    { log: join(dir, "cloud.log") },
  );
  const cloud = new Cloud(cloudProcess.ready);
  const config = join(dir, "cloud.yaml");
  writeFileSync(config, cloudConfig(cloudProcess.ready), { mode: 0o600 });
  const nodes = await View.open<Node>(kube, "/api/v1/nodes");
  const events = await View.open<KubeEvent>(kube, "/api/v1/namespaces/default/events");
  const securePort = await freePort();
  const ledger = group.ledger === true ? databaseUrl : undefined;
  const base = [
    "controller",
    "--cloud-provider=sandbox",
    `--cloud-config=${config}`,
    `--kubeconfig=${cluster.kubeconfig}`,
  ];
  const controller =
    group.ownControllers === true
      ? idle()
      : await startController({ base, group, dir, securePort, ledger });
  const world: World = {
    cluster,
    kube,
    cloud,
    nodes,
    events,
    controller,
    securePort,
    history: async (args) =>
      JSON.parse(
        await runCloudwright([
          "history",
          "--database-url",
          ledger ?? "",
          "--output",
          "json",
          ...args,
        ]),
      ) as Record<string, unknown>[],
    startsAndEnds: async (flags) => {
      const started = cloudwright([...base, ...flags]);
      const code = await started.ended;
      return { code, output: started.output() };
    },
  };
  return { world, close: () => closeWorld(world, cloudProcess) };
}

interface ControllerOptions {
  readonly base: readonly string[];
  readonly group: Group;
  readonly dir: string;
  readonly securePort: number;
  readonly ledger: string | undefined;
}

async function startController({
  base,
  group,
  dir,
  securePort,
  ledger,
}: ControllerOptions): Promise<Started> {
  const flags = { ...DEFAULT_FLAGS, ...group.flags };
  const args = [
    ...base,
    ...Object.entries(flags).map(([name, value]) => `${name}=${value}`),
    "--bind-address=127.0.0.1",
    `--secure-port=${securePort}`,
    "--authorization-always-allow-paths=/healthz,/readyz,/livez,/metrics",
    `--spool-dir=${join(dir, "spool")}`,
    ...(ledger === undefined ? [] : [`--database-url=${ledger}`]),
  ];
  const started = cloudwright(args, {
    log: join(dir, "controller.log"),
    env: { DATABASE_URL: undefined },
  });
  await eventually(async () => {
    demand(started.child.exitCode === null, `the controller ended: ${started.output()}`);
    demand(
      await isReady(securePort),
      `the controller is not ready: ${started.output().slice(-500)}`,
    );
  });
  return started;
}

async function isReady(port: number): Promise<boolean> {
  const { Agent } = await import("undici");
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
  try {
    const answer = await request(`https://127.0.0.1:${port}/readyz`, { dispatcher });
    await answer.body.dump();
    return answer.statusCode === 200;
  } catch {
    return false;
  } finally {
    await dispatcher.destroy();
  }
}

function cloudConfig({ endpoint, token }: CloudReady): string {
  return `endpoint: ${endpoint}\ntoken: ${token}\nclusterId: ${randomUUID()}\n`;
}

/** Stands where a group starts its controllers itself. */
function idle(): Started {
  const nothing = cloudwright(["--version"]);
  return nothing;
}

async function closeWorld(world: World, cloudProcess: Started): Promise<void> {
  await world.controller.stop();
  await removeNodes(world);
  world.nodes.close();
  world.events.close();
  await Promise.all([world.kube.close(), world.cloud.close(), cloudProcess.stop()]);
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

async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => {
        if (address === null || typeof address === "string") reject(new Error("no port was given"));
        else resolve(address.port);
      });
    });
  });
}
