import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { serveDatabase } from "../../harness/controller.ts";
import {
  cloudwrightServing,
  PROJECT_ROOT,
  run,
  runCloudwright,
  start,
} from "../../harness/processes.ts";
import { demand, eventually, same } from "../../harness/wait.ts";
import { type IsolatedEnvironment, isolatedRows, type Replica } from "../environment/isolated.ts";
import {
  createInstance,
  createNode,
  gone,
  initialised,
  internal,
  setReady,
} from "../environment/objects.ts";
import { rows, type Scenario } from "../environment/scenario.ts";

/** Without a database, like a controller that has replaced upstream's. */
const ALONE = { "--leader-elect": "false", "--controllers": "*,-service" };
const NO_DATABASE = { DATABASE_URL: undefined };

interface PrintedRun {
  readonly id: string;
  readonly outcome: string;
  readonly plan: { readonly changes: readonly { readonly kind: string }[] };
  readonly calls: readonly { readonly operation: string; readonly system: string }[];
  readonly result: { readonly applied: number };
}

/** Rows P-65 to P-67: what commands report without a dashboard. */
export const REPORTED_BY_COMMANDS: readonly Scenario[] = isolatedRows({
  "P-65 without a database history reads the spool, and prints one run with plan, calls and result":
    async (env) => {
      const replica = await env.start({ flags: ALONE, databaseUrl: "" });
      await joins(env);
      const spool = join(env.dir, "a", "spool");
      const list = ["history", "--spool", spool, "--object", env.name, "--outcome", "changed"];
      const found = await eventually(async () => {
        const runs = JSON.parse(await printed([...list, "--output", "json"])) as PrintedRun[];
        demand(runs.length > 0, "the spool holds no run that changed the node");
        return runs.at(-1)?.id ?? "";
      });
      const one = ["history", "--spool", spool, "--run", found];
      const whole = JSON.parse(await printed([...one, "--output", "json"])) as PrintedRun;
      same(whole.outcome, "changed", "the outcome");
      demand(whole.result.applied === whole.plan.changes.length, "not all was applied");
      for (const system of ["cloud", "kube"])
        demand(
          whole.calls.some((call) => call.system === system),
          `no call to the ${system}`,
        );
      const text = await printed(one);
      for (const part of [
        `Run ${found}`,
        "Plan: ",
        "Calls: ",
        "Result: changed",
        whole.calls[0]?.operation ?? "",
      ])
        demand(text.includes(part), `it does not say "${part}": ${text}`);
      await replica.stop();
      const variables = { ...NO_DATABASE, XDG_STATE_HOME: join(env.dir, "a") };
      mkdirSync(join(env.dir, "a", "cloudwright"));
      cpSync(spool, join(env.dir, "a", "cloudwright", "spool-1"), { recursive: true });
      const words = ["history", "--data", join(env.dir, "nothing"), "--object", env.name];
      const listed = start(process.execPath, [PROGRAM, ...words], { env: variables });
      same(await listed.ended, 0, `the exit code (${listed.output()})`);
      demand(listed.output().includes("No database is named"), "it does not say so");
      demand(listed.output().includes(`Node ${env.name}`), `no run: ${listed.output()}`);
    },
  "P-66 the log says what was written, and at once what the cloud does not know": async (env) => {
    const replica = await env.start({ flags: ALONE });
    const id = await joins(env);
    await createInstance(env, `${env.name}-other`, { addresses: [internal("10.239.66.2")] });
    await says(replica, new RegExp(`Run ended.*Node/${env.name} .*"${env.name}: initialised`));
    const uid = env.nodes.get(env.name)?.metadata.uid ?? "";
    await createNode(env, `${env.name}-unknown`);
    await says(
      replica,
      new RegExp(
        `Run ended.*Node/${env.name}-unknown .*outcome=waiting.*named ${env.name}-unknown`,
      ),
    );
    await env.cloud.remove(id);
    await setReady(env, env.name, "False");
    await gone(env, env.name);
    await says(
      replica,
      new RegExp(`"${env.name}: deleted \\(uid ${uid}, precondition uid and resourceVersion\\)"`),
    );
  },
  "P-67 a dry run logs each difference, and at its end how many there are": async (env) => {
    const flags = { ...ALONE, "--dry-run": "true" };
    const replica = await env.start({ flags });
    await createInstance(env, env.name, { addresses: [internal("10.239.67.1")] });
    await createNode(env, env.name);
    await says(
      replica,
      new RegExp(`Dry run: this would be written.*Node/${env.name} .*uninitialized taint`),
    );
    await replica.stop();
    demand(
      /Dry run ended controller=cloud-node-controller objects=[1-9]/.test(replica.output()),
      `it does not sum up: ${replica.output().slice(-800)}`,
    );
  },
});

const PROGRAM = join(PROJECT_ROOT, "apps/controller/bin/cloudwright.mjs");

/** Rows P-68 and P-69: files that commands find, and those that they ignore. */
export const FILES_OF_COMMANDS: readonly Scenario[] = rows({
  "P-68 migrate finds its migrations in a copy of the program alone, wherever it is started":
    async ({ dir }) => {
      const copy = join(dir, "p-68-copy");
      for (const folder of ["bin", "dist"])
        cpSync(join(PROJECT_ROOT, "apps/controller", folder), join(copy, folder), {
          recursive: true,
        });
      const database = await serveDatabase(join(dir, "p-68"));
      try {
        const words = ["migrate", "--database-url", database.ready.url];
        const said = await run("sh", [
          "-c",
          'cd / && exec "$@"',
          "sh",
          ...[process.execPath, join(copy, "bin/cloudwright.mjs"), ...words],
        ]);
        demand(said.includes("The schema is up to date."), said);
      } finally {
        await database.stop();
      }
    },
  "P-69 the sandbox's database writes nothing beside its folder": async ({ dir }) => {
    const parent = join(dir, "p-69");
    mkdirSync(parent);
    const files = ["log", "log.old", "new", "lock"].map((end) => join(parent, `database.${end}`));
    for (const file of files) writeFileSync(file, "somebody's");
    const words = ["sandbox", "database", "--data", join(parent, "database")];
    const database = await cloudwrightServing<{ url: string }>(words);
    await database.stop();
    for (const file of files) same(readFileSync(file, "utf8"), "somebody's", file);
    demand(existsSync(join(parent, "database/cloudwright-log/postgresql.log")), "there is no log");
  },
});

async function joins(env: IsolatedEnvironment): Promise<string> {
  const address = `10.239.${Number(env.name.slice(2))}.1`;
  const { id } = await createInstance(env, env.name, { addresses: [internal(address)] });
  await createNode(env, env.name);
  await initialised(env, env.name);
  return id;
}

function printed(args: readonly string[]): Promise<string> {
  return runCloudwright(args, { env: NO_DATABASE });
}

function says(replica: Replica, pattern: RegExp): Promise<void> {
  return eventually(() =>
    demand(
      pattern.test(replica.output()),
      `it does not say ${pattern}: ${replica.output().slice(-2_000)}`,
    ),
  );
}
