import { always, demand, eventually, same } from "../../harness/wait.ts";
import { patchNode, setReady } from "../environment/objects.ts";
import { rows, type Scenario, type SharedEnvironment } from "../environment/scenario.ts";
import {
  eventCount,
  failMembersOnce,
  hasMembers,
  preparedLoadBalancer,
  reported,
  warnedOf,
} from "./evidence.ts";
import {
  about,
  changesOf,
  createMember,
  createService,
  deleteService,
  editSpec,
  HTTP,
  isDeletion,
  isMembersOnly,
  labelNode,
  loadBalancerFor,
  noLoadBalancer,
  preparedService,
  served,
  serviceGone,
  untilLoadBalancer,
} from "./objects.ts";

/** Rows during which no other row's nodes may come and go, but which do not disturb each other. */
export const QUIET_NODES: readonly Scenario[] = rows({
  "S-24 a node that is not ready and then is again changes nothing": async (env) => {
    await preparedService(env, "s-24");
    await preparedService(env, "s-24-b");
    await untilAllIn(env, ["s-24", "s-24-b"]);
    const before = changesOf(env, "s-24").length;
    await setReady(env, "s-00", "False");
    await always(() => same(changesOf(env, "s-24").length, before, "changes"), {
      forMs: 5_000,
    });
    await setReady(env, "s-00", "True");
    await always(() => same(changesOf(env, "s-24").length, before, "changes"), {
      forMs: 5_000,
    });
  },
  "S-25 labels, taints and addresses of no interest change nothing": async (env) => {
    await preparedService(env, "s-25");
    await untilAllIn(env, ["s-25"]);
    const before = changesOf(env, "s-25").length;
    await labelNode(env, "s-00", { "example.com/any": "label" });
    await patchNode(env, "s-00", {
      spec: { taints: [{ key: "example.com/any", value: "x", effect: "NoSchedule" }] },
    });
    const addresses = [{ type: "InternalIP", address: "10.90.0.25" }];
    await env.kube.patch("/api/v1/nodes/s-00/status", "merge", { status: { addresses } });
    await always(() => same(changesOf(env, "s-25").length, before, "changes"), {
      forMs: 10_000,
    });
  },
});

/** Rows about all nodes of the cluster: one after the other, in a cluster that starts without any. */
export const ALL_NODES: readonly Scenario[] = rows({
  "S-16 without any node there is a load balancer without members, and a warning": async (env) => {
    await createService(env, "s-16");
    await served(env, "s-16");
    same((await loadBalancerFor(env, "s-16")).members, [], "the members");
    await warnedOf(env, "s-16", ["UnAvailableLoadBalancer"]);
    await reported(env, "s-16", ["EnsuredLoadBalancer"]);
  },
  "S-27 when the last node goes the load balancer is left without members, and that is reported":
    async (env) => {
      const node = await createMember(env, "s-27-n");
      await createService(env, "s-27");
      await served(env, "s-27");
      await hasMembers(env, "s-27", { has: [node] });
      const warnings = eventCount(env, "s-27", "UnAvailableLoadBalancer");
      await env.kube.delete("/api/v1/nodes/s-27-n");
      await untilLoadBalancer(env, "s-27", {
        check: ({ members }) => same(members, [], "members"),
      });
      await eventually(() =>
        demand(
          eventCount(env, "s-27", "UnAvailableLoadBalancer") > warnings,
          "no Event reports that no node is left",
        ),
      );
    },
  "S-28 a node that joins three Services' load balancers is three updates": async (env) => {
    const names = ["s-28-a", "s-28-b", "s-28-c"];
    for (const name of names) await createService(env, name);
    await createService(env, "s-28-d", { spec: { type: "ClusterIP" } });
    for (const name of names) await served(env, name);
    const before = names.map((name) => changesOf(env, name).length);
    const node = await createMember(env, "s-28-n");
    for (const name of names) await hasMembers(env, name, { has: [node] });
    await always(
      () => {
        for (const [index, name] of names.entries()) {
          const since = changesOf(env, name).slice(before[index]);
          same(since.map(isMembersOnly), [true], `updates of ${name}`);
        }
        same(changesOf(env, "s-28-d").length, 0, "changes for the ClusterIP");
      },
      { forMs: 4_000 },
    );
  },
  "S-29 an update of the members that fails is reported with their names, and everything is ensured at once":
    async (env) => {
      await servedWithNode(env, "s-29");
      failMembersOnce(env, "s-29");
      const node = await createMember(env, "s-29-n");
      await warnedOf(env, "s-29", ["UpdateLoadBalancerFailed", "s-29-n"]);
      await hasMembers(env, "s-29", { has: [node], withinMs: 5_000 });
    },
  "S-31 of 25 nodes at most 20 are named when their update fails, and the total": async (env) => {
    await createService(env, "s-31");
    await served(env, "s-31");
    const names = Array.from({ length: 25 }, (_, index) => `s-31-n${index}`);
    await Promise.all(names.map((name) => createMember(env, name)));
    await untilLoadBalancer(env, "s-31", {
      check: ({ members }) => same(members.length, env.nodes.all().length, "the members"),
    });
    failMembersOnce(env, "s-31");
    await createMember(env, "s-31-last");
    const { message } = await warnedOf(env, "s-31", ["UpdateLoadBalancerFailed", "more"]);
    const named = message.match(/\bs-\d\d-[a-z0-9-]+/g) ?? [];
    demand(named.length <= 20, `it names ${named.length} nodes: ${message}`);
    const total = `total number of nodes: ${env.nodes.all().length}`;
    demand(message.includes(total), `"${total}" is not in: ${message}`);
  },
});

