import { randomUUID } from "node:crypto";
import { type Dashboard, startDashboard } from "../../harness/dashboard.ts";
import { demand, eventually, same } from "../../harness/wait.ts";
import { type IsolatedEnvironment, isolatedRow } from "../environment/isolated.ts";
import type { Scenario } from "../environment/scenario.ts";
import {
  about,
  changesOf,
  createMember,
  createService,
  isCreation,
  key,
  seenService,
  served,
} from "./objects.ts";

/** Row S-74: a person does not wait for the back-off. */
export const RETRY_WISH: Scenario = isolatedRow(
  "S-74",
  "a retry by the dashboard's API is tried at once, and who requested it is on the record",
  async (env) => {
    const { relay, config } = await env.relayedCloud();
    const lift = relay.rule({
      fits: about("s-74", isCreation),
      strike: () => ({ status: 500, code: "internal" }),
    });
    await env.start({
      cloudConfig: config,
      flags: { "--controllers": "service-lb-controller", "--leader-elect": "false" },
    });
    await createMember(env, "s-74-n");
    await createService(env, "s-74");
    const dashboard = await startDashboard(env.databaseUrl ?? "", env.dir);
    env.after(() => dashboard.stop());
    const operator = await dashboard.signIn("operator");
    const tries = () => changesOf({ relay }, "s-74").filter(isCreation).length;
    // Just after a try that failed, the next one by itself is as far away as the back-off then is: 20 s and more.
    const wanted = Math.max(tries() + 1, 3);
    await eventually(() => demand(tries() >= wanted, `${tries()} tries`), { withinMs: 120_000 });
    lift();
    const id = await askForRetry(env, dashboard, operator);
    await served(env, "s-74");
    // Had it waited for the back-off, the creation would be that of another run, and this one would find nothing to change.
    await isRecorded(env, dashboard, { session: operator, id });
  },
);

async function clusterUid({ kube }: IsolatedEnvironment): Promise<string> {
  return (await kube.get("/api/v1/namespaces/kube-system")).metadata.uid ?? "";
}

async function askForRetry(
  env: IsolatedEnvironment,
  dashboard: Dashboard,
  session: string,
): Promise<string> {
  const id = randomUUID();
  const { uid } = seenService(env, "s-74").metadata;
  const wish = {
    id,
    cluster: await clusterUid(env),
    controller: "service-lb-controller",
    object: { kind: "Service", namespace: "default", name: "s-74", uid },
    why: "the cloud is well again",
  };
  const body = { type: "json", text: JSON.stringify({ json: wish }) } as const;
  const { status, text } = await dashboard.send("/api/trpc/intents.retry", { session, body });
  same(status, 200, `the answer to the retry (${text})`);
  return id;
}

interface Wish {
  readonly id: string;
  readonly state: string;
  readonly actor: string;
  readonly requestedAt: number;
}

async function isRecorded(
  env: IsolatedEnvironment,
  dashboard: Dashboard,
  { session, id }: { readonly session: string; readonly id: string },
): Promise<void> {
  const cluster = await clusterUid(env);
  await eventually(async () => {
    const sort = { by: "requested", descending: true };
    const intents = await dashboard.query<{ rows: readonly Wish[] }>(session, "intents.list", {
      ...{ cluster, filter: {}, limit: 100, sort },
    });
    const intent = intents.rows.find((row) => row.id === id);
    same(intent?.state, "verified", "the wish");
    demand(intent?.requestedAt !== undefined, "it is not told when it was asked for");
    same(intent.actor, "operator", "who requested it");
  });
  await eventually(async () => {
    const runs = await env.history(["--object", key("s-74"), "--trigger", "intent"]);
    demand(
      runs.some(({ outcome }) => outcome === "changed"),
      "no run of the wish is recorded that changed anything",
    );
  });
}
