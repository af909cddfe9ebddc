import type { OwnedLoadBalancer } from "@cloudwright/provider-api";
import { expect, it } from "vitest";
import type { Trigger } from "../../../model/run.ts";
import { createManualClock } from "../../../model/testing/manual-clock.ts";
import { settable } from "../../../model/testing/settable.ts";
import { FakeInformer, node } from "../../testing/node-fixture.ts";
import { ServiceLastSeen } from "../last-seen.ts";
import { NO_MEMORY, type ServiceMemory } from "../memory.ts";
import { FINALIZER } from "../service-object.ts";
import { FakeServices } from "../testing/fake-services.ts";
import { CLUSTER, service } from "../testing/service-fixture.ts";
import { startServiceController } from "./feed.ts";

const PERIOD_MS = 60_000;

function owned(objectUid: string, id: string): OwnedLoadBalancer {
  return {
    owner: { clusterUid: CLUSTER.clusterUid, objectUid },
    facts: { id, name: id, type: "network", addresses: [], state: "active", parts: [] },
  };
}

async function start(...services: readonly ReturnType<typeof service>[]) {
  const clock = createManualClock();
  const cache = new FakeServices(...services);
  const nodes = new FakeInformer(node({ name: "n1", providerID: "p://n1" }));
  const added: string[] = [];
  const errors: unknown[] = [];
  const period = settable(PERIOD_MS);
  const cloud: OwnedLoadBalancer[] = [];
  const memoryStore = new Map<string, ServiceMemory>();
  const lastSeen = new ServiceLastSeen({
    sightings: { known: [], keep: () => undefined },
    clock,
    effects: { emit: () => undefined },
  });
  let listing: () => Promise<readonly OwnedLoadBalancer[]> = () => Promise.resolve(cloud);
  const stop = startServiceController({
    services: cache,
    nodes,
    queue: {
      add: (key: string, why: Trigger, priority) =>
        void added.push(`${key} ${why.kind === "change" ? why.what : why.kind} ${priority}`),
    },
    reconciler: { stop: () => void added.push("stopped") },
    lastSeen,
    memoryStore: { of: (_key, uid = "") => memoryStore.get(uid) ?? NO_MEMORY },
    cluster: CLUSTER,
    policy: {
      classes: [],
      classless: true,
      adopt: "published",
      driftPeriodMs: PERIOD_MS,
      graceMs: 0,
    },
    period,
    abilities: { annotationPrefixes: ["p.example/"] },
    clock,
    owned: () => listing(),
    onError: (error) => void errors.push(error),
  });
  await clock.advance(0);
  return {
    clock,
    cache,
    nodes,
    lastSeen,
    memoryStore,
    cloud,
    errors,
    stop,
    refuseListing: () => {
      listing = () => Promise.reject(new Error("refused"));
    },
    take: () => added.splice(0),
  };
}

it("queues every Service of ours at the start, those that wait first", async () => {
  const { take } = await start(
    service({ name: "new" }),
    service({ name: "served", ingress: [{ ip: "1.2.3.4" }] }),
    service({ name: "old", finalizers: [FINALIZER], spec: { type: "ClusterIP" } }),
    service({ name: "plain", spec: { type: "ClusterIP" } }),
    service({ name: "classed", spec: { loadBalancerClass: "x/y" } }),
  );
  expect(take()).toEqual([
    "shop/new start change",
    "shop/served start background",
    "shop/old start change",
  ]);
});

it("queues all of ours once a period, and not at other times", async () => {
  const { clock, take } = await start(
    service(),
    service({ name: "plain", spec: { type: "ClusterIP" } }),
  );
  take();
  await clock.advance(PERIOD_MS);
  expect(take()).toEqual(["shop/web period background"]);
});

it("names what changed in a Service, and ignores other changes", async () => {
  const { cache, take } = await start(service());
  take();
  cache.edit("shop/web", (one) => ({ ...one, spec: { ...one.spec, selector: { a: "b" } } }));
  expect(take()).toEqual([]);
  cache.edit("shop/web", (one) => ({ ...one, spec: { ...one.spec, loadBalancerIP: "1.2.3.4" } }));
  expect(take()).toEqual(["shop/web loadBalancerIP change"]);
});

