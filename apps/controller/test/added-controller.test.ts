import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Intent, isFinal, isReadable } from "@cloudwright/core/model/actions/intent";
import { connect, type Database } from "@cloudwright/store/database/database";
import { intentsByIds } from "@cloudwright/store/intents/intents";
import { type IntentRequest, requestIntent } from "@cloudwright/store/intents/request-intent";
import { objectView } from "@cloudwright/store/queries/objects/object-view";
import { controllerActivity } from "@cloudwright/store/queries/overview/controllers";
import { Agent, fetch } from "undici";
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually, freePort } from "./controller-process.ts";
import { type ServedCluster, ServingCommands } from "./sandbox-cluster.ts";

/**
 * What adding a controller takes (DESIGN.md "Said once"): the folder `added-controller` and one entry in the list of modules. The
 * program is bundled with that entry, and everything else is tested from outside.
 */
const NAME = "namespace-label-controller";
const TEAM = "example.com/team";
const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const MODULE = fileURLToPath(new URL("./added-controller/module.ts", import.meta.url));
const BUNDLER = new URL("../../../scripts/setup/bundle-controller.mjs", import.meta.url).href;
const FOLDER = `apps/controller/dist/added-controller-${process.pid}`;
const PROGRAM = join(ROOT, FOLDER, "cloudwright.mjs");

const commands = new ServingCommands();
const insecure = new Agent({ connect: { rejectUnauthorized: false } });
let folder: string;
let cluster: ServedCluster;
let database: { readonly url: string };
let ledger: Database;
let controller: ChildProcess;
let log = "";
let port: number;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "cloudwright-added-"));
  const [cloud] = await Promise.all([
    commands.serve<{ endpoint: string; token: string }>([
      ...["sandbox", "cloud", "--listen", "127.0.0.1:0", "--state", join(folder, "cloud")],
    ]),
    commands.cluster(folder).then((served) => {
      cluster = served;
    }),
    commands
      .serve<typeof database>(["sandbox", "database", "--data", join(folder, "db")])
      .then((served) => {
        database = served;
      }),
    bundleWithOneEntryMore(),
  ]);
  writeFileSync(
    join(folder, "cloud.yaml"),
    `endpoint: ${cloud.endpoint}\ntoken: ${cloud.token}\nclusterId: 6f3c2a10-0000-4000-8000-000000000001\n`,
  );
  run("migrate", `--database-url=${database.url}`);
  ledger = connect(database.url);
  port = await freePort();
}, 120_000);

afterAll(async () => {
  const ended = new Promise((done) => controller?.once("close", done));
  controller?.kill("SIGTERM");
  if (controller !== undefined) await ended;
  await ledger?.close();
  await insecure.close();
  await commands.end();
  rmSync(folder, { recursive: true, force: true });
  rmSync(join(ROOT, FOLDER), { recursive: true, force: true });
}, 60_000);

it("is named in the help of --controllers, and has its role in the manifests", () => {
  expect(run("controller", "--help").stdout).toContain(NAME);
  const roles = run("permissions").stdout;
  expect(roles).toMatch(/resources: \["?namespaces"?\]|- namespaces/);
  expect(roles).toContain("namespace-label");
});

it("plans before it runs, and has a preview without writes", async () => {
  await createNamespace("planned", "red");
  const { status, stdout, stderr } = run("plan", ...flags(), "--only=namespace/planned");
  expect(stdout, stderr).toContain(`Namespace planned (${NAME})`);
  expect(stdout).toContain("1 change");
  expect(status).toBe(2);
  expect(await teamOf("planned")).toBeUndefined();
});

it("runs: its queue is fed, its writes are made, recorded and counted", async () => {
  start();
  await eventually(
    () => teamOf("planned"),
    (team) => team === "red",
  );
  await createNamespace("later", "blue");
  await eventually(
    () => teamOf("later"),
    (team) => team === "blue",
  );
  const [recorded] = await eventually(
    () => history("later"),
    (runs) => runs.some(({ outcome }) => outcome === "changed"),
  );
  expect(recorded).toMatchObject({
    controller: NAME,
    object: { kind: "Namespace", name: "later" },
  });
  const metrics = await ask("/metrics");
  expect(metrics).toMatch(/^namespace_label_writes_total 2$/m);
  expect(metrics).toMatch(/workqueue_adds_total\{[^}]*name="[^"]*[Nn]amespace/);
  expect(await ask("/healthz?verbose")).toContain(NAME);
});

