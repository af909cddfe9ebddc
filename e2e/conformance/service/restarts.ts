import { rowsOf } from "../../harness/database.ts";
import type { CloudRelay } from "../../harness/relays/cloud-relay.ts";
import { SERVICES } from "../../harness/service.ts";
import { always, demand, eventually, same } from "../../harness/wait.ts";
import {
  type IsolatedEnvironment,
  isolatedRows,
  type Replica,
  type ReplicaOptions,
} from "../environment/isolated.ts";
import type { Scenario } from "../environment/scenario.ts";
import { notReported, serviceEvents, statusWrites } from "./evidence.ts";
import {
  annotate,
  changesOf,
  createMember,
  createService,
  deleteService,
  editSpec,
  finalizersOf,
  hasFinalizer,
  ingressOf,
  isCreation,
  key,
  loadBalancerFor,
  noLoadBalancer,
  seenService,
  served,
  serviceGone,
  untilService,
} from "./objects.ts";

const SERVICES_ALONE = {
  "--controllers": "service-lb-controller",
  "--leader-elect": "false",
  "--load-balancer-drift-period": "60s",
};

/** Rows about changes while no controller ran; each has its own controllers and cloud, one row after the other. */
export const SERVICE_RESTARTS: readonly Scenario[] = isolatedRows({
  "S-52 what was deleted meanwhile is cleaned up at the start": async (env) => {
    const play = await open(env);
    await withService(env, play, "s-52");
    await deleteService(env, "s-52");
    await play.start();
    await serviceGone(env, "s-52");
    await noLoadBalancer(env, "s-52");
  },
  "S-53 what became a ClusterIP meanwhile loses its load balancer": async (env) => {
    const play = await open(env);
    await withService(env, play, "s-53");
    await editSpec(env, "s-53", { type: "ClusterIP" });
    await play.start();
    await noLoadBalancer(env, "s-53");
    await untilService(env, "s-53", {
      check: (service) => same(finalizersOf(service), [], "the finalizers"),
    });
  },
  "S-54 a restart looks, and writes nothing that is so already": async (env) => {
    const play = await open(env);
    const names = ["s-54-a", "s-54-b", "s-54-c"];
    const first = await play.start();
    await createMember(env, "s-54-n");
    for (const name of names) await createService(env, name);
    for (const name of names) await served(env, name);
    await first.stop();
    const before = names.map((name) => seenService(env, name).metadata.resourceVersion);
    const writes = await Promise.all(names.map((name) => statusWrites(env, name)));
    play.relay.forget();
    await play.start();
    await eventually(() => demand(play.relay.calls.length > 0, "the cloud was not even looked at"));
    await always(
      () => {
        for (const name of names)
          same(changesOf(play, name).length, 0, `changes of ${name} in the cloud`);
      },
      { forMs: 8_000 },
    );
    const after = names.map((name) => seenService(env, name).metadata.resourceVersion);
    same(after, before, "the versions of the Services");
    const now = await Promise.all(names.map((name) => statusWrites(env, name)));
    same(now, writes, "writes of the status");
  },
  "S-69 a Service that got another class meanwhile loses our load balancer, and keeps its status":
    async (env) => {
      const play = await open(env);
      await withService(env, play, "s-69");
      await editSpec(env, "s-69", { type: "ClusterIP" });
      await editSpec(env, "s-69", { type: "LoadBalancer", loadBalancerClass: "x/y" });
      const ingress = [{ ip: "203.0.113.69", ipMode: "VIP" }];
      await env.kube.patch(`${SERVICES}/s-69/status`, "merge", {
        status: { loadBalancer: { ingress } },
      });
      await play.start();
      await noLoadBalancer(env, "s-69");
      await untilService(env, "s-69", {
        check: (service) => same(finalizersOf(service), [], "the finalizers"),
      });
      same(ingressOf(seenService(env, "s-69")), ingress, "where it is reached");
    },
  "B-49 what went while no controller ran is gone in the ledger as well": async (env) => {
    const { start } = await open(env);
    const flags = { "--controllers": "service-lb-controller,cloud-node" };
    const first = await start({ flags });
    await createMember(env, "b-49-n");
    await createService(env, "b-49", { spec: { loadBalancerIP: "no address" } });
    const untilStates = (wanted: readonly string[]) =>
      eventually(async () => same(await statesOf(env, "b-49"), wanted, "the states"), {
        withinMs: 30_000,
      });
    await untilStates(["b-49-n ok", "default/b-49 stuck"]);
    await first.stop();
    await deleteService(env, "b-49");
    await env.kube.delete("/api/v1/nodes/b-49-n");
    await start({ name: "b", flags });
    await untilStates(["b-49-n gone", "default/b-49 gone"]);
  },
  "S-75 a deleted Service that only others hold back is left alone": async (env) => {
    const play = await open(env);
    const first = await play.start();
    await createMember(env, "s-75-n");
    await createService(env, "s-75", { finalizers: ["x.example/y"] });
    await served(env, "s-75");
    await deleteService(env, "s-75");
    await untilService(env, "s-75", {
      check: (service) => same(finalizersOf(service), ["x.example/y"], "the finalizers"),
    });
    await noLoadBalancer(env, "s-75");
    await first.stop();
    play.relay.forget();
    await play.start();
    await annotate(env, "s-75", { "example.com/any": "edit" });
    await always(
      () => {
        same(changesOf(play, "s-75").length, 0, "changes in the cloud");
        notReported(env, "s-75", "SyncLoadBalancerFailed");
      },
      { forMs: 10_000 },
    );
  },
  "S-55 five slow creations: five workers make them at once, one after the other": async (env) => {
    const play = await open(env);
    play.relay.rule({
      fits: isCreation,
      strike: async () => {
        await new Promise((resolve) => setTimeout(resolve, 5_000));
        return undefined;
      },
    });
    const five = await play.start({ flags: { "--concurrent-service-syncs": "5" } });
    const fast = await untilAllServed(env, "s-55-five");
    demand(fast < 12_000, `five workers took ${fast} ms`);
    await five.stop();
    await play.start({ name: "one", flags: { "--concurrent-service-syncs": "1" } });
    const slow = await untilAllServed(env, "s-55-one");
    demand(slow >= 25_000, `one worker took ${slow} ms`);
    for (const { metadata } of env.services.all().filter(isOfRow)) hasNoFailure(env, metadata.name);
  },
});

