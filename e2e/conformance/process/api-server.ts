import { hasEnded } from "../../harness/controller.ts";
import { always, demand, eventually, same } from "../../harness/wait.ts";
import { SHIPPED_ACCOUNTS } from "../clusters/shipped-roles.ts";
import { type IsolatedEnvironment, isolatedRow, isolatedRows } from "../environment/isolated.ts";
import {
  leaderAmong,
  leads,
  leaseOf,
  startPair,
  startSuccessorOf,
} from "../environment/leading.ts";
import {
  createInstance,
  createNode,
  eventsOf,
  gone,
  initialised,
  internal,
  nodeStays,
  readsNaming,
  UNINITIALIZED,
} from "../environment/objects.ts";
import { type Scenario, Skip } from "../environment/scenario.ts";

/** Row H-32, which does not change the cluster. */
export const LATE_API_SERVER: Scenario = isolatedRow(
  "H-32",
  "started before the API server it waits, and works as soon as that is there",
  async (env) => {
    const way = await env.wayToCluster("a");
    await way.relay.cut();
    await joins(env, "h-32");
    const replica = await env.launch({ kubeconfig: way.config });
    await eventually(() =>
      demand(replica.output().includes("cannot be reached yet"), "it does not say what it lacks"),
    );
    await always(
      async () => {
        demand(!hasEnded(replica), "it ended");
        demand((await replica.ask("/readyz"))?.status !== 200, "it says that it is ready");
      },
      { forMs: 5_000 },
    );
    same((await replica.ask("/healthz"))?.status, 200, "the health, or it would be restarted");
    await way.relay.mend();
    await initialised(env, "h-32", 10_000);
  },
);

/** Rows H-33 to H-35: they kill the API server or keep it busy, so they run alone, one after the other. */
export const API_SERVER: readonly Scenario[] = isolatedRows({
  "H-33 an API server that restarts costs neither the lead nor a watch": async (env) => {
    const { restart } = env.cluster;
    if (restart === undefined) throw new Skip("the API server is not ours to kill");
    const { leader, standby } = await startPair(env);
    await joins(env, "h-33-before");
    await initialised(env, "h-33-before");
    const before = await leaseOf(env);
    await restart();
    await joins(env, "h-33-after");
    await initialised(env, "h-33-after");
    await env.kube.delete("/api/v1/nodes/h-33-before");
    await eventually(async () => same(await leads(leader), true, "that the leader leads"));
    same(await leads(standby), false, "that the standby leads");
    const after = await leaseOf(env);
    same(after?.spec.holderIdentity, before?.spec.holderIdentity, "the holder");
    same(after?.spec.leaseTransitions, before?.spec.leaseTransitions, "the transitions");
    for (const replica of [leader, standby]) demand(!hasEnded(replica), `${replica.name} ended`);
  },
  "H-34 what was deleted while the watch was away and its version forgotten is not missed": async (
    env,
  ) => {
    const { forgetVersions } = env.cluster;
    if (forgetVersions === undefined) throw new Skip("the API server's memory is not ours to cut");
    const way = await env.wayToCluster("a");
    const kubeconfig = await env.accountOfItsOwn("h-34", { by: way.config });
    const replica = await env.start({ kubeconfig, flags: { "--leader-elect": "false" } });
    const gonesId = await joins(env, "h-34-gone");
    await joins(env, "h-34-stays");
    await initialised(env, "h-34-gone");
    await initialised(env, "h-34-stays");
    await eventually(async () =>
      demand((await readsNaming(env, gonesId)) >= 1, "the refresh does not name it yet"),
    );
    await way.relay.cut();
    await env.kube.delete("/api/v1/nodes/h-34-gone");
    await gone(env, "h-34-gone");
    await joins(env, "h-34-new");
    await forgetVersions();
    const mendedAt = Date.now();
    await way.relay.mend();
    await initialised(env, "h-34-new");
    await env.cloud.forgetCalls();
    await nodeStays(env, "h-34-stays", { check: () => undefined, forMs: 7_000 });
    same(await readsNaming(env, gonesId, "h-34-gone"), 0, "reads of the deleted node's machine");
    demand((await env.cloud.calls()).total >= 1, "the cloud was not asked at all");
    demand(!hasEnded(replica), "it ended");
    const seen = await env.cluster.requestsOf("h-34", SHIPPED_ACCOUNTS);
    const lists = seen?.filter(({ at, verb, path }) => at >= mendedAt && isListOfNodes(verb, path));
    demand(lists === undefined || lists.length >= 1, "the nodes were not listed again");
  },
  "H-35 200 nodes with a limit of 5 requests a second and bursts of 5 stay below it": async (
    env,
  ) => {
    const kubeconfig = await env.accountOfItsOwn("h-35");
    const names = Array.from({ length: 200 }, (_, index) => `h-35-${index}`);
    for (let from = 0; from < names.length; from += 50)
      await Promise.all(names.slice(from, from + 50).map((name) => joins(env, name)));
    await env.start({
      kubeconfig,
      flags: { "--leader-elect": "false", "--kube-api-qps": "5", "--kube-api-burst": "5" },
    });
    await always(() => undefined, { forMs: WINDOW_MS });
    const seen = await env.cluster.requestsOf("h-35", SHIPPED_ACCOUNTS);
    if (seen === undefined) throw new Skip("this cluster keeps no record of requests");
    const times = seen.map(({ at }) => at).sort((left, right) => left - right);
    demand(times.length >= (4 * WINDOW_MS) / 1_000, `only ${times.length} requests were made`);
    for (const spanMs of [1_000, 5_000, 15_000]) {
      const limit = (5 * spanMs) / 1_000 + 5 + ON_THE_WAY;
      const most = mostWithin(times, spanMs);
      demand(most <= limit, `${most} requests within ${spanMs / 1_000} s, at most ${limit} wanted`);
    }
  },
});

