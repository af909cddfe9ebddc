import { writeFileSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import { join } from "node:path";
import { cloudConfig, hasEnded } from "../harness/controller.ts";
import { always, demand } from "../harness/wait.ts";
import { namesOf } from "./fleet.ts";
import { onScene, type Scene } from "./scene.ts";

/** A cloud that answers nonsense to everything never gets a Node deleted. */
export const hostileCloud = onScene("hostile-cloud", async (scene) => {
  const { fleet, start } = scene;
  const first = await start();
  await fleet.join(namesOf("victim", 20));
  await fleet.settled();
  await first.stop();
  for (const name of fleet.names) await fleet.fallSilent(name);
  for (const [what, answer] of Object.entries(ANSWERS)) await endure(scene, what, answer);
  await start();
  return `${Object.keys(ANSWERS).length} kinds of answer`;
});

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

async function endure(
  { fleet, start, ...scene }: Scene,
  what: string,
  answer: (response: ServerResponse) => void,
): Promise<void> {
  const server = createServer((_, response) => answer(response));
  const config = join(scene.dir, "hostile.yaml");
  writeFileSync(config, cloudConfig(await listening(server), "any"), { mode: 0o600 });
  const controller = await start({ cloudConfig: config });
  try {
    await always(
      () => {
        const lost = fleet.names.filter((name) => fleet.nodes.get(name) === undefined);
        demand(lost.length === 0, `${what}: ${lost.join(", ")} was deleted`);
        demand(!hasEnded(controller), `${what}: the controller ended`);
      },
      { forMs: scene.short ? 3_000 : 20_000, on: fleet.nodes },
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
