import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, fetch } from "undici";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { eventually, startController } from "./controller-process.ts";
import { type ServedCluster, ServingCommands } from "./sandbox-cluster.ts";

/** During a wave its Events wait, so that nearly all of them are pending at its end. */
const NODES = 150;
const TAINT = "node.cloudprovider.kubernetes.io/uninitialized";

const commands = new ServingCommands();
const insecure = new Agent({ connect: { rejectUnauthorized: false } });
let folder: string;
let cluster: ServedCluster;
let waves = 0;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "cloudwright-owed-"));
  const [cloud, served] = await Promise.all([
    commands.serve<{ endpoint: string; token: string }>([
      ...["sandbox", "cloud", "--listen", "127.0.0.1:0", "--state", join(folder, "cloud")],
    ]),
    commands.cluster(folder),
  ]);
  cluster = served;
  writeFileSync(
    join(folder, "cloud.yaml"),
    `endpoint: ${cloud.endpoint}\ntoken: ${cloud.token}\nclusterId: 6f3c2a10-0000-4000-8000-000000000002\n`,
  );
  const all = Array.from({ length: 2 * NODES }, (_, index) => `wave-${index}`);
  await Promise.all(
    all.map((name) =>
      commands.send("POST", {
        url: `${cloud.endpoint}/v1/instances`,
        token: cloud.token,
        body: { name },
      }),
    ),
  );
}, 120_000);

afterAll(async () => {
  await insecure.close();
  await commands.end();
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

beforeEach(() => refuseEvents([]));

describe("a process that is stopped right after a wave", () => {
  it("sends the Event of each node before it ends", async () => {
    const { names, log } = await stoppedAfterWave();
    const synced = await syncedNodes();
    expect(names.filter((name) => !synced.has(name))).toEqual([]);
    expect(log).not.toContain("Event not sent");
  }, 90_000);

  it("logs the Events that the API server does not accept", async () => {
    await refuseEvents([{ verb: "create", path: "/api/v1/namespaces/*/events", status: 503 }]);
    const { names, log } = await stoppedAfterWave();
    const synced = await syncedNodes();
    const logged = new Set(
      [...log.matchAll(/Event not sent object=Node\/(\S+) type=Normal reason=Synced/g)].map(
        ([, name]) => name,
      ),
    );
    expect(names.filter((name) => !synced.has(name) && !logged.has(name))).toEqual([]);
    expect(logged.size).toBeGreaterThan(0);
  }, 90_000);
});

/** Registers these nodes, and ends the controller as soon as the last one is initialised. */
async function stoppedAfterWave() {
  const first = NODES * waves++;
  const names = Array.from({ length: NODES }, (_, index) => `wave-${first + index}`);
  const controller = await startController([
    ...[`--kubeconfig=${join(folder, "kubeconfig")}`, "--cloud-provider=sandbox"],
    ...[`--cloud-config=${join(folder, "cloud.yaml")}`, "--configure-cloud-routes=false"],
    `--spool-dir=${join(folder, "spool")}`,
  ]);
  await eventually(
    () => controller.get("/readyz"),
    ({ status }) => status === 200,
  );
  await Promise.all(names.map(register));
  await eventually(initialised, (done) => names.every((name) => done.has(name)));
  controller.child.kill("SIGTERM");
  expect(await controller.ended).toBe(0);
  return { names, log: controller.log() };
}

async function register(name: string): Promise<void> {
  await commands.send("POST", {
    url: `${cluster.server}/api/v1/nodes`,
    token: cluster.token,
    body: {
      ...{ apiVersion: "v1", kind: "Node", metadata: { name } },
      spec: { taints: [{ key: TAINT, value: "true", effect: "NoSchedule" }] },
    },
  });
}

interface Listed {
  readonly items: readonly {
    readonly metadata: { readonly name: string };
    readonly spec?: { readonly taints?: readonly { readonly key: string }[] };
    readonly reason?: string;
    readonly involvedObject?: { readonly name: string };
  }[];
}

async function list(path: string): Promise<Listed["items"]> {
  const { server, token } = cluster;
  return ((await commands.send("GET", { url: `${server}${path}`, token })) as Listed).items;
}

async function initialised(): Promise<ReadonlySet<string>> {
  const nodes = await list("/api/v1/nodes");
  const done = nodes.filter(({ spec }) => !spec?.taints?.some(({ key }) => key === TAINT));
  return new Set(done.map(({ metadata }) => metadata.name));
}

async function syncedNodes(): Promise<ReadonlySet<string | undefined>> {
  const events = await list("/api/v1/namespaces/default/events");
  return new Set(
    events.flatMap(({ reason, involvedObject }) =>
      reason === "Synced" ? [involvedObject?.name] : [],
    ),
  );
}

async function refuseEvents(rules: readonly object[]): Promise<void> {
  const base = cluster.admin.replace(/\/admin\/?$/, "");
  const answer = await fetch(`${base}/admin/faults`, {
    method: "PUT",
    dispatcher: insecure,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ rules }),
  });
  expect(answer.ok).toBe(true);
}