/** Creates a Service with one member, so that a further one is an update of the members. */
async function servedWithNode(env: SharedEnvironment, name: string): Promise<void> {
  const node = await createMember(env, `${name}-first`);
  await createService(env, name);
  await served(env, name);
  await hasMembers(env, name, { has: [node] });
}

/** Waits until all work about the standing node is done. */
async function untilAllIn(env: SharedEnvironment, names: readonly string[]): Promise<void> {
  for (const name of names)
    await untilLoadBalancer(env, name, {
      check: ({ members }) => same(members.length, 1, `the members of ${name}`),
    });
}

/** Rows about slow updates of the members. */
export const SLOW_MEMBERS: readonly Scenario[] = rows({
  "S-70 no update of the members ends after the deletion has begun": async (env) => {
    await preparedLoadBalancer(env, "s-70");
    let isUnderWay = false;
    env.relay.rule({
      fits: about("s-70", isMembersOnly),
      strike: async () => {
        isUnderWay = true;
        await new Promise((resolve) => setTimeout(resolve, 4_000));
        return undefined;
      },
    });
    await createMember(env, "s-70-n");
    await eventually(() => demand(isUnderWay, "the members are not updated yet"));
    await deleteService(env, "s-70");
    await serviceGone(env, "s-70");
    await noLoadBalancer(env, "s-70");
    const changes = changesOf(env, "s-70");
    const deletedAt = changes.find(isDeletion)?.at ?? 0;
    const late = changes
      .filter(isMembersOnly)
      .filter(({ endedAt }) => (endedAt ?? Number.POSITIVE_INFINITY) > deletedAt);
    same(late.length, 0, "updates that ended after the deletion began");
  },
  "S-58 a slow update of one Service takes no newer node away from it or another one": async (
    env,
  ) => {
    const names = ["s-58-a", "s-58-b"];
    for (const name of names) await preparedLoadBalancer(env, name);
    for (const name of names)
      env.relay.rule({
        fits: about(name, isMembersOnly),
        strike: async () => {
          await new Promise((resolve) => setTimeout(resolve, 3_000));
          return undefined;
        },
      });
    const first = await createMember(env, "s-58-n1");
    await eventually(() =>
      demand(changesOf(env, "s-58-a").some(isMembersOnly), "nothing is updated yet"),
    );
    const second = await createMember(env, "s-58-n2");
    await editSpec(env, "s-58-b", { ports: [{ ...HTTP, port: 8_058 }] });
    for (const name of names)
      await hasMembers(env, name, { has: [first, second], withinMs: 45_000 });
    const kept = names.flatMap((name) => changesOf(env, name).filter(isMembersOnly));
    let has = new Set<string>();
    for (const { service, body } of kept) {
      const members = (body?.members ?? []) as string[];
      const tag = (id: string) => `${service} ${id}`;
      const lost = [...has].filter(
        (entry) => entry.startsWith(`${service} `) && !members.map(tag).includes(entry),
      );
      same(lost, [], "members that an update took away again");
      has = new Set([...has, ...members.filter((id) => [first, second].includes(id)).map(tag)]);
    }
  },
});
