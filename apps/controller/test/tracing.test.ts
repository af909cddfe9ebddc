import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually, startController } from "./controller-process.ts";
import { cloudwrightProgram } from "./program.ts";
import { ServingCommands } from "./sandbox-cluster.ts";

const commands = new ServingCommands();
const bodies: string[] = [];
const collector = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  bodies.push(Buffer.concat(chunks).toString());
  response.end("{}");
});
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "cloudwright-tracing-"));
  await new Promise<void>((done) => collector.listen(0, "127.0.0.1", done));
});

afterAll(async () => {
  await commands.end();
  collector.closeAllConnections();
  collector.close();
  rmSync(folder, { recursive: true, force: true });
}, 180_000);

it("sends the trace of a node's initialisation to the collector, at the latest when it ends", async () => {
  const [cloud, cluster] = await Promise.all([commands.cloud(folder), commands.cluster(folder)]);
  const { token } = cloud;
  await commands.send("POST", {
    url: `${cloud.endpoint}/v1/instances`,
    token,
    body: { name: "w-1" },
  });
  const nodes = `${cluster.server}/api/v1/nodes`;
  const taints = [{ key: "node.cloudprovider.kubernetes.io/uninitialized", effect: "NoSchedule" }];
  const body = { metadata: { name: "w-1" }, spec: { taints } };
  await commands.send("POST", { url: nodes, token: cluster.token, body });
  const controller = await startController([
    ...["--cloud-provider=sandbox", `--cloud-config=${join(folder, "cloud.yaml")}`],
    ...[`--kubeconfig=${join(folder, "kubeconfig")}`, `--spool-dir=${join(folder, "spool")}`],
    "--configure-cloud-routes=false",
    `--tracing-endpoint=http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
  ]);
  try {
    await eventually(
      () => commands.send("GET", { url: `${nodes}/w-1`, token: cluster.token }),
      (node) => JSON.stringify(node).includes("providerID"),
    );
  } finally {
    controller.child.kill("SIGTERM");
    await controller.ended;
  }
  const sent = bodies.join("\n");
  expect(sent).toContain('"cloud-node-controller Node"');
  expect(sent).toContain('"cloudwright.run.id"');
  expect(sent).toMatch(/"PATCH nodes/);
  expect(sent).not.toContain(token);
}, 180_000);

it("loads nothing of OpenTelemetry's SDK unless a collector is given", async () => {
  const dist = join(dirname(await cloudwrightProgram()), "..", "dist");
  const loaded = withStaticImports(dist, [
    "cloudwright.mjs",
    "lease-worker.mjs",
    "ledger-worker.mjs",
  ]);
  const holding = (text: string) =>
    [...loaded].filter((name) => contentOf(dist, name).includes(text));
  expect(holding("BatchSpanProcessor")).toEqual([]);
  expect(holding("tracing-endpoint")).not.toEqual([]);
});

/** Returns the files that are always loaded with these; dynamic imports do not count. */
function withStaticImports(dist: string, names: readonly string[]): ReadonlySet<string> {
  const found = new Set(names);
  for (const name of found) {
    for (const [, imported = ""] of contentOf(dist, name).matchAll(
      /(?:from|import)"\.\/([^"]+\.mjs)"/g,
    )) {
      found.add(imported);
    }
  }
  return found;
}

function contentOf(dist: string, name: string): string {
  return readFileSync(join(dist, name), "utf8");
}