const WINDOW_MS = 20_000;
/** Requests that were sent in time but received slightly later than others. */
const ON_THE_WAY = 2;

async function joins(env: IsolatedEnvironment, name: string): Promise<string> {
  const instance = await createInstance(env, name, { addresses: [internal(addressOf(name))] });
  await createNode(env, name, { taints: [UNINITIALIZED] });
  return instance.id;
}

/** One of 200 addresses of this row. */
function addressOf(name: string): string {
  const [, row = "0", index = "0"] = name.split("-");
  return `10.23${row.slice(1)}.0.${(Number(index) || 0) + 1}`;
}

function isListOfNodes(verb: string, path: string): boolean {
  return verb === "list" && path.startsWith("/api/v1/nodes");
}

function mostWithin(times: readonly number[], spanMs: number): number {
  const counts = times.map(
    (from, index) => times.slice(index).filter((at) => at < from + spanMs).length,
  );
  return Math.max(0, ...counts);
}

const RELEASED_WITHIN_MS = 2_000;
const LED_WITHIN_MS = 5_000;

/** Row H-10: the leader receives a signal to end. */
export const SHUTDOWN_OF_LEADER: Scenario = isolatedRow(
  "H-10",
  "SIGTERM frees the Lease within 2 s, the standby leads within 5 s, the call under way is recorded, exit 0",
  async (env) => {
    const { leader, standby } = await startPair(env);
    await createInstance(env, "h-10", { addresses: [internal("10.210.0.1")] });
    const lift = await env.cloud.faultOnReads({ instance: "h-10", hang: true });
    await createNode(env, "h-10");
    await eventually(async () => {
      const { total } = await env.cloud.calls();
      demand(total >= 1, "the cloud was not asked yet");
    });
    const holder = (await leaseOf(env))?.spec.holderIdentity;
    const reported = Date.now();
    leader.child.kill("SIGTERM");
    const free = eventually(
      async () => {
        const now = (await leaseOf(env))?.spec.holderIdentity;
        demand(now !== holder, `the Lease still has the holder ${now}`);
      },
      { withinMs: RELEASED_WITHIN_MS },
    );
    await free;
    await leaderAmong([standby], LED_WITHIN_MS - (Date.now() - reported));
    same(await leader.ended, 0, "the exit code");
    await lift();
    await initialised(env, "h-10");
    await startSuccessorOf(env, leader);
    await eventually(async () => {
      const runs = await env.history(["--object", "h-10"]);
      const broken = runs.find(({ outcome }) => outcome === "interrupted");
      demand(broken !== undefined, "no run was interrupted");
      demand(broken.cloudCalls >= 1, "it does not report its call");
      demand(
        runs.some(({ outcome }) => outcome === "changed"),
        "no later run changed the node",
      );
    });
  },
);

/** Row B-86, which needs all nodes for itself. */
export const EVENTS_AT_THE_END: Scenario = isolatedRow(
  "B-86",
  "the Events that a wave left behind are sent after SIGTERM",
  async (env) => {
    const names = Array.from({ length: WAVE }, (_, index) => `b-86-${index}`);
    const leader = await env.start({ flags: FEW_CALLS });
    await leaderAmong([leader]);
    for (const [index, name] of names.entries()) {
      await createInstance(env, name, { addresses: [internal(`10.211.0.${index + 1}`)] });
    }
    await Promise.all(names.map((name) => createNode(env, name)));
    await Promise.all(names.map((name) => initialised(env, name)));
    leader.child.kill("SIGTERM");
    same(await leader.ended, 0, "the exit code");
    await eventually(() => {
      const without = names.filter(
        (name) => !eventsOf(env, name).some(({ type }) => type === "Normal"),
      );
      same(without, [], "the nodes without an Event");
    });
  },
);

/** Enough for their Events to wait for the writes to nodes, longer than a second at this rate of calls. */
const WAVE = 60;
const FEW_CALLS = { "--kube-api-qps": "20", "--kube-api-burst": "20" };