it("is retried while the API server refuses its writes", async () => {
  await createNamespace("refused", "not a label!");
  const runs = await eventually(
    () => history("refused"),
    (found) => found.filter(({ outcome }) => outcome === "failed").length >= 2,
  );
  expect(runs.map(({ attempt }) => attempt)).toContain(2);
});

it("writes nothing to held objects, and continues when they are released", async () => {
  await createNamespace("held", "green", { "cloudwright.io/hold": "not now" });
  await eventually(
    () => states(),
    (rows) => rows.some(({ name, state }) => name === "held" && state === "held"),
  );
  expect(await teamOf("held")).toBeUndefined();
  await commands.send("PATCH", {
    ...target("held"),
    body: { metadata: { annotations: { "cloudwright.io/hold": null } } },
  });
  await eventually(
    () => teamOf("held"),
    (team) => team === "green",
  );
});

it("carries out the actions that its module declares, and refuses others", async () => {
  await createNamespace("paused", "red");
  await eventually(
    () => states(),
    (rows) => rows.some(({ name }) => name === "paused"),
  );
  const hold = { kind: "hold", until: Date.now() + 3_600_000 } as const;
  const { preview } = await carriedOut("paused", { kind: "preview", action: hold });
  expect(preview?.changes).toMatchObject([{ kind: "namespace.annotations.write" }]);
  const planHash = preview?.planHash;
  const held = await carriedOut("paused", { kind: "hold", action: hold, planHash });
  expect(held).toMatchObject({ state: "verified" });
  expect((await namespaceOf("paused")).metadata.annotations).toHaveProperty("cloudwright.io/hold");
  const override = { ...hold, kind: "override" } as const;
  expect(await carriedOut("paused", { kind: "preview", action: override })).toMatchObject({
    state: "rejected",
    result: "The action override does not apply to a Namespace; choose another action.",
  });
});

it("has its row on the page of controllers, and its objects have their states", async () => {
  const { rows } = await ledger.pool.query<{ id: string }>("SELECT id FROM clusters");
  const activity = await eventually(
    () => controllerActivity(ledger.pool, { cluster: rows[0]?.id ?? "", now: Date.now() }),
    (found) => found.some(({ controller: name, runs }) => name === NAME && runs > 0),
  );
  expect(activity.find(({ controller: name }) => name === NAME)?.runs).toBeGreaterThanOrEqual(3);
  expect(await states()).toContainEqual({ kind: "Namespace", name: "later", state: "ok" });
});

it("provides the content of its objects' pages, which the dashboard links by kind and name", async () => {
  const { rows } = await ledger.pool.query<{ id: string }>("SELECT id FROM clusters");
  const key = { cluster: rows[0]?.id ?? "", kind: "Namespace" };
  expect(await objectView(ledger, { ...key, name: "later" })).toMatchObject({
    row: {
      ...{ name: "later", uid: expect.any(String), state: "ok", controller: NAME },
      reason: { code: "Other", name: "NamespaceLabelled", text: "Its team is blue" },
      lastRun: { id: expect.any(String) },
    },
    goneAt: undefined,
    openIntents: [],
  });
  await expect(objectView(ledger, { ...key, name: "never" })).rejects.toThrow(
    "No controller has reported on Namespace never here.",
  );
});

/** Adds the one line that a release would add to the file with the list. */
async function bundleWithOneEntryMore(): Promise<void> {
  const { bundleController } = await import(BUNDLER);
  const list = {
    name: "one-entry-more",
    setup(build: {
      onLoad(
        options: { filter: RegExp },
        load: (file: { path: string }) => { contents: string; loader: string },
      ): void;
    }) {
      build.onLoad({ filter: /core[\\/]src[\\/]controllers[\\/]modules\.ts$/ }, ({ path }) => ({
        contents: `import { namespaceLabelModule } from ${JSON.stringify(MODULE)};
${readFileSync(path, "utf8").replace("\n] as const;", "\n  namespaceLabelModule,\n] as const;")}`,
        loader: "ts",
      }));
    },
  };
  await bundleController({ folder: FOLDER, plugins: [list] });
}

