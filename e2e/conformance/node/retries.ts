import { randomUUID } from "node:crypto";
import { startDatabase } from "../../harness/controller.ts";
import { type Dashboard, startDashboard } from "../../harness/dashboard.ts";
import { demand, eventually, same } from "../../harness/wait.ts";
import { type IsolatedEnvironment, isolatedRows } from "../environment/isolated.ts";
import {
  createInstance,
  createNode,
  initialised,
  internal,
  keepsTaint,
  seen,
} from "../environment/objects.ts";
import type { Scenario } from "../environment/scenario.ts";
import { ROUTE_FLAGS, routeTo } from "../route/objects.ts";

const NODE = "cloud-node-controller";
const ROUTES = "node-route-controller";

/** Rows B-60 and B-61: a retry of a node applies to all controllers that work on it. These numbers are ours. */
export const NODE_RETRIES: readonly Scenario[] = isolatedRows({
  "B-60 a retry of a node that the cloud does not know, with a route pending, names and fails by the loop that initialises it, and its preview promises nothing else":
    async (env) => {
      const range = "10.120.160.0/24";
      const user = await start(env);
      await createNode(env, "b-60", {
        podCIDRs: [range],
        addresses: [internal("10.9.160.1")],
      });
      await eventually(async () => {
        const { controllers } = await stateOf(user, "b-60");
        same(isOk(controllers, NODE), false, "whether its initialisation is well");
        same(isOk(controllers, ROUTES), false, "whether its route is");
      });

      const preview = await ended(user, await ask(user, "b-60", "preview"));
      same(preview.state, "verified", `the preview (${preview.result})`);
      same(controllersIn(preview.action), [NODE, ROUTES], "the loops of the preview");
      same(preview.preview?.next.reason.code, "InstanceNotFound", "what the preview ends with");
      const [node] = preview.preview?.loops ?? [];
      same(
        [node?.controller, node?.plan?.next.reason.code],
        [NODE, "InstanceNotFound"],
        "what it says of the initialisation",
      );

      const retry = await ended(user, await ask(user, "b-60", "retry"));
      same(controllersIn(retry.action), [NODE, ROUTES], "the loops of the retry");
      same(retry.state, "failed", `the retry (${retry.result})`);
      demand(
        /^Node initialisation failed: .*b-60/.test(retry.result ?? ""),
        `its result is: ${retry.result}`,
      );
      same(
        retry.loops?.map(({ controller, state }) => `${controller} ${state}`)[0],
        `${NODE} failed`,
        "what came of the first loop",
      );
      keepsTaint(seen(env, "b-60"));
      await isOnRecord(user, retry);
    },
  "B-61 a retry of a node whose cloud is well again is verified when each of its loops has seen the effect":
    async (env) => {
      const range = "10.120.161.0/24";
      const user = await start(env);
      await createNode(env, "b-61", { podCIDRs: [range], addresses: [] });
      await eventually(async () => {
        const { controllers } = await stateOf(user, "b-61");
        same(isOk(controllers, NODE), false, "whether its initialisation is well");
        same(isOk(controllers, ROUTES), false, "whether its route is");
      });
      await createInstance(env, "b-61", { addresses: [internal("10.9.161.1")] });
      const retry = await ended(user, await ask(user, "b-61", "retry"));
      same(retry.state, "verified", `the retry (${retry.result})`);
      same(
        retry.loops?.map(({ controller, state }) => `${controller} ${state}`),
        [`${NODE} verified`, `${ROUTES} verified`],
        "what came of each loop",
      );
      await initialised(env, "b-61", 1_000);
      demand((await routeTo(env, range)) !== undefined, "there is no route to it");
    },
});

interface User {
  readonly env: IsolatedEnvironment;
  readonly dashboard: Dashboard;
  readonly session: string;
  readonly cluster: string;
}

