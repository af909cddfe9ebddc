import { writeFileSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import { join } from "node:path";
import { cloudConfig, startCloud, startController } from "../harness/controller.ts";
import { Kube, type Node, View } from "../harness/kube.ts";
import { always, demand } from "../harness/wait.ts";
import { allRight, makeInstances, namesOf, registerNodes } from "./fleet.ts";
import type { Fault, Surroundings } from "./main.ts";

/** A cloud that answers nonsense to everything never gets a Node deleted. */
export const hostileCloud: Fault = { name: "hostile-cloud", run };

const ANSWERS: Readonly<Record<string, (response: ServerResponse) => void>> = {
  "401 to everything": (response) => refuse(response, 401, "unauthorized"),
  "403 to everything": (response) => refuse(response, 403, "forbidden"),
  "404 to everything": (response) => refuse(response, 404, "not_found"),
  "500 to everything": (response) => refuse(response, 500, "internal"),
  "an empty list": (response) => reply(response, 200, { items: [] }),
  "no JSON": (response) =>
    response.writeHead(200, { "content-type": "text/html" }).end("<html>it works</html>"),
  "nothing at all": () => undefined,
};

async function run({ dir, kubeconfig, short }: Surroundings): Promise<string> {
  const kube = new Kube(kubeconfig);
  const nodes = await View.open<Node>(kube, "/api/v1/nodes");
  const { cloud, process: cloudProcess, config } = await startCloud(dir);
  const names = namesOf("victim", 20);
  const flags = {
    "--leader-elect": "false",
    "--configure-cloud-routes": "false",
    "--node-monitor-period": "500ms",
  };
  try {
    const instances = await makeInstances(cloud, names);
    const first = await startController({ kubeconfig, cloudConfig: config, dir, flags });
    await registerNodes(kube, names);
    await allRight(nodes, instances);
    await first.stop();
    await Promise.all(names.map((name) => notReady(kube, name)));
    for (const [what, answer] of Object.entries(ANSWERS)) {
      await endure(what, answer, {
        dir,
        kubeconfig,
        flags,
        nodes,
        names,
        forMs: short ? 4_000 : 20_000,
      });
    }
    return `${names.length} nodes kept under ${Object.keys(ANSWERS).length} kinds of answer`;
  } finally {
    nodes.close();
    await Promise.all([cloudProcess.stop(), kube.close(), cloud.close()]);
  }
}

interface Endured {
  readonly dir: string;
  readonly kubeconfig: string;
  readonly flags: Readonly<Record<string, string>>;
  readonly nodes: View<Node>;
  readonly names: readonly string[];
  readonly forMs: number;
}

async function endure(
  what: string,
  answer: (response: ServerResponse) => void,
  world: Endured,
): Promise<void> {
  const server = createServer((_, response) => answer(response));
  const endpoint = await listening(server);
  const path = join(world.dir, "hostile.yaml");
  writeFileSync(path, cloudConfig(endpoint, "any"), { mode: 0o600 });
  const controller = await startController({ ...world, cloudConfig: path });
  try {
    await always(
      () => {
        const lost = world.names.filter((name) => world.nodes.get(name) === undefined);
        demand(lost.length === 0, `${what}: ${lost.join(", ")} was deleted`);
        demand(controller.child.exitCode === null, `${what}: the controller ended`);
      },
      { forMs: world.forMs, on: world.nodes },
    );
  } finally {
    await controller.stop();
    server.closeAllConnections();
    server.close();
  }
}

function listening(server: Server): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      if (address === null || typeof address === "string") reject(new Error("no port was given"));
      else resolve(`http://127.0.0.1:${address.port}`);
    });
  });
}

function refuse(response: ServerResponse, status: number, code: string): void {
  reply(response, status, { error: { code, message: "no", requestId: "hostile" } });
}

function reply(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json", "x-request-id": "hostile" });
  response.end(JSON.stringify(body));
}

async function notReady(kube: Kube, name: string): Promise<void> {
  const now = new Date().toISOString().replace(/\.\d+Z$/, "Z");
  await kube.patch(`/api/v1/nodes/${name}/status`, "strategic", {
    status: {
      conditions: [
        {
          type: "Ready",
          status: "False",
          reason: "Silent",
          message: "",
          lastHeartbeatTime: now,
          lastTransitionTime: now,
        },
      ],
    },
  });
}
