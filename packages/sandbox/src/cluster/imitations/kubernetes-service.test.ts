import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Allocations } from "../allocations/allocations.ts";
import type { Registry } from "../registry/context.ts";
import { ObjectStore } from "../state/object-store.ts";
import { keepKubernetesService } from "./kubernetes-service.ts";
import { keepNamespaces } from "./namespace-keeper.ts";

const KEY = "default/kubernetes";

describe("the API server's own service", () => {
  let folder: string;
  let registry: Registry;
  let stops: (() => void)[];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "kubernetes-service-"));
    const store = new ObjectStore(folder);
    const allocations = new Allocations(store, "services", () => ({ addresses: [], ports: [] }));
    registry = { store, allocations, now: () => 0 };
    stops = [keepNamespaces(registry)];
  });
  afterEach(() => {
    for (const stop of stops) stop();
    registry.store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const keep = (server: string) => stops.push(keepKubernetesService(registry, new URL(server)));
  const stored = (storage: string) => registry.store.get(storage, KEY)?.object;

  it.each([
    ["https://192.0.2.5:6443", "192.0.2.5", "IPv4"],
    ["https://[2001:db8::5]:6443", "2001:db8::5", "IPv6"],
  ])("leads to %s", (server, address, addressType) => {
    keep(server);
    expect(stored("services")).toMatchObject({
      spec: { ports: [{ port: 443, targetPort: 6443 }] },
    });
    expect(stored("endpoints")).toMatchObject({
      subsets: [{ addresses: [{ ip: address }], ports: [{ name: "https", port: 6443 }] }],
    });
    expect(stored("endpointslices")).toMatchObject({
      metadata: { labels: { "kubernetes.io/service-name": "kubernetes" } },
      addressType,
      endpoints: [{ addresses: [address], conditions: { ready: true } }],
      ports: [{ name: "https", port: 6443 }],
    });
  });

  it.each(["https://127.0.0.1:6443", "https://[::1]:6443", "https://0.0.0.0:6443"])(
    "leads nowhere while the server listens on %s",
    (server) => {
      keep(server);
      expect(stored("services")).toBeDefined();
      expect([stored("endpoints"), stored("endpointslices")]).toEqual([undefined, undefined]);
    },
  );

  it("follows the server to another address", () => {
    keep("https://192.0.2.5:6443");
    keep("https://192.0.2.6:7443");
    expect(stored("services")).toMatchObject({ spec: { ports: [{ targetPort: 7443 }] } });
    expect(stored("endpoints")).toMatchObject({ subsets: [{ addresses: [{ ip: "192.0.2.6" }] }] });
  });
});
