import { randomUUID } from "node:crypto";
import { metrics } from "../../harness/controller.ts";
import { type Dashboard, startDashboard } from "../../harness/dashboard.ts";
import type { KubeEvent } from "../../harness/kube.ts";
import { always, demand, eventually, same } from "../../harness/wait.ts";
import { type IsolatedEnvironment, isolatedRow, type Replica } from "../environment/isolated.ts";
import { leaderAmong, others } from "../environment/leading.ts";
import { eventsOf, gone, setReady } from "../environment/objects.ts";
import type { Scenario } from "../environment/scenario.ts";
import { joined } from "./objects.ts";

const LOST = 20;
/** With fewer than 60 nodes, the flag's number applies, as a tenth of them is less. */
const LIMIT = 5;
const HELD = LOST - LIMIT;
/** The ConfigMap with the guard's window is in the Lease's namespace, which other rows must not share. */
const NAMESPACE = "conformance-l-28";
const FLAGS = {
  "--node-deletion-guard": `${LIMIT},10%,10m`,
  "--leader-elect-resource-namespace": NAMESPACE,
};
const LIFECYCLE = "cloud-node-lifecycle-controller";
const MOST_MS = 60_000;

interface HeldNode {
  readonly name: string;
  readonly uid: string;
}

interface Intent {
  readonly id: string;
  readonly state: string;
  readonly result?: string;
  readonly preview?: { readonly planHash: string; readonly changes: readonly object[] };
}

/** Row L-28: what happens to twenty nodes that one wrong answer of the cloud would delete. */
export const DELETION_GUARD: Scenario = isolatedRow(
  "L-28",
  "of twenty nodes whose absence comes at once few go, the others wait for an admin, over a fail-over",
  async (env) => {
    await env.electIn(NAMESPACE);
    const replicas = [await start(env, "a"), await start(env, "b")];
    const leader = await leaderAmong(replicas);
    const names = await fleet(env);
    await lose(env, names);
    await eventually(() => same(left(env, names).length, HELD, "the number of nodes left"), {
      withinMs: MOST_MS,
      on: env.nodes,
    });
    await holds(env, leader, names);

    const heir = others(replicas, leader);
    leader.child.kill("SIGKILL");
    await leaderAmong([heir], MOST_MS);
    await holds(env, heir, names);

    const [back = "", ...waiting] = left(env, names);
    await setReady(env, back, "True");
    await eventually(async () => same(await held(heir), HELD - 1, "the number of held nodes"));
    await release(env, waiting.slice(0, 2));
    for (const name of waiting.slice(0, 2)) await gone(env, name);
    await stays(env, names, HELD - 2);
    same(await held(heir), HELD - 3, "the number of held nodes");
  },
);

function start(env: IsolatedEnvironment, name: string): Promise<Replica> {
  return env.start({ name, flags: FLAGS });
}

/** Includes one healthy node more: a cloud that showed no instance at all would not be trusted. */
async function fleet(env: IsolatedEnvironment): Promise<readonly string[]> {
  const names = Array.from({ length: LOST }, (_, index) => `${env.name}-${index + 1}`);
  await Promise.all(
    [...names, `${env.name}-99`].map((name) => joined(env, name, { ready: "True" })),
  );
  return names;
}

/** The machines disappear, or so the cloud says, and the kubelets become unresponsive. */
async function lose(env: IsolatedEnvironment, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const providerID = env.nodes.get(name)?.spec.providerID ?? "";
    await env.cloud.remove(providerID.slice(providerID.lastIndexOf("/") + 1));
  }
  await Promise.all(names.map((name) => setReady(env, name, "False")));
}

function left({ nodes }: IsolatedEnvironment, names: readonly string[]): readonly string[] {
  return names.filter((name) => nodes.get(name) !== undefined);
}

