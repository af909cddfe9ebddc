import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually, startController } from "./controller-process.ts";
import { ServingCommands } from "./sandbox-cluster.ts";

const PAGE = new URL("../../../docs/metrics.md", import.meta.url);
const commands = new ServingCommands();
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "cloudwright-metrics-"));
});

afterAll(async () => {
  await commands.end();
  rmSync(folder, { recursive: true, force: true });
}, 180_000);

it("a leader exposes only metrics that docs/metrics.md lists", async () => {
  await Promise.all([commands.cloud(folder), commands.cluster(folder)]);
  const controller = await startController([
    ...["--cloud-provider=sandbox", `--cloud-config=${join(folder, "cloud.yaml")}`],
    ...[`--kubeconfig=${join(folder, "kubeconfig")}`, "--controllers=*"],
    ...["--cluster-cidr=10.244.0.0/16", "--allocate-node-cidrs=true"],
    "--authorization-always-allow-paths=/metrics,/metrics/slis",
  ]);
  try {
    const { body } = await eventually(
      () => controller.get("/metrics"),
      ({ body: text }) => text.includes("cloudwright_route_table_routes{"),
    );
    const slis = await controller.get("/metrics/slis");
    const shown = [...`${body}\n${slis.body}`.matchAll(/^# TYPE (\S+) (\S+)$/gm)];
    const page = readFileSync(PAGE, "utf8");
    const unknown = shown.filter(
      ([, name = "", type = ""]) =>
        !/^(process|nodejs)_/.test(name) && !page.includes(`| \`${name}\` | ${type} |`),
    );
    expect(unknown.map(([line]) => line)).toEqual([]);
    expect(shown.length).toBeGreaterThan(50);
  } finally {
    controller.child.kill("SIGTERM");
    await controller.ended;
  }
}, 180_000);
