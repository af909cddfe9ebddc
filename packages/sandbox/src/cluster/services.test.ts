import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { AskOptions } from "./testing/api-client.ts";
import { startTestCluster, type TestCluster } from "./testing/test-cluster.ts";
import { WatchReader } from "./testing/watch-reader.ts";

const SERVICES = "/api/v1/namespaces/default/services";
const OWN = `${SERVICES}/kubernetes`;
const MERGE = "application/merge-patch+json";

interface Service {
  readonly metadata: { readonly name: string; readonly uid: string };
  readonly spec: {
    readonly clusterIP: string;
    readonly clusterIPs: readonly string[];
    readonly healthCheckNodePort?: number;
    readonly ports: readonly { readonly nodePort?: number; readonly targetPort: number }[];
  };
  readonly status: { readonly loadBalancer: object };
}
interface List {
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
  readonly items: readonly Service[];
}

describe("services of the sandbox cluster", () => {
  let cluster: TestCluster;

  beforeEach(async () => {
    cluster = await startTestCluster();
  });
  afterEach(() => cluster.discard());

  const make = (name: string, spec: object = {}, metadata: object = {}) =>
    cluster.client.json<Service>("POST", SERVICES, {
      body: {
        metadata: { name, ...metadata },
        spec: { type: "LoadBalancer", ports: [{ port: 80 }], ...spec },
      },
    });
  const merge = (path: string, body: object, more: AskOptions = {}) =>
    cluster.client.ask("PATCH", path, { contentType: MERGE, body, ...more });
  const read = (path: string) => cluster.client.json<Service>("GET", path);

  it("have addresses and node ports of their own", async () => {
    const made = await Promise.all(
      Array.from({ length: 50 }, (_one, index) =>
        make(`s${index}`, { ipFamilyPolicy: "RequireDualStack", externalTrafficPolicy: "Local" }),
      ),
    );
    const addresses = made.flatMap(({ spec }) => spec.clusterIPs);
    const ports = made.flatMap(({ spec }) => [spec.ports[0]?.nodePort, spec.healthCheckNodePort]);
    expect(new Set(addresses).size).toBe(100);
    expect(new Set(ports).size).toBe(100);
  });

  it("keep their addresses and ports over a restart, and nobody else gets these", async () => {
    const { spec } = await make("lb", { externalTrafficPolicy: "Local" });
    cluster = await cluster.restart();
    expect((await read(`${SERVICES}/lb`)).spec).toEqual(spec);
    const taken = [
      { clusterIP: spec.clusterIP },
      { ports: [{ port: 1, nodePort: spec.ports[0]?.nodePort }] },
    ];
    for (const options of taken) {
      const overridden = await cluster.client.ask("POST", SERVICES, {
        body: {
          metadata: { name: "x" },
          spec: { type: "NodePort", ports: [{ port: 1 }], ...options },
        },
      });
      expect([overridden.status, overridden.text]).toEqual([
        422,
        expect.stringContaining("already allocated"),
      ]);
    }
  });

  it("release everything when the last finalizer is removed, not before", async () => {
    const { spec } = await make("lb", {}, { finalizers: ["a.b/c"] });
    const options = {
      clusterIP: spec.clusterIP,
      ports: [{ port: 1, nodePort: spec.ports[0]?.nodePort }],
    };
    await cluster.client.ask("DELETE", `${SERVICES}/lb`);
    expect(await make("heir", options)).toMatchObject({ code: 422 });
    await merge(`${SERVICES}/lb/status`, { metadata: { finalizers: null } });
    expect(await make("heir", options)).toMatchObject({ spec: options });
  });

  it("release what another type does not need", async () => {
    const { spec } = await make("lb", { ipFamilyPolicy: "RequireDualStack" });
    const [, second] = spec.clusterIPs;
    await merge(`${SERVICES}/lb`, { spec: { type: "ClusterIP", ipFamilyPolicy: "SingleStack" } });
    const heir = await make("heir", {
      clusterIP: second,
      ports: [{ port: 1, nodePort: spec.ports[0]?.nodePort }],
    });
    expect(heir).toMatchObject({ spec: { clusterIPs: [second], ipFamilies: ["IPv6"] } });
  });

  it("take nothing for a write that is refused or a dry run", async () => {
    const ports = [{ port: 1, nodePort: 30_007 }];
    expect(await make("bad", { ports, sessionAffinity: "Foo" })).toMatchObject({ code: 422 });
    await cluster.client.ask("POST", `${SERVICES}?dryRun=All`, {
      body: { metadata: { name: "dry" }, spec: { type: "NodePort", ports } },
    });
    expect(await make("good", { ports })).toMatchObject({ spec: { ports } });
  });

  it("show no load balancer once the type has changed", async () => {
    await make("lb");
    const ingress = [{ ip: "192.0.2.1" }];
    await merge(`${SERVICES}/lb/status`, { status: { loadBalancer: { ingress } } });
    expect((await read(`${SERVICES}/lb`)).status).toEqual({
      loadBalancer: { ingress: [{ ip: "192.0.2.1", ipMode: "VIP" }] },
    });
    await merge(`${SERVICES}/lb`, { spec: { type: "NodePort" } });
    expect((await read(`${SERVICES}/lb`)).status).toEqual({ loadBalancer: {} });
  });

  it("include the API server's own, which is recreated", async () => {
    const { metadata, spec } = await read(OWN);
    const port = Number(new URL(cluster.server).port);
    expect(spec).toMatchObject({
      clusterIP: "10.96.0.1",
      ports: [{ name: "https", port: 443, protocol: "TCP", targetPort: port }],
    });
    await cluster.client.ask("DELETE", OWN);
    await vi.waitFor(async () => expect((await read(OWN)).metadata?.uid).toBeDefined());
    expect((await read(OWN)).metadata.uid).not.toBe(metadata.uid);
    expect((await read(OWN)).spec.clusterIP).toBe("10.96.0.1");
    cluster = await cluster.restart();
    const restarted = await read(OWN);
    expect(restarted.spec.ports[0]?.targetPort).toBe(Number(new URL(cluster.server).port));
  });

  it("are listed and watched in large numbers as nodes are", async () => {
    const names = Array.from({ length: 2_000 }, (_one, index) => `s${index}`);
    for (const name of names) await make(name, { type: "ClusterIP" });
    const first = await cluster.client.json<List>("GET", `${SERVICES}?limit=1500`);
    await cluster.client.ask("DELETE", `${SERVICES}/s999`);
    await make("late");
    const token = encodeURIComponent(first.metadata.continue ?? "");
    const second = await cluster.client.json<List>(
      "GET",
      `${SERVICES}?limit=1500&continue=${token}`,
    );
    const seen = [...first.items, ...second.items].map(({ metadata }) => metadata.name);
    expect(seen).toHaveLength(2_001);
    expect(new Set(seen)).toEqual(new Set(["kubernetes", ...names]));
    const query =
      "watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
    const events = await WatchReader.open(cluster.client, `${SERVICES}?${query}`);
    for (let count = 0; count < 2_001; count += 1) {
      expect((await events.next()).type).toBe("ADDED");
    }
    expect((await events.next()).type).toBe("BOOKMARK");
    const later = await WatchReader.open(
      cluster.client,
      `${SERVICES}?watch=1&resourceVersion=${first.metadata.resourceVersion}`,
    );
    expect(await later.next()).toMatchObject({
      type: "DELETED",
      object: { metadata: { name: "s999" } },
    });
    expect(await later.next()).toMatchObject({
      type: "ADDED",
      object: { metadata: { name: "late" } },
    });
    events.close();
    later.close();
  }, 60_000);

  it("let a role write their status and no more", async () => {
    cluster = await cluster.restart({ rbac: true });
    await make("lb");
    const rbac = "/apis/rbac.authorization.k8s.io/v1";
    const post = (path: string, body: object) => cluster.client.ask("POST", path, { body });
    await post(`${rbac}/clusterroles`, {
      metadata: { name: "ccm" },
      rules: [{ verbs: ["patch"], apiGroups: [""], resources: ["services/status"] }],
    });
    await post(`${rbac}/clusterrolebindings`, {
      metadata: { name: "ccm" },
      subjects: [{ kind: "User", name: "ccm" }],
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "ccm" },
    });
    const headers = { "impersonate-user": "ccm" };
    const finalizers = {
      metadata: { finalizers: ["service.kubernetes.io/load-balancer-cleanup"] },
    };
    const codes = [
      await merge(`${SERVICES}/lb/status`, finalizers, { headers }),
      await merge(`${SERVICES}/lb`, finalizers, { headers }),
      await cluster.client.ask("GET", SERVICES, { headers }),
    ].map(({ status }) => status);
    expect(codes).toEqual([200, 403, 403]);
  });
});
