import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { type Dashboard, queryPath, startDashboard } from "../../harness/dashboard.ts";
import { demand, eventually, same } from "../../harness/wait.ts";
import { type IsolatedEnvironment, isolatedRow } from "../environment/isolated.ts";
import { createInstance, createNode, initialised, internal } from "../environment/objects.ts";
import type { Scenario } from "../environment/scenario.ts";

const MUTATIONS = [
  ...["intents.request", "intents.retry", "intents.cancel"],
  ...[
    "people.create",
    "people.changeRole",
    "people.disable",
    "people.enable",
    "people.setPassword",
  ],
  ...["sessions.revoke", "sessions.revokeAll"],
];
const LIST = { filter: {}, limit: 100 };

/** Row H-40: what the dashboard shows to nobody, and what to everybody. */
export const DASHBOARD: Scenario = isolatedRow(
  "H-40",
  "without a login the dashboard changes nothing and shows nothing, and secrets it shows to nobody",
  async (env) => {
    await env.start({ flags: { "--leader-elect": "false", "--controllers": "cloud-node" } });
    await makeHistory(env);
    const dashboard = await startDashboard(env.databaseUrl ?? "", env.dir);
    env.after(() => dashboard.stop());
    const admin = await dashboard.signIn("admin");
    const uid = (await env.kube.get("/api/v1/namespaces/kube-system")).metadata.uid ?? "";
    const before = await everythingOf(dashboard, { session: admin, cluster: uid });
    const failed = before.runs.find(({ outcome }) => outcome === "failed");
    demand(failed !== undefined, "no run failed, so no answer of the cloud could be shown");

    const reads = readsOf(uid, failed.id);
    const pages = ["/", `/c/${uid}/nodes`, `/c/${uid}/nodes/h-40`, `/c/${uid}/runs/${failed.id}`];
    const foreign = [
      ...(await refusedReads(dashboard, reads)),
      ...(await refusedMutations(dashboard, uid)),
      ...(await pagesWithoutAccess(dashboard, pages)),
    ];
    const after = await everythingOf(dashboard, { session: admin, cluster: uid });
    same(after.unchanging, before.unchanging, "intents and users");

    const shown = await Promise.all(
      [...reads, ...pages].map((path) => dashboard.send(path, { session: admin })),
    );
    for (const { status, text } of shown) same(status, 200, `the answer to an admin (${text})`);
    const secrets = secretsOf(env, dashboard);
    for (const text of [...foreign, ...shown.map((reply) => reply.text)])
      for (const [what, secret] of Object.entries(secrets))
        demand(!text.includes(secret), `${what} is shown: ${text.slice(0, 300)}`);
  },
);

/** Creates a healthy node, after a period in which the cloud refused to answer. */
async function makeHistory(env: IsolatedEnvironment): Promise<void> {
  const path = "/v1/instances*";
  const lift = await env.cloud.fault({ method: "GET", path, instance: "h-40", status: 500 });
  await createInstance(env, "h-40", { addresses: [internal("10.240.0.1")] });
  await createNode(env, "h-40");
  await eventually(async () => {
    const runs = await env.history(["--object", "h-40"]);
    demand(
      runs.some(({ outcome }) => outcome === "failed"),
      "no failed run is recorded",
    );
  });
  await lift();
  await initialised(env, "h-40");
}

interface Rows<Row> {
  readonly rows: readonly Row[];
}

async function everythingOf(
  dashboard: Dashboard,
  { session, cluster }: { readonly session: string; readonly cluster: string },
) {
  const list = (by: string) => ({ cluster, ...LIST, sort: { by, descending: true } });
  const intents = await dashboard.query<Rows<object>>(session, "intents.list", list("requested"));
  const users = await dashboard.query<readonly { id: string; role: string }[]>(
    session,
    "people.list",
  );
  const runs = await dashboard.query<Rows<{ id: string; outcome: string }>>(session, "runs.list", {
    ...list("started"),
    filter: { key: "h-40" },
  });
  const unchanging = { intents: intents.rows, people: users.map(({ id, role }) => [id, role]) };
  return { unchanging, runs: runs.rows };
}

function readsOf(cluster: string, run: string): string[] {
  const list = (by: string) => ({ cluster, ...LIST, sort: { by, descending: true } });
  return [
    queryPath("clusters.list"),
    queryPath("clusters.byId", { cluster }),
    queryPath("overview.byCluster", { cluster }),
    queryPath("nodes.list", list("name")),
    queryPath("nodes.byName", { cluster, name: "h-40" }),
    queryPath("runs.list", list("started")),
    queryPath("runs.byId", { cluster, id: run }),
    queryPath("intents.list", list("requested")),
    queryPath("audit.list", list("inserted")),
    queryPath("people.list"),
    queryPath("sessions.mine"),
  ];
}

async function refusedReads(dashboard: Dashboard, paths: readonly string[]): Promise<string[]> {
  const replies = await Promise.all(paths.map((path) => dashboard.send(path)));
  for (const [index, { status }] of replies.entries())
    same(status, 401, `the answer to a stranger who reads ${paths[index]}`);
  return replies.map(({ text }) => text);
}

async function refusedMutations(dashboard: Dashboard, cluster: string): Promise<string[]> {
  const object = { kind: "Node", name: "h-40" };
  const options = {
    cluster,
    kind: "retry",
    controller: "cloud-node-controller",
    object,
    why: "mine",
  };
  const texts: string[] = [];
  for (const procedure of MUTATIONS) {
    for (const input of [{}, options]) {
      const body = { type: "json", text: JSON.stringify({ json: input }) } as const;
      const { status, text } = await dashboard.send(`/api/trpc/${procedure}`, { body });
      same(status, 401, `the answer to a stranger who calls ${procedure}`);
      texts.push(text);
    }
  }
  return texts;
}

async function pagesWithoutAccess(
  dashboard: Dashboard,
  paths: readonly string[],
): Promise<string[]> {
  const texts: string[] = [];
  for (const path of paths) {
    const { location, text } = await dashboard.send(path);
    const leads = location ?? /url=([^"]+)"/.exec(text)?.[1] ?? "";
    demand(leads.includes("/sign-in"), `${path} leads a stranger to "${leads}"`);
    demand(!text.includes("InternalIP"), `${path} shows a node to a stranger`);
    texts.push(text);
  }
  return texts;
}

/** Returns every secret that only one part of the installation may know, by description. */
function secretsOf(
  env: IsolatedEnvironment,
  dashboard: Dashboard,
): Readonly<Record<string, string>> {
  const url = env.databaseUrl ?? "";
  const { password } = new URL(url);
  const kubeconfig = parse(readFileSync(env.cluster.controllerKubeconfig, "utf8")) as {
    users: { user: Record<string, string> }[];
  };
  const credentials = Object.entries(kubeconfig.users[0]?.user ?? {}).filter(
    ([name]) => name === "token" || name === "client-key-data",
  );
  demand(credentials.length > 0, "the kubeconfig holds no secret to look for");
  return {
    "the database's address": url,
    ...(password === "" ? {} : { "the database's password": password }),
    "the cloud's token": env.cloud.ready.token,
    "the key of the sessions": dashboard.authSecret,
    ...Object.fromEntries(credentials),
  };
}