function flags(): readonly string[] {
  return [
    ...["--cloud-provider=sandbox", `--cloud-config=${join(folder, "cloud.yaml")}`],
    ...[`--kubeconfig=${join(folder, "kubeconfig")}`, `--controllers=${NAME}`],
  ];
}

function start(): void {
  const args = [
    ...["controller", ...flags(), `--secure-port=${port}`, "--bind-address=127.0.0.1"],
    ...["--leader-elect=false", `--spool-dir=${join(folder, "spool")}`],
    `--authorization-always-allow-paths=/metrics,/healthz`,
  ];
  controller = spawn(process.execPath, [PROGRAM, ...args], {
    cwd: ROOT,
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, DATABASE_URL: database.url },
  });
  controller.stderr?.on("data", (chunk: Buffer) => {
    log += chunk.toString();
  });
}

function run(...args: readonly string[]) {
  return spawnSync(process.execPath, [PROGRAM, ...args], {
    cwd: ROOT,
    encoding: "utf8",
    env: { ...process.env, DATABASE_URL: "" },
  });
}

interface RecordedRun {
  readonly controller: string;
  readonly object: { readonly kind: string; readonly name: string };
  readonly outcome: string;
  readonly attempt: number;
}

function history(object: string): Promise<readonly RecordedRun[]> {
  const { stdout, stderr } = run(
    ...["history", "--object", object, "--output=json", `--database-url=${database.url}`],
  );
  if (stdout === "") return Promise.reject(new Error(`${stderr}${log}`));
  return Promise.resolve(JSON.parse(stdout));
}

async function states(): Promise<
  readonly { readonly kind: string; readonly name: string; readonly state: string }[]
> {
  const { rows } = await ledger.pool.query("SELECT kind, name, state FROM all_states");
  return rows;
}

async function ask(path: string): Promise<string> {
  const answer = await fetch(`https://127.0.0.1:${port}${path}`, { dispatcher: insecure });
  return await answer.text();
}

function target(name: string) {
  return { url: `${cluster.server}/api/v1/namespaces/${name}`, token: cluster.token };
}

async function createNamespace(
  name: string,
  team: string,
  annotations: Readonly<Record<string, string>> = {},
): Promise<void> {
  await commands.send("POST", {
    url: `${cluster.server}/api/v1/namespaces`,
    token: cluster.token,
    body: { metadata: { name, annotations: { ...annotations, [TEAM]: team } } },
  });
}

async function teamOf(name: string): Promise<string | undefined> {
  return (await namespaceOf(name)).metadata.labels?.[TEAM];
}

interface Namespace {
  readonly metadata: Partial<Record<"labels" | "annotations", Record<string, string>>>;
}

function namespaceOf(name: string): Promise<Namespace> {
  return commands.send("GET", target(name)) as Promise<Namespace>;
}

/** Requests an action on a namespace as on the dashboard; returns how it ended. */
async function carriedOut(
  name: string,
  asked: Pick<IntentRequest, "kind" | "action" | "planHash">,
): Promise<Intent> {
  const { rows } = await ledger.pool.query<{ cluster: string; uid: string }>(
    "SELECT cluster_id AS cluster, uid FROM all_states WHERE kind = 'Namespace' AND name = $1",
    [name],
  );
  const { cluster: of = "", uid = "" } = rows[0] ?? {};
  const context = { db: ledger, actor: { id: "ada", name: "Ada", role: "admin" } } as const;
  const object = { kind: "Namespace", name, uid };
  const request = { id: randomUUID(), cluster: of, controller: NAME, object, why: "an upgrade" };
  const { id } = await requestIntent(context, { ...request, ...asked });
  const [ended] = await eventually(
    () => intentsByIds(ledger, { cluster: of, ids: [id] }),
    (found) => found.every((intent) => isReadable(intent) && isFinal(intent.state)),
  );
  if (ended === undefined || !isReadable(ended)) throw new Error(`There is no intent ${id}.`);
  return ended;
}
