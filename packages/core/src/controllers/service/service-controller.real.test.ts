import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { SERVICES, type Service } from "../../kube/client.ts";
import { testClusterFolder } from "../../kube/testing/test-cluster.ts";
import { HOLD_ANNOTATION } from "../hold/hold.ts";
import { nameOf } from "../objects/object-meta.ts";
import { type RealCluster, startRealCluster } from "../testing/real-cluster.ts";
import { CLASS_ANNOTATION, FINALIZER } from "./service-object.ts";
import {
  type RealServiceLoop,
  SERVED_CLASS,
  startRealServiceLoop,
} from "./testing/real-service-loop.ts";

const folder = testClusterFolder();
const PATIENCE = { timeout: 20_000, interval: 50 };

describe.skipIf(folder === undefined)("Services on a real API server", { timeout: 60_000 }, () => {
  let cluster: RealCluster;
  let running: RealServiceLoop;

  beforeAll(async () => {
    cluster = await startRealCluster(folder ?? "");
    await cluster.kubectl("create", "namespace", "shop");
    running = await startRealServiceLoop(cluster);
  });
  afterAll(async () => {
    await running?.stop();
    await cluster?.close();
  });

  async function create(name: string, metadata: object = {}, spec: object = {}): Promise<Service> {
    return cluster.create<Service>(SERVICES, {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name, namespace: "shop", ...metadata },
      spec: { type: "LoadBalancer", ports: [{ port: 80, targetPort: 80 }], ...spec },
    });
  }

  function get(name: string): Promise<Service> {
    return cluster.client.get<Service>({ resource: SERVICES, namespace: "shop", name });
  }

  async function served(name: string): Promise<Service> {
    await vi.waitFor(async () => {
      const { status } = await get(name);
      expect(status?.loadBalancer?.ingress).toEqual([{ ip: "9.9.9.9", ipMode: "VIP" }]);
    }, PATIENCE);
    return get(name);
  }

  function gone(name: string): Promise<void> {
    return vi.waitFor(async () => {
      const { items } = await cluster.client.list<Service>({
        resource: SERVICES,
        namespace: "shop",
      });
      expect(items.map(nameOf)).not.toContain(name);
      expect(running.inCloud()).not.toContain(name);
    }, PATIENCE);
  }

  it("get finalizer and address in two writes that stay, and go with their load balancer", async () => {
    await create("web");
    const { metadata } = await served("web");
    expect(metadata?.finalizers).toEqual([FINALIZER]);
    expect(running.inCloud()).toEqual(["web"]);
    await vi.waitFor(() => expect(running.outcome("web")?.outcome).toBe("changed"), PATIENCE);
    const { metadata: later } = await get("web");
    expect(later?.resourceVersion).toBe(metadata?.resourceVersion);
    await cluster.kubectl("delete", "service", "web", "-n", "shop", "--wait=false");
    await gone("web");
    await vi.waitFor(
      () => expect(running.events()).toContain("shop/web DeletedLoadBalancer"),
      PATIENCE,
    );
    expect(running.events()).toContain("shop/web EnsuredLoadBalancer");
  });

  it("keep the finalizers of others", async () => {
    await create("guarded", { finalizers: ["example.org/guard"] });
    const { metadata } = await served("guarded");
    expect(new Set(metadata?.finalizers)).toEqual(new Set(["example.org/guard", FINALIZER]));
    await cluster.kubectl("delete", "service", "guarded", "-n", "shop", "--wait=false");
    await vi.waitFor(async () => {
      const { metadata: left, status } = await get("guarded");
      expect(left?.finalizers).toEqual(["example.org/guard"]);
      expect(status?.loadBalancer).toEqual({});
    }, PATIENCE);
    await cluster.kubectl(
      "patch",
      "service",
      "guarded",
      "-n",
      "shop",
      "--type=merge",
      "-p",
      '{"metadata":{"finalizers":null}}',
    );
    await gone("guarded");
  });

  it("lose their load balancer with their type, and get one again", async () => {
    await create("turning");
    await served("turning");
    const type = (name: string) =>
      cluster.kubectl(
        "patch",
        "service",
        "turning",
        "-n",
        "shop",
        "-p",
        `{"spec":{"type":"${name}"}}`,
      );
    await type("ClusterIP");
    await vi.waitFor(async () => {
      const { metadata, status } = await get("turning");
      expect(metadata?.finalizers).toBeUndefined();
      expect(status?.loadBalancer).toEqual({});
      expect(status?.conditions ?? []).toEqual([]);
      expect(running.inCloud()).not.toContain("turning");
    }, PATIENCE);
    await type("LoadBalancer");
    await served("turning");
  });

  it("have their class beside the finalizer while they are served, as the API server removes the class with the type", async () => {
    await create("classed", {}, { loadBalancerClass: SERVED_CLASS });
    const { metadata } = await served("classed");
    expect(metadata?.annotations).toEqual({ [CLASS_ANNOTATION]: SERVED_CLASS });
    expect(metadata?.finalizers).toEqual([FINALIZER]);
    const type = '{"spec":{"type":"ClusterIP"}}';
    const edited = await cluster.kubectl(
      "patch",
      "service",
      "classed",
      "-n=shop",
      "-o=json",
      "-p",
      type,
    );
    expect(edited).not.toContain("loadBalancerClass");
    await vi.waitFor(async () => {
      const { metadata: left } = await get("classed");
      expect(left?.finalizers).toBeUndefined();
      expect(left?.annotations).toBeUndefined();
      expect(running.inCloud()).not.toContain("classed");
    }, PATIENCE);
  });

  it("get back a finalizer that a user removed, and leave nothing behind if they are deleted without it", async () => {
    await create("stripped");
    await served("stripped");
    await cluster.kubectl(
      "patch",
      "service",
      "stripped",
      "-n",
      "shop",
      "--type=merge",
      "-p",
      '{"metadata":{"finalizers":null}}',
    );
    await vi.waitFor(async () => {
      expect((await get("stripped")).metadata?.finalizers).toEqual([FINALIZER]);
    }, PATIENCE);
    running.pause();
    await cluster.kubectl(
      "patch",
      "service",
      "stripped",
      "-n",
      "shop",
      "--type=merge",
      "-p",
      '{"metadata":{"finalizers":null}}',
    );
    await cluster.kubectl("delete", "service", "stripped", "-n", "shop");
    running.resume();
    await gone("stripped");
  });

  it("are held and released through the status subresource, which is all that upstream's role allows", async () => {
    await create("held");
    await served("held");
    const until = Date.now() + 60_000;
    await running.ask("held", { kind: "hold", until });
    const { metadata } = await get("held");
    expect(metadata?.annotations?.[HOLD_ANNOTATION]).toBe("INC-88");
    await running.ask("held", { kind: "release" });
    expect((await get("held")).metadata?.annotations ?? {}).not.toHaveProperty([HOLD_ANNOTATION]);
  });

  it("go with their namespace", async () => {
    await cluster.kubectl("create", "namespace", "short");
    await cluster.create<Service>(SERVICES, {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "brief", namespace: "short" },
      spec: { type: "LoadBalancer", ports: [{ port: 80, targetPort: 80 }] },
    });
    await cluster.kubectl("delete", "namespace", "short", "--wait=false");
    await cluster.kubectl("delete", "service", "brief", "-n", "short", "--wait=false");
    await vi.waitFor(() => expect(running.inCloud()).not.toContain("brief"), PATIENCE);
    await vi.waitFor(() => expect(running.outcome("brief", "short")?.state).toBe("gone"), PATIENCE);
  });
});