/** Returns what the ledger contains about the row's objects, by name. */
async function statesOf(
  { databaseUrl = "" }: IsolatedEnvironment,
  row: string,
): Promise<readonly string[]> {
  const rows = await rowsOf<{ name: string; state: string }>(
    databaseUrl,
    "SELECT name, state FROM all_states WHERE name ~ $1 ORDER BY name",
    [`(^|/)${row}(-|$)`],
  );
  return rows.map(({ name, state }) => `${name} ${state}`);
}

interface Play {
  readonly relay: CloudRelay;
  start(options?: ReplicaOptions): Promise<Replica>;
}

async function open(env: IsolatedEnvironment): Promise<Play> {
  const { relay, config } = await env.relayedCloud();
  return {
    relay,
    start: (options = {}) =>
      env.start({
        cloudConfig: config,
        ...options,
        flags: { ...SERVICES_ALONE, ...options.flags },
      }),
  };
}

/** Creates a Service that was served, and stops its controller. */
async function withService(env: IsolatedEnvironment, play: Play, name: string): Promise<void> {
  const controller = await play.start();
  await createMember(env, `${name}-n`);
  await createService(env, name);
  hasFinalizer(await served(env, name));
  same((await loadBalancerFor(env, name)).tags["cloudwright.io/service"], key(name), "its owner");
  await controller.stop();
}

async function untilAllServed(env: IsolatedEnvironment, prefix: string): Promise<number> {
  const began = Date.now();
  const names = Array.from({ length: 5 }, (_, index) => `${prefix}-${index}`);
  await Promise.all(names.map((name) => createService(env, name)));
  await Promise.all(names.map((name) => served(env, name, 60_000)));
  return Date.now() - began;
}

function isOfRow({ metadata }: { metadata: { name: string } }): boolean {
  return metadata.name.startsWith("s-55");
}

function hasNoFailure(env: IsolatedEnvironment, name: string): void {
  const failed = serviceEvents(env, name).filter(({ reason }) => reason.endsWith("Failed"));
  same(failed.length, 0, `failures reported of ${name}`);
}
