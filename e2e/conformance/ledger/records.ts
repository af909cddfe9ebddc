import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { startDatabase } from "../../harness/controller.ts";
import { startDashboard } from "../../harness/dashboard.ts";
import { cloudwrightServing } from "../../harness/processes.ts";
import { demand, eventually, same } from "../../harness/wait.ts";
import { readHistory } from "../environment/history.ts";
import { type IsolatedEnvironment, isolatedRows, type Replica } from "../environment/isolated.ts";
import { leaderAmong, leaseOf, startPair } from "../environment/leading.ts";
import {
  createInstance,
  createNode,
  gone,
  hasTaint,
  initialised,
  internal,
  SHUTDOWN_KEY,
  seen,
  setReady,
  untilNode,
} from "../environment/objects.ts";
import { isRecorded } from "../environment/reported.ts";
import type { HistoryRow, Scenario } from "../environment/scenario.ts";

/** The lifecycle controller would delete nodes of other rows' clouds. */
const NODES_ALONE = { "--controllers": "cloud-node" };

/** Rows H-37 to H-39: the ledger while the database is unavailable, across a change of the leader, and for each action. */
export const LEDGER: readonly Scenario[] = isolatedRows({
  "H-37 without its database it works on and says so, and catches up afterwards": async (env) => {
    const dir = join(env.dir, "own-ledger");
    mkdirSync(dir, { recursive: true });
    const database = await startDatabase(dir);
    env.after(() => database.stop());
    const databaseUrl = database.ready.url;
    const replica = await env.start({
      databaseUrl,
      flags: { ...NODES_ALONE, "--leader-elect": "false" },
    });
    await joins(env, "h-37-before");
    await eventually(async () =>
      demand((await health(replica)).includes("database connected"), "it is not connected"),
    );
    await database.stop();
    await joins(env, "h-37-meanwhile");
    await eventually(async () => {
      const reported = await health(replica);
      demand(reported.includes("ledger ok (degraded"), `its health says: ${reported}`);
    });
    same((await replica.ask("/readyz"))?.status, 200, "that it is ready");
    const again = await cloudwrightServing<{ url: string }>(
      ["sandbox", "database", "--data", join(dir, "database")],
      { log: join(dir, "database.log") },
    );
    env.after(() => again.stop());
    same(again.ready.url, databaseUrl, "the database's address");
    for (const name of ["h-37-before", "h-37-meanwhile"]) {
      await eventually(async () => {
        const runs = await readHistory(databaseUrl, ["--object", name]);
        demand(runs.some(isInitialisation), `the ledger does not say how ${name} was initialised`);
      });
    }
    await eventually(async () =>
      demand((await health(replica)).includes("database connected"), "it is not connected again"),
    );
  },
  "H-38 a leader that dies in the middle leaves a ledger of both, without gap or double": async (
    env,
  ) => {
    const { leader, standby } = await startPair(env, { flags: NODES_ALONE });
    const first = (await leaseOf(env))?.spec.holderIdentity ?? "";
    const names = Array.from({ length: 20 }, (_, index) => `h-38-${index}`);
    const [early, late] = [names.slice(0, 10), names.slice(10)];
    await Promise.all(early.map((name) => joins(env, name)));
    await untilRecorded(env, early, isInitialisation);
    const lift = await env.cloud.faultOnReads({ status: 500 });
    const joining = Promise.all(late.map((name) => joins(env, name)));
    await untilRecorded(env, late, ({ outcome }) => outcome === "failed");
    await leader.stop("SIGKILL");
    await leaderAmong([standby]);
    await lift();
    await joining;
    const second = (await leaseOf(env))?.spec.holderIdentity ?? "";
    await untilRecorded(env, names, isInitialisation);
    const dashboard = await startDashboard(env.databaseUrl ?? "", env.dir);
    env.after(() => dashboard.stop());
    const session = await dashboard.signIn("viewer");
    const cluster = (await env.kube.get("/api/v1/namespaces/kube-system")).metadata.uid;
    const authors = new Set<string>();
    for (const name of names) {
      const runs = await env.history(["--object", name, "--limit", "1000"]);
      same(new Set(runs.map(({ id }) => id)).size, runs.length, `different runs of ${name}`);
      const changes = runs.filter(isInitialisation);
      same(changes.length, 1, `initialisations of ${name} (${JSON.stringify(runs)})`);
      const input = { cluster, id: changes[0]?.id };
      const run = await dashboard.query<{ instance: string }>(session, "runs.byId", input);
      authors.add(run.instance);
    }
    same([...authors].sort(byText), [first, second].sort(byText), "who made these runs");
  },
  "H-39 each action is a row with object, trigger, decision, calls, result and duration": async (
    env,
  ) => {
    await env.start({ flags: { "--leader-elect": "false" } });
    // A cloud that shows no instances at all is not trusted when it reports a machine as gone.
    await createInstance(env, "h-39-other");
    const steady = await joins(env, "h-39-steady");
    const uid = seen(env, "h-39-steady").metadata.uid;
    const node = "cloud-node-controller";
    const lifecycle = "cloud-node-lifecycle-controller";
    await isRecorded(env, "h-39-steady", {
      controller: node,
      uid,
      outcome: "changed",
      reason: "Initialised",
    });
    await env.cloud.change(steady, { addresses: [internal("10.239.9.9")] });
    await isRecorded(env, "h-39-steady", {
      controller: node,
      uid,
      outcome: "changed",
      reason: "InStep",
    });
    await env.cloud.stop(steady);
    await setReady(env, "h-39-steady", "False");
    await untilNode(env, "h-39-steady", {
      check: (now) => demand(hasTaint(now, SHUTDOWN_KEY), "it has no shutdown taint"),
    });
    await isRecorded(env, "h-39-steady", {
      controller: lifecycle,
      uid,
      outcome: "changed",
      reason: "InstanceStopped",
    });
    await env.cloud.remove(steady);
    await gone(env, "h-39-steady");
    await isRecorded(env, "h-39-steady", {
      controller: lifecycle,
      uid,
      outcome: "changed",
      reason: "InstanceGone",
    });
    const lift = await env.cloud.faultOnReads({ instance: "h-39-ill", status: 500 });
    await createInstance(env, "h-39-ill");
    await createNode(env, "h-39-ill");
    const ill = (await untilNode(env, "h-39-ill", { check: () => undefined })).metadata.uid;
    await isRecorded(env, "h-39-ill", {
      controller: node,
      uid: ill,
      outcome: "failed",
      reason: "ProviderUnavailable",
    });
    await lift();
    await initialised(env, "h-39-ill");
    const runs = await env.history(["--limit", "5000"]);
    same(new Set(runs.map(({ id }) => id)).size, runs.length, "rows of different runs");
    const incomplete = runs.filter((run) => !isComplete(run));
    same(incomplete.slice(0, 3), [], `${incomplete.length} incomplete rows of ${runs.length}`);
  },
});

