import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { startDashboard } from "../../harness/dashboard.ts";
import { rowsOf } from "../../harness/database.ts";
import { startPostgreSql } from "../../harness/postgresql.ts";
import { cloudwright, run, runCloudwright } from "../../harness/processes.ts";
import { blocksOf, Shell } from "../../harness/runbook.ts";
import { demand, eventually, same } from "../../harness/wait.ts";
import { testclusterFolder } from "../clusters/testcluster.ts";
import { readHistory } from "../environment/history.ts";
import { type IsolatedEnvironment, isolatedRow } from "../environment/isolated.ts";
import { createInstance, createNode, initialised, internal } from "../environment/objects.ts";
import { type Scenario, Skip } from "../environment/scenario.ts";

const PAGE = "ledger.md";
const NAMESPACE = "conformance-l-42";
const FLAGS = {
  "--controllers": "cloud-node",
  "--leader-elect": "false",
  "--leader-elect-resource-namespace": NAMESPACE,
};

/** Row L-42 follows docs/ledger.md to the letter, except for the namespace of the control record. */
export const BACKUP: Scenario = isolatedRow(
  "L-42",
  "a ledger is backed up and restored as its page says: chains, rights and rows are the same, and controller and dashboard go on with it",
  async (env) => {
    await env.electIn(NAMESPACE);
    const server = await startPostgreSql();
    env.after(() => server.stop());
    const ledger = await server.newDatabase("ledger");
    const restored = await server.newDatabase("restored");
    const shell = await openShell(env, { ledger, restored, programs: server.programs });
    const before = await controllerUrl(shell, ledger);
    const first = await env.start({ name: "before", databaseUrl: before, flags: FLAGS });
    await joins(env, { name: "l-42-kept", ledger });

    for (const block of blocksOf(PAGE, "Backing it up")) await shell.run(block);
    const rights = await rightsIn(ledger);
    await joins(env, { name: "l-42-lost", ledger });
    // Writes a last checkpoint, with entries that are not in the backup.
    await first.stop();

    const [restore = "", removeCheckpoint = ""] = blocksOf(PAGE, "Restoring it");
    const said = await shell.run(restore);
    const heads = readFileSync(join(shell.dir, "ledger.heads"), "utf8");
    same(headsIn(said), headsIn(heads), "the heads of the restored chains");
    demand(headsIn(said).length > 0, `it names no head: ${said}`);
    const found = await rightsIn(restored);
    const other = found.filter((right) => !rights.includes(right));
    same(other, [], "the rights that are others on the restored ledger");
    same(found.length, rights.length, "how many rights there are");

    const verify = [
      ...["audit", "verify", "--database-url", restored],
      ...["--kubeconfig", env.cluster.kubeconfig, "--namespace", NAMESPACE],
    ];
    const beyond = cloudwright(verify);
    same(await beyond.ended, 2, `the exit code while the checkpoint is newer (${beyond.output()})`);
    await shell.run(removeCheckpoint.replace("kube-system", NAMESPACE));
    const roles = readRoles(shell);
    await env.start({ name: "after", databaseUrl: roles.controller, flags: FLAGS });
    await joins(env, { name: "l-42-after", ledger: restored });
    await eventually(() => runCloudwright(verify));
    await shows(env, { web: roles.web, restored });
  },
);

async function openShell(
  env: IsolatedEnvironment,
  given: { readonly ledger: string; readonly restored: string; readonly programs: string },
): Promise<Shell> {
  const folder = testclusterFolder();
  if (folder === undefined) throw new Skip("kubectl is testcluster's, which is not here");
  const kubectl = (await run(join(folder, "build"), [])).trim();
  const dir = join(env.dir, "shell");
  mkdirSync(dir, { recursive: true });
  const variables = {
    LEDGER: given.ledger,
    RESTORED: given.restored,
    KUBECONFIG: env.cluster.kubeconfig,
  };
  return new Shell(dir, { env: variables, programs: [given.programs, kubectl] });
}

/** For the ledger that is lost later. */
async function controllerUrl(shell: Shell, ledger: string): Promise<string> {
  await shell.run(`cloudwright migrate --database-url "${ledger}" --role-urls roles.json`);
  return readRoles(shell).controller;
}

function readRoles({ dir }: Shell) {
  const text = readFileSync(join(dir, "roles.json"), "utf8");
  return JSON.parse(text) as { readonly controller: string; readonly web: string };
}

interface Joining {
  readonly name: string;
  readonly ledger: string;
}

/** Adds a node, and waits until the ledger has its run and the run's audit entry. */
async function joins(env: IsolatedEnvironment, { name, ledger }: Joining): Promise<void> {
  await createInstance(env, name, { addresses: [internal("10.242.0.1")] });
  await createNode(env, name);
  await initialised(env, name, 60_000);
  await eventually(async () => {
    const sql = "SELECT FROM audit_entries WHERE object_name = $1";
    demand((await rowsOf(ledger, sql, [name])).length > 0, `no audit entry names ${name}`);
  });
}

function headsIn(output: string): readonly string[] {
  return [...output.matchAll(/^ +head +(\S+)$/gm)].map(([, head = ""]) => head);
}

/** Returns who has which rights on each table, column and function. */
async function rightsIn(ledger: string): Promise<readonly string[]> {
  const rows = await rowsOf(
    ledger,
    `SELECT relname AS name, array(SELECT unnest(coalesce(relacl, acldefault('r', relowner)))::text ORDER BY 1) AS rights FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
     UNION ALL
     SELECT attrelid::regclass || '.' || attname, array(SELECT unnest(attacl)::text ORDER BY 1) FROM pg_attribute
      WHERE attacl IS NOT NULL AND attrelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace)
     UNION ALL
     SELECT oid::regprocedure::text, array(SELECT unnest(coalesce(proacl, acldefault('f', proowner)))::text ORDER BY 1) FROM pg_proc
      WHERE pronamespace = 'public'::regnamespace
     ORDER BY 1`,
  );
  return rows.map((row) => JSON.stringify(row));
}

/** Checks the dashboard and the command: entries from before the backup and new ones exist; those in between are gone. */
async function shows(
  env: IsolatedEnvironment,
  { web, restored }: { readonly web: string; readonly restored: string },
): Promise<void> {
  const names = ["l-42-kept", "l-42-lost", "l-42-after"];
  const counts = await Promise.all(
    names.map(async (name) => {
      const runs = await readHistory(restored, ["--object", name]);
      return runs.filter(({ reason }) => reason?.code === "Initialised").length;
    }),
  );
  same(counts, [1, 0, 1], `the initialisations of ${names}`);
  const dashboard = await startDashboard(web, env.dir);
  env.after(() => dashboard.stop());
  const session = await dashboard.signIn("viewer");
  const cluster = (await env.kube.get("/api/v1/namespaces/kube-system")).metadata.uid;
  for (const [list, by] of [
    ["runs.list", "started"],
    ["audit.list", "inserted"],
  ] as const) {
    const input = { cluster, filter: {}, limit: 100, sort: { by, descending: true } };
    const found = await dashboard.query<{ rows: readonly object[] }>(session, list, input);
    demand(JSON.stringify(found.rows).includes("l-42-kept"), `${list} does not show l-42-kept`);
  }
}