it("reacts to an annotation that the provider does not read only if something is wrong", async () => {
  const { cache, memoryStore, take } = await start(service());
  take();
  const stamp = (annotations: Record<string, string>) =>
    cache.edit("shop/web", (one) => ({ ...one, metadata: { ...one.metadata, annotations } }));
  stamp({ any: "thing" });
  expect(take()).toEqual([]);
  stamp({ any: "thing", "p.example/a": "b" });
  expect(take()).toEqual(["shop/web annotations change"]);
  memoryStore.set("uid-web", { ...NO_MEMORY, trouble: { times: 4, reason: undefined } });
  stamp({ any: "other", "p.example/a": "b" });
  expect(take()).toEqual(["shop/web other annotations change"]);
});

it("remembers what a Service may have left that was deleted without being cleaned up", async () => {
  const { cache, lastSeen, take } = await start(service(), service({ name: "done" }));
  take();
  lastSeen.released.add("uid-done");
  cache.remove("shop/web");
  cache.remove("shop/done");
  expect(take()).toEqual(["shop/web deleted change", "shop/done deleted change"]);
  expect(lastSeen.departed.of("shop/web")).toMatchObject([
    { owner: { objectUid: "uid-web", clusterUid: "cluster-1" } },
  ]);
  expect(lastSeen.departed.of("shop/done")).toEqual([]);
});

it("queues all that are served when nodes come or go, once for many nodes", async () => {
  const { clock, nodes, take } = await start(
    service(),
    service({ name: "old", finalizers: [FINALIZER], spec: { type: "ClusterIP" } }),
  );
  take();
  nodes.put(node({ name: "n1", providerID: "p://n1", ready: "False" }));
  nodes.put(node({ name: "n2", providerID: "p://n2" }));
  nodes.put(node({ name: "n3", providerID: "p://n3" }));
  await clock.advance(100);
  expect(take()).toEqual(["shop/web nodes change"]);
});

it("finds load balancers without a Service by listing them, and reports when one no longer is", async () => {
  const { clock, cloud, take } = await start(service());
  cloud.push(owned("uid-web", "lb-1"), owned("uid-gone", "lb-2"));
  take();
  await clock.advance(PERIOD_MS);
  expect(take()).toEqual(["shop/web period background", "orphan:lb-2 period background"]);
  cloud.pop();
  await clock.advance(PERIOD_MS);
  expect(take()).toContain("orphan:lb-2 period background");
});

it("does not take a load balancer for an orphan whose Service went just now", async () => {
  const { clock, cache, cloud, take } = await start(service());
  cloud.push(owned("uid-web", "lb-1"));
  await clock.advance(PERIOD_MS - 1_000);
  cache.remove("shop/web");
  take();
  await clock.advance(1_000);
  expect(take()).toEqual(["shop/web period background"]);
});

it("queues a Service that has a load balancer of ours and must have none", async () => {
  const { clock, cloud, lastSeen, take } = await start(
    service({ spec: { loadBalancerClass: "x/y" } }),
  );
  cloud.push(owned("uid-web", "lb-1"));
  await clock.advance(PERIOD_MS);
  expect(take()).toEqual(["shop/web its load balancer, which is not needed change"]);
  expect(lastSeen.unwanted.has("uid-web")).toBe(true);
});

it("reports a failed listing, and lists again", async () => {
  const { clock, errors, refuseListing } = await start();
  refuseListing();
  await clock.advance(2 * PERIOD_MS);
  expect(errors).toHaveLength(2);
});

it("adds nothing more once it is stopped", async () => {
  const { clock, cache, nodes, stop, take } = await start(service());
  nodes.put(node({ name: "n2", providerID: "p://n2" }));
  take();
  stop();
  cache.put(service({ name: "late" }));
  await clock.advance(2 * PERIOD_MS);
  expect(take()).toEqual(["stopped"]);
});
