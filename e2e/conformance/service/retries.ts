import { randomUUID } from "node:crypto";
import { type Dashboard, startDashboard } from "../../harness/dashboard.ts";
import { overrideStatus } from "../../harness/load-balancers.ts";
import { always, demand, eventually, same } from "../../harness/wait.ts";
import { type IsolatedEnvironment, isolatedRow } from "../environment/isolated.ts";
import { rows, type Scenario, type SharedEnvironment } from "../environment/scenario.ts";
import { quiet, reported, warnedOf } from "./evidence.ts";
import {
  about,
  annotate,
  changesOf,
  createMember,
  createService,
  deleteService,
  FINALIZER,
  finalizersOf,
  isCreation,
  isDeletion,
  key,
  loadBalancersFor,
  preparedService,
  seenService,
  served,
  serviceGone,
  standingMember,
  untilLoadBalancer,
} from "./objects.ts";

const INTERNAL = { status: 500, code: "internal" } as const;
const WAIT_3_S = { status: 429, code: "throttled", retryAfter: 3 } as const;

/** Rows about time: how long the controller waits before it retries. */
export const BACK_OFF: readonly Scenario[] = rows({
  "S-08 a creation that fails is retried after about 5 s and 10 s, and reported": async (env) => {
    await calm(env);
    env.relay.rule({ fits: about("s-08", isCreation), times: 2, strike: () => INTERNAL });
    await createService(env, "s-08");
    await warnedOf(env, "s-08", ["SyncLoadBalancerFailed", "Error syncing load balancer"]);
    await served(env, "s-08", 40_000);
    const [first = 0, second = 0] = pauses(env, "s-08", isCreation);
    demand(first >= 3.5 && first <= 8.5, `the first pause is ${first} s`);
    demand(second >= 8 && second <= 15, `the second pause is ${second} s`);
    await reported(env, "s-08", ["EnsuredLoadBalancer"]);
  },
  "S-10 an edit ends the waiting after many failures": async (env) => {
    await calm(env);
    const lift = env.relay.rule({
      fits: about("s-10", isCreation),
      strike: () => INTERNAL,
    });
    await createService(env, "s-10");
    const tries = () => changesOf(env, "s-10").filter(isCreation).length;
    await eventually(() => demand(tries() >= 4, `${tries()} tries`), { withinMs: 70_000 });
    await annotate(env, "s-10", { "example.com/edit": "now" });
    await eventually(() => demand(tries() >= 5, "it was not tried at once"), {
      withinMs: 3_000,
    });
    lift();
    await annotate(env, "s-10", { "example.com/edit": "well" });
    await served(env, "s-10", 5_000);
  },
});

/** Rows with a cloud that says when to retry: one after the other, as its 429s delay everything that shares the budget. */
export const RETRY_AFTER: readonly Scenario[] = rows({
  "S-09 a creation that is to be tried after 3 s is, each time": async (env) => {
    await calm(env);
    env.relay.rule({ fits: about("s-09", isCreation), times: 3, strike: () => WAIT_3_S });
    await createService(env, "s-09");
    await served(env, "s-09", 40_000);
    eachAboutThree(pauses(env, "s-09", isCreation));
  },
  "S-66 a deletion that is to be tried after 3 s is, each time": async (env) => {
    await preparedService(env, "s-66");
    env.relay.rule({ fits: about("s-66", isDeletion), times: 3, strike: () => WAIT_3_S });
    await deleteService(env, "s-66");
    await serviceGone(env, "s-66", 40_000);
    eachAboutThree(pauses(env, "s-66", isDeletion));
  },
});