/**
 * The row has a ledger of its own: in that of all rows, a leader which another row killed counts for two minutes, and its
 * controllers would be retried as well.
 */
async function start(env: IsolatedEnvironment): Promise<User> {
  const controllers = "cloud-node,route";
  const database = await startDatabase(env.dir);
  env.after(() => database.stop());
  // Before the controller: granting the login its rights on a new ledger can fail while a controller writes to it.
  const dashboard = await startDashboard(database.ready.url, env.dir);
  env.after(() => dashboard.stop());
  await env.start({
    flags: { ...ROUTE_FLAGS, "--controllers": controllers, "--leader-elect": "false" },
    databaseUrl: database.ready.url,
  });
  const session = await dashboard.signIn("operator");
  const { metadata } = await env.kube.get("/api/v1/namespaces/kube-system");
  return { env, dashboard, session, cluster: metadata.uid ?? "" };
}

interface ControllerState {
  readonly controller: string;
  readonly state: string;
}

async function stateOf({ dashboard, session, cluster }: User, name: string) {
  const node = await dashboard.query<{ controllers: readonly ControllerState[] } | null>(
    session,
    "nodes.byName",
    { cluster, name },
  );
  demand(node !== null, `the dashboard does not know ${name}`);
  return node;
}

/** Returns undefined if it has not reported anything yet. */
function isOk(states: readonly ControllerState[], name: string): boolean | undefined {
  const found = states.find(({ controller }) => controller === name);
  return found === undefined ? undefined : found.state === "ok";
}

interface Asked {
  readonly id: string;
  readonly state: string;
  readonly result?: string;
  readonly action: { readonly kind: string; readonly controllers?: readonly string[] };
  readonly loops?: readonly { readonly controller: string; readonly state: string }[];
  readonly preview?: {
    readonly next: { readonly reason: { readonly code: string } };
    readonly loops?: readonly {
      readonly controller: string;
      readonly plan?: { readonly next: { readonly reason: { readonly code: string } } };
    }[];
  };
}

/** Requests it like the button of a list, which shows the route controller's last report. */
async function ask(user: User, name: string, kind: "preview" | "retry"): Promise<string> {
  const { env, dashboard, session, cluster } = user;
  const id = randomUUID();
  const { uid } = seen(env, name).metadata;
  const request = {
    ...{ id, cluster, kind, controller: ROUTES, scope: "object" },
    object: { kind: "Node", name, uid },
    why: "the cloud is looked at again",
  };
  const body = { type: "json", text: JSON.stringify({ json: request }) } as const;
  const { status, text } = await dashboard.send("/api/trpc/intents.request", { session, body });
  same(status, 200, `the answer to the ${kind} (${text})`);
  return id;
}

const OVER = ["verified", "failed", "rejected", "expired", "cancelled"];

function ended({ dashboard, session, cluster }: User, id: string): Promise<Asked> {
  return eventually(async () => {
    const found = await dashboard.query<Asked>(session, "intents.byId", { cluster, id });
    demand(OVER.includes(found.state), `the action is ${found.state} still`);
    return found;
  });
}

function controllersIn({ controllers = [] }: Asked["action"]): readonly string[] {
  return controllers;
}

/** Checks which loops were asked, and which of them failed. */
async function isOnRecord({ dashboard, session, cluster }: User, { id }: Asked): Promise<void> {
  const { rows } = await dashboard.query<{ rows: readonly { action: string; after: unknown }[] }>(
    session,
    "audit.list",
    {
      cluster,
      filter: { intentId: id },
      limit: 100,
      sort: { by: "inserted", descending: false },
    },
  );
  const after = (action: string) =>
    JSON.stringify(rows.find((entry) => entry.action === action)?.after ?? null);
  for (const name of [NODE, ROUTES]) {
    demand(after("intent.request").includes(name), `the request's entry lacks ${name}`);
    demand(after("intent.end").includes(name), `the end's entry lacks ${name}`);
  }
}
