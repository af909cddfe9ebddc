import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { z } from "zod";
import { ApiClient } from "./testing/api-client.ts";

const readySchema = z.object({
  type: z.literal("ready"),
  server: z.string(),
  kubeconfig: z.string(),
  admin: z.string(),
});
const kubeconfigSchema = z.object({
  clusters: z.tuple([
    z.object({ cluster: z.object({ "certificate-authority-data": z.string() }) }),
  ]),
  users: z.tuple([z.object({ user: z.object({ token: z.string() }) })]),
});

let folder: string;
let child: ChildProcess;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cluster-command-"));
});
afterEach(() => {
  if (child.exitCode === null) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

it("keeps what it confirmed when it is killed, and ends when its parent does", async () => {
  const created = await withCluster((client) =>
    client.json("POST", "/api/v1/nodes", { body: { metadata: { name: "n1" } } }),
  );
  child.kill("SIGKILL");
  await once(child, "exit");
  const kept = await withCluster((client) => client.json("GET", "/api/v1/nodes/n1"));
  expect(kept).toEqual(created);
  child.disconnect();
  expect(await once(child, "exit")).toEqual([0, null]);
});

async function withCluster<T>(act: (client: ApiClient) => Promise<T>): Promise<T> {
  const script = join(import.meta.dirname, "testing", "cluster-process.ts");
  child = spawn(process.execPath, ["--import", "tsx", script, folder], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const [message] = await once(child, "message");
  const { server, kubeconfig } = readySchema.parse(message);
  const config = kubeconfigSchema.parse(JSON.parse(readFileSync(kubeconfig, "utf8")));
  const encoded = config.clusters[0].cluster["certificate-authority-data"];
  const ca = Buffer.from(encoded, "base64").toString("utf8");
  const client = new ApiClient({ server, ca, token: config.users[0].user.token });
  const result = await act(client);
  await client.close();
  return result;
}