/** Checks that no further node is deleted, and that Events, metrics and health report it. */
async function holds(
  env: IsolatedEnvironment,
  leader: Replica,
  names: readonly string[],
): Promise<void> {
  await eventually(async () => same(await held(leader), HELD, "the number of held nodes"), {
    withinMs: MOST_MS,
  });
  same(await gauge(leader, "cloudwright_deletion_guard_limit"), LIMIT, "the limit");
  same(await gauge(leader, "cloudwright_deletion_guard_deleted"), LIMIT, "the deletions counted");
  await eventually(
    () => {
      for (const name of left(env, names)) {
        const event = eventsOf(env, name).find(({ reason }) => reason === "DeletionGuardHeld");
        same(event?.type, "Warning", `the type of the Event on ${name}`);
      }
    },
    { on: env.events },
  );
  await eventually(async () => {
    const { items } = await env.kube.list<KubeEvent>(`/api/v1/namespaces/${NAMESPACE}/events`);
    const alarm = items.find(({ reason }) => reason === "DeletionGuardHeld");
    same(alarm?.involvedObject.name, "cloudwright-controls", "what the alarm is about");
    demand(alarm?.message.includes("for an admin") === true, `the alarm says ${alarm?.message}`);
  });
  const health = (await leader.ask("/healthz?verbose"))?.body ?? "";
  demand(health.includes(`${HELD} deletions held`), `its health says: ${health}`);
  await stays(env, names, HELD);
}

function stays(env: IsolatedEnvironment, names: readonly string[], count: number): Promise<void> {
  return always(() => same(left(env, names).length, count, "the number of nodes left"), {
    forMs: 6_000,
    on: env.nodes,
  });
}

function held(replica: Replica): Promise<number | undefined> {
  return gauge(replica, "cloudwright_deletion_guard_held_nodes");
}

async function gauge(replica: Replica, name: string): Promise<number | undefined> {
  const line = (await metrics(replica.securePort))
    .split("\n")
    .find((one) => one.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.slice(name.length));
}

/** Releases like an admin on the page: views the plan, then confirms it by typing the number. */
async function release(env: IsolatedEnvironment, names: readonly string[]): Promise<void> {
  const dashboard = await startDashboard(env.databaseUrl ?? "", env.dir);
  env.after(() => dashboard.stop());
  const cluster = (await env.kube.get("/api/v1/namespaces/kube-system")).metadata.uid ?? "";
  const session = await dashboard.signIn("admin");
  const nodes = await eventually(async () => {
    const shown = await heldOnPage(dashboard, session, cluster);
    const named = shown.filter(({ name }) => names.includes(name));
    same(named.length, names.length, "how many of them the page shows");
    return named.map(({ name, uid }) => ({ name, uid }));
  });
  const options = { cluster, action: { kind: "release-guard", nodes } };
  const { preview } = await ask(dashboard, session, { ...options, kind: "preview" });
  same(preview?.changes.length, 1, "the number of changes in the preview");
  const done = await ask(dashboard, session, {
    ...options,
    kind: "release-guard",
    planHash: preview?.planHash,
    confirmation: String(nodes.length),
  });
  same(done.state, "verified", `the state of the release (${done.result})`);
}

async function heldOnPage(
  dashboard: Dashboard,
  session: string,
  cluster: string,
): Promise<readonly HeldNode[]> {
  const view = await dashboard.query<{
    leader?: { controls?: { guard?: { held: readonly HeldNode[] } } };
  }>(session, "clusters.byId", { cluster });
  return view.leader?.controls?.guard?.held ?? [];
}

/** Requests it and waits until it has ended. */
async function ask(
  dashboard: Dashboard,
  session: string,
  options: { readonly cluster: string; readonly kind: string; readonly [field: string]: unknown },
): Promise<Intent> {
  const id = randomUUID();
  const { cluster } = options;
  const object = { kind: "Controller", name: LIFECYCLE };
  const input = { id, controller: LIFECYCLE, object, why: "the machines are gone", ...options };
  const { status, text } = await dashboard.send("/api/trpc/intents.request", {
    session,
    body: { type: "json", text: JSON.stringify({ json: input }) },
  });
  same(status, 200, `the answer to the request (${text})`);
  return eventually(async () => {
    const intent = await dashboard.query<Intent>(session, "intents.byId", { cluster, id });
    demand(ENDED.has(intent.state), `the intent is ${intent.state}`);
    return intent;
  });
}

const ENDED = new Set(["verified", "failed", "rejected", "expired", "cancelled"]);