/** A run in progress has no result yet; one whose process died may never have one. */
function isComplete(run: HistoryRow): boolean {
  const hasEnded = run.outcome !== "running" && run.outcome !== "interrupted";
  return (
    run.object.name !== "" &&
    run.object.uid !== undefined &&
    run.trigger.kind !== "" &&
    (!hasEnded || run.reason !== undefined) &&
    Number.isInteger(run.cloudCalls) &&
    Number.isInteger(run.changes) &&
    (!hasEnded || typeof run.durationMs === "number")
  );
}

function isInitialisation({ outcome, reason }: HistoryRow): boolean {
  return outcome === "changed" && reason?.code === "Initialised";
}

async function untilRecorded(
  env: IsolatedEnvironment,
  names: readonly string[],
  isWanted: (run: HistoryRow) => boolean,
): Promise<void> {
  await eventually(async () => {
    const rows = await env.history(["--object", `${env.name}-*`, "--limit", "2000"]);
    const done = new Set(rows.filter(isWanted).map(({ object }) => object.name));
    const missing = names.filter((name) => !done.has(name));
    same(missing, [], "nodes for which the ledger does not say it yet");
  });
}

async function joins(env: IsolatedEnvironment, name: string): Promise<string> {
  const instance = await createInstance(env, name, { addresses: [internal("10.237.0.1")] });
  await createNode(env, name);
  await initialised(env, name, 60_000);
  return instance.id;
}

async function health(replica: Replica): Promise<string> {
  return (await replica.ask("/healthz?verbose"))?.body ?? "";
}

function byText(left: string, right: string): number {
  return left < right ? -1 : 1;
}
