import type { CloudRelay } from "../../harness/cloud-relay.ts";
import { rowsOf } from "../../harness/database.ts";
import { SERVICES } from "../../harness/service.ts";
import { always, demand, eventually, same } from "../../harness/wait.ts";
import type { Scenario } from "../environment/scenario.ts";
import { onStage, type Replica, type ReplicaWish, type Stage } from "../environment/stage.ts";
import { notTold, serviceEvents, statusWrites } from "./evidence.ts";
import {
  annotate,
  balancerFor,
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
  noBalancer,
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

/** Rows about what happened while no controller ran; each has controllers and a cloud of its own, one row after the other. */
export const SERVICE_RESTARTS: readonly Scenario[] = [
  onStage("S-52", "what was deleted meanwhile is cleaned up at the start", async (stage) => {
    const play = await open(stage);
    await withService(stage, play, "s-52");
    await deleteService(stage, "s-52");
    await play.start();
    await serviceGone(stage, "s-52");
    await noBalancer(stage, "s-52");
  }),

  onStage("S-53", "what became a ClusterIP meanwhile loses its balancer", async (stage) => {
    const play = await open(stage);
    await withService(stage, play, "s-53");
    await editSpec(stage, "s-53", { type: "ClusterIP" });
    await play.start();
    await noBalancer(stage, "s-53");
    await untilService(stage, "s-53", {
      check: (service) => same(finalizersOf(service), [], "the finalizers"),
    });
  }),

  onStage("S-54", "a restart looks, and writes nothing that is so already", async (stage) => {
    const play = await open(stage);
    const names = ["s-54-a", "s-54-b", "s-54-c"];
    const first = await play.start();
    await createMember(stage, "s-54-n");
    for (const name of names) await createService(stage, name);
    for (const name of names) await served(stage, name);
    await first.stop();
    const before = names.map((name) => seenService(stage, name).metadata.resourceVersion);
    const writes = await Promise.all(names.map((name) => statusWrites(stage, name)));
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
    const after = names.map((name) => seenService(stage, name).metadata.resourceVersion);
    same(after, before, "the versions of the Services");
    const now = await Promise.all(names.map((name) => statusWrites(stage, name)));
    same(now, writes, "writes of the status");
  }),

  onStage(
    "S-69",
    "a Service that got another class meanwhile loses our balancer, and keeps its status",
    async (stage) => {
      const play = await open(stage);
      await withService(stage, play, "s-69");
      await editSpec(stage, "s-69", { type: "ClusterIP" });
      await editSpec(stage, "s-69", { type: "LoadBalancer", loadBalancerClass: "x/y" });
      const ingress = [{ ip: "203.0.113.69", ipMode: "VIP" }];
      await stage.kube.patch(`${SERVICES}/s-69/status`, "merge", {
        status: { loadBalancer: { ingress } },
      });
      await play.start();
      await noBalancer(stage, "s-69");
      await untilService(stage, "s-69", {
        check: (service) => same(finalizersOf(service), [], "the finalizers"),
      });
      same(ingressOf(seenService(stage, "s-69")), ingress, "where it is reached");
    },
  ),

  onStage(
    "B-49",
    "what went while no controller ran is gone in the ledger as well",
    async (stage) => {
      const { start } = await open(stage);
      const flags = { "--controllers": "service-lb-controller,cloud-node" };
      const first = await start({ flags });
      await createMember(stage, "b-49-n");
      await createService(stage, "b-49", { spec: { loadBalancerIP: "no address" } });
      const untilStates = (wanted: readonly string[]) =>
        eventually(async () => same(await statesOf(stage, "b-49"), wanted, "the states"), {
          withinMs: 30_000,
        });
      await untilStates(["b-49-n ok", "default/b-49 stuck"]);
      await first.stop();
      await deleteService(stage, "b-49");
      await stage.kube.delete("/api/v1/nodes/b-49-n");
      await start({ name: "b", flags });
      await untilStates(["b-49-n gone", "default/b-49 gone"]);
    },
  ),

  onStage("S-75", "a deleted Service that only others hold back is left alone", async (stage) => {
    const play = await open(stage);
    const first = await play.start();
    await createMember(stage, "s-75-n");
    await createService(stage, "s-75", { finalizers: ["x.example/y"] });
    await served(stage, "s-75");
    await deleteService(stage, "s-75");
    await untilService(stage, "s-75", {
      check: (service) => same(finalizersOf(service), ["x.example/y"], "the finalizers"),
    });
    await noBalancer(stage, "s-75");
    await first.stop();
    play.relay.forget();
    await play.start();
    await annotate(stage, "s-75", { "example.com/any": "edit" });
    await always(
      () => {
        same(changesOf(play, "s-75").length, 0, "changes in the cloud");
        notTold(stage, "s-75", "SyncLoadBalancerFailed");
      },
      { forMs: 10_000 },
    );
  }),

  onStage(
    "S-55",
    "five slow creations: five workers make them at once, one after the other",
    async (stage) => {
      const play = await open(stage);
      play.relay.rule({
        fits: isCreation,
        strike: async () => {
          await new Promise((resolve) => setTimeout(resolve, 5_000));
          return undefined;
        },
      });
      const five = await play.start({ flags: { "--concurrent-service-syncs": "5" } });
      const fast = await untilAllServed(stage, "s-55-five");
      demand(fast < 12_000, `five workers took ${fast} ms`);
      await five.stop();
      await play.start({ name: "one", flags: { "--concurrent-service-syncs": "1" } });
      const slow = await untilAllServed(stage, "s-55-one");
      demand(slow >= 25_000, `one worker took ${slow} ms`);
      for (const { metadata } of stage.services.all().filter(isOfRow))
        hasNoFailure(stage, metadata.name);
    },
  ),
];

/** What the ledger has of the row's objects, by name. */
async function statesOf({ databaseUrl = "" }: Stage, row: string): Promise<readonly string[]> {
  const rows = await rowsOf<{ name: string; state: string }>(
    databaseUrl,
    "SELECT name, state FROM object_states WHERE name ~ $1 ORDER BY name",
    [`(^|/)${row}(-|$)`],
  );
  return rows.map(({ name, state }) => `${name} ${state}`);
}

interface Play {
  readonly relay: CloudRelay;
  start(wish?: ReplicaWish): Promise<Replica>;
}

async function open(stage: Stage): Promise<Play> {
  const { relay, config } = await stage.relayedCloud();
  return {
    relay,
    start: (wish = {}) =>
      stage.start({ cloudConfig: config, ...wish, flags: { ...SERVICES_ALONE, ...wish.flags } }),
  };
}

/** A Service that was served, and whose controller is gone. */
async function withService(stage: Stage, play: Play, name: string): Promise<void> {
  const controller = await play.start();
  await createMember(stage, `${name}-n`);
  await createService(stage, name);
  hasFinalizer(await served(stage, name));
  same((await balancerFor(stage, name)).tags["cloudwright.io/service"], key(name), "its owner");
  await controller.stop();
}

async function untilAllServed(stage: Stage, prefix: string): Promise<number> {
  const began = Date.now();
  const names = Array.from({ length: 5 }, (_, index) => `${prefix}-${index}`);
  await Promise.all(names.map((name) => createService(stage, name)));
  await Promise.all(names.map((name) => served(stage, name, 60_000)));
  return Date.now() - began;
}

function isOfRow({ metadata }: { metadata: { name: string } }): boolean {
  return metadata.name.startsWith("s-55");
}

function hasNoFailure(stage: Stage, name: string): void {
  const failed = serviceEvents(stage, name).filter(({ reason }) => reason.endsWith("Failed"));
  same(failed.length, 0, `failures told of ${name}`);
}
