import type { KubeObject, Node, Service } from "@cloudwright/core/kube/client";
import type { Informer, InformerEvent } from "@cloudwright/core/kube/informer/informer-port";
import type { SourceChange } from "@cloudwright/provider-grpc/connection";
import { expect, it } from "vitest";
import { createClusterObjects } from "./cluster-objects.ts";

/** An informer whose events the test makes. */
function informerOf<T extends KubeObject>(...objects: readonly T[]) {
  const all = new Map(objects.map((each) => [each.metadata?.name ?? "", each]));
  const handlers = new Set<(event: InformerEvent<T>) => void>();
  const informer: Informer<T> = {
    get: (key) => all.get(key),
    list: () => [...all.values()],
    byIndex: () => [],
    subscribe: (handler) => {
      handlers.add(handler);
      return () => handlers.delete(handler);
    },
    synced: Promise.resolve(),
    hasSynced: true,
    silentMs: () => 0,
  };
  const announce = (event: InformerEvent<T>) => {
    if (event.kind === "deleted") all.delete(event.object.metadata?.name ?? "");
    else all.set(event.object.metadata?.name ?? "", event.object);
    for (const handler of handlers) handler(event);
  };
  return { informer, announce, handlers };
}

function node(name: string, version = "1"): Node {
  return { metadata: { name, uid: `uid-${name}`, resourceVersion: version } };
}

function service(name: string, type = "LoadBalancer", version = "1"): Service {
  const metadata = { name, namespace: "shop", uid: `uid-${name}`, resourceVersion: version };
  return { metadata, spec: { type } };
}

function followed() {
  const objects = createClusterObjects();
  const changes: SourceChange[] = [];
  objects.onChange((change) => changes.push(change));
  const nodes = informerOf(node("w-1"));
  const services = informerOf(service("web"));
  objects.follow({ nodes: nodes.informer, services: services.informer });
  return { objects, changes, nodes, services };
}

it("is empty before it follows informers", () => {
  const objects = createClusterObjects();
  expect([objects.node("w-1"), objects.service("uid-web")]).toEqual([undefined, undefined]);
  expect([...objects.all("Node"), ...objects.all("Service")]).toEqual([]);
});

it("shows Nodes by name and Services by UID, as the informers hold them", () => {
  const { objects, changes, nodes } = followed();
  const shown = objects.node("w-1");
  expect(shown).toMatchObject({
    kind: "Node",
    uid: "uid-w-1",
    resourceVersion: "1",
    namespace: "",
  });
  expect(JSON.parse(shown?.json() ?? "")).toEqual(node("w-1"));
  expect(objects.service("uid-web")).toMatchObject({ namespace: "shop", name: "web" });
  nodes.announce({ kind: "updated", object: node("w-1", "2"), old: node("w-1") });
  expect(objects.node("w-1")?.resourceVersion).toBe("2");
  nodes.announce({ kind: "deleted", object: node("w-1", "2"), final: true });
  expect(objects.node("w-1")).toBeUndefined();
  expect(changes).toEqual([
    { kind: "Node", uid: "uid-w-1", isGone: false },
    { kind: "Node", uid: "uid-w-1", isGone: true },
  ]);
});

it("keeps a deleted Service until its load balancer is removed, and no other", () => {
  const { objects, changes, services } = followed();
  const plain = service("plain", "ClusterIP");
  services.announce({ kind: "added", object: plain, initial: false });
  services.announce({ kind: "deleted", object: plain, final: true });
  services.announce({ kind: "deleted", object: service("web", "LoadBalancer", "7"), final: true });
  expect(objects.service("uid-plain")).toBeUndefined();
  expect(objects.service("uid-web")?.resourceVersion).toBe("7");
  expect([...objects.all("Service")]).toEqual([]);
  expect(changes).toEqual([
    { kind: "Service", uid: "uid-plain", isGone: false },
    { kind: "Service", uid: "uid-plain", isGone: true },
  ]);
});

it("drops the oldest of very many deleted Services", () => {
  const { objects, changes, services } = followed();
  for (let index = 0; index <= 1_000; index += 1) {
    services.announce({ kind: "deleted", object: service(`s-${index}`), final: true });
  }
  expect(objects.service("uid-s-0")).toBeUndefined();
  expect(objects.service("uid-s-1")).toBeDefined();
  expect(changes).toEqual([{ kind: "Service", uid: "uid-s-0", isGone: true }]);
});

it("follows other informers once there are others", () => {
  const { objects, changes, nodes, services } = followed();
  const [later, none] = [informerOf(node("w-2")), informerOf<Service>()];
  objects.follow({ nodes: later.informer, services: none.informer });
  expect([nodes.handlers.size, services.handlers.size]).toEqual([0, 0]);
  expect([objects.node("w-1"), objects.service("uid-web")]).toEqual([undefined, undefined]);
  expect(objects.node("w-2")?.name).toBe("w-2");
  expect(changes).toEqual([]);
});