/** Rows whose faults affect every Service: one after the other. */
export const EVERYBODY_STRUCK: readonly Scenario[] = rows({
  "S-12 while the cloud does not say what is there no finalizer goes": async (env) => {
    await preparedService(env, "s-12");
    const lift = env.relay.rule({
      fits: ({ method, path }) => method === "GET" && path.startsWith("/v1/load-balancers"),
      strike: () => INTERNAL,
    });
    await deleteService(env, "s-12");
    await always(
      async () => {
        const service = env.services.get("s-12");
        const isFree = service === undefined || !finalizersOf(service).includes(FINALIZER);
        const left = (await loadBalancersFor(env, "s-12")).length;
        demand(!isFree || left === 0, "it is free while its load balancer is there");
      },
      { forMs: 6_000 },
    );
    lift();
    await serviceGone(env, "s-12");
    same((await loadBalancersFor(env, "s-12")).length, 0, "balancers left");
  },
  "S-15 a load balancer without an address is reported, and looked at again": async (env) => {
    await standingMember(env);
    await overrideStatus(env.cloud, { nil: true });
    await createService(env, "s-15");
    await warnedOf(env, "s-15", ["SyncLoadBalancerFailed"]);
    const [loadBalancer] = await loadBalancersFor(env, "s-15");
    await overrideStatus(env.cloud, { id: loadBalancer?.id ?? "" });
    await env.cloud.admin("DELETE", "/admin/next-load-balancer");
    await served(env, "s-15");
    same((await loadBalancersFor(env, "s-15")).length, 1, "balancers");
  },
});

/** A joining node causes an observation of every load balancer, so none may join while retries are timed. */
function calm(env: SharedEnvironment): Promise<void> {
  const known = calmed.get(env) ?? becomeCalm(env);
  calmed.set(env, known);
  return known;
}

const calmed = new WeakMap<object, Promise<void>>();

async function becomeCalm(env: SharedEnvironment): Promise<void> {
  await preparedService(env, "s-00");
  await untilLoadBalancer(env, "s-00", {
    check: ({ members }) => same(members.length, 1, "the members of s-00"),
  });
  await quiet(env, "s-00");
}

/** Returns the seconds between the tries, by their times of arrival. */
function pauses(env: SharedEnvironment, name: string, kind: typeof isCreation): readonly number[] {
  const times = changesOf(env, name)
    .filter(kind)
    .map(({ at }) => at);
  return times.slice(1).map((at, index) => (at - (times[index] ?? 0)) / 1_000);
}

/** For a while after a 429 one call per second is sent, and the observation before the retry takes the first. */
function eachAboutThree(between: readonly number[]): void {
  same(between.length, 3, "the number of pauses");
  for (const seconds of between)
    demand(seconds >= 2.8 && seconds <= 4.9, `the pauses are ${between.join(", ")} s`);
}

/** Row S-74: a user's retry does not wait for the back-off. */
export const RETRY_ACTION: Scenario = isolatedRow(
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
    // Right after a failed try, the next automatic one is as far away as the current back-off: 20 s or more.
    const wanted = Math.max(tries() + 1, 3);
    await eventually(() => demand(tries() >= wanted, `${tries()} tries`), { withinMs: 120_000 });
    lift();
    const id = await askForRetry(env, dashboard, operator);
    await served(env, "s-74");
    // If the retry had waited for the back-off, another run would have created it, and this one would find nothing to change.
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
  const options = {
    id,
    cluster: await clusterUid(env),
    controller: "service-lb-controller",
    object: { kind: "Service", namespace: "default", name: "s-74", uid },
    why: "the cloud is well again",
  };
  const body = { type: "json", text: JSON.stringify({ json: options }) } as const;
  const { status, text } = await dashboard.send("/api/trpc/intents.retry", { session, body });
  same(status, 200, `the answer to the retry (${text})`);
  return id;
}

interface Options {
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
    const intents = await dashboard.query<{ rows: readonly Options[] }>(session, "intents.list", {
      ...{ cluster, filter: {}, limit: 100, sort },
    });
    const intent = intents.rows.find((row) => row.id === id);
    same(intent?.state, "verified", "the retry");
    demand(intent?.requestedAt !== undefined, "it does not say when it was requested");
    same(intent.actor, "operator", "who requested it");
  });
  await eventually(async () => {
    const runs = await env.history(["--object", key("s-74"), "--trigger", "intent"]);
    demand(
      runs.some(({ outcome }) => outcome === "changed"),
      "no run of the retry is recorded that changed anything",
    );
  });
}
