import { SERVICE_WATCH } from "@cloudwright/core/controllers/service/module";
import type { Node, Service } from "@cloudwright/core/kube/client";
import { UNINITIALIZED_TAINT } from "@cloudwright/core/model/taints";
import { expect, it } from "vitest";
import type { WatchCaches } from "../../wiring/cluster/cluster-informers.ts";
import { inventoryOf } from "./heartbeat.ts";

const FLAGS = { "load-balancer-class": ["ours"], "load-balancer-classless": true };

function cache<T>(objects: readonly T[], hasSynced = true) {
  return { hasSynced, list: () => objects };
}

function holding(services: unknown): Pick<WatchCaches, "find"> {
  return { find: (watch) => (watch === SERVICE_WATCH ? (services as never) : undefined) };
}

function node(...taints: readonly string[]): Node {
  return { spec: { taints: taints.map((key) => ({ key, effect: "NoSchedule" })) } };
}

function service(spec: NonNullable<Service["spec"]>): Service {
  return { spec };
}

it("a heartbeat counts the cached nodes, and those that wait to be initialised", () => {
  const nodes = cache([node(), node(UNINITIALIZED_TAINT), node("another")]);
  expect(inventoryOf({ nodes, caches: holding(undefined) }, FLAGS)).toEqual({
    inventory: { nodes: 3, uninitialised: 1 },
  });
});

it("and the Services that request one of our load balancers", () => {
  const services = cache([
    service({ type: "LoadBalancer" }),
    service({ type: "LoadBalancer", loadBalancerClass: "ours" }),
    service({ type: "LoadBalancer", loadBalancerClass: "theirs" }),
    service({ type: "ClusterIP" }),
  ]);
  expect(inventoryOf({ nodes: cache<Node>([]), caches: holding(services) }, FLAGS)).toEqual({
    inventory: { nodes: 0, uninitialised: 0, services: 2 },
  });
});

it("omits caches that are not synced yet: a part would be taken for the whole", () => {
  expect(inventoryOf(undefined, FLAGS)).toEqual({});
  expect(inventoryOf({ nodes: cache([node()], false), caches: holding(undefined) }, FLAGS)).toEqual(
    {},
  );
  const services = cache([service({ type: "LoadBalancer" })], false);
  expect(inventoryOf({ nodes: cache([node()]), caches: holding(services) }, FLAGS)).toEqual({
    inventory: { nodes: 1, uninitialised: 0 },
  });
});
