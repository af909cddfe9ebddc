import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { startTestCluster, type TestCluster } from "../testing/test-cluster.ts";

const VOLUMES = "/api/v1/persistentvolumes";
const CLAIMS = "/api/v1/namespaces/default/persistentvolumeclaims";
const MERGE = "application/merge-patch+json";
const SPEC = {
  capacity: { storage: "1Gi" },
  accessModes: ["ReadWriteOnce"],
  csi: { driver: "csi.example.com", volumeHandle: "vol-1" },
};
const CLAIM = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };

describe("deleted volumes and claims", () => {
  let cluster: TestCluster;

  beforeEach(async () => {
    cluster = await startTestCluster({ nodeMonitorGraceMs: 40_000 });
  });
  afterEach(() => cluster.discard());

  const create = (path: string, spec: object) =>
    cluster.client.ask("POST", path, { body: { metadata: { name: "x" }, spec } });
  const codeOf = async (path: string) => (await cluster.client.ask("GET", path)).status;
  const setPhase = (path: string, phase: string) =>
    cluster.client.ask("PATCH", `${path}/status`, {
      contentType: MERGE,
      body: { status: { phase } },
    });

  it("are removed when unused", async () => {
    await create(VOLUMES, SPEC);
    await create(CLAIMS, CLAIM);
    for (const path of [`${VOLUMES}/x`, `${CLAIMS}/x`]) {
      expect((await cluster.client.ask("DELETE", path)).status).toBe(200);
      await vi.waitFor(async () => expect(await codeOf(path)).toBe(404));
    }
  });

  it("stay while the volume is bound to a claim", async () => {
    await create(VOLUMES, SPEC);
    await setPhase(`${VOLUMES}/x`, "Bound");
    await cluster.client.ask("DELETE", `${VOLUMES}/x`);
    const held = await cluster.client.json("GET", `${VOLUMES}/x`);
    expect(held).toMatchObject({ metadata: { finalizers: ["kubernetes.io/pv-protection"] } });
    await setPhase(`${VOLUMES}/x`, "Released");
    await vi.waitFor(async () => expect(await codeOf(`${VOLUMES}/x`)).toBe(404));
  });

  it("are removed after a restart in between", async () => {
    const bare = await startTestCluster();
    await bare.client.ask("POST", VOLUMES, { body: { metadata: { name: "x" }, spec: SPEC } });
    await bare.client.ask("DELETE", `${VOLUMES}/x`);
    expect((await bare.client.ask("GET", `${VOLUMES}/x`)).status).toBe(200);
    const judged = await bare.restart({ nodeMonitorGraceMs: 40_000 });
    expect((await judged.client.ask("GET", `${VOLUMES}/x`)).status).toBe(404);
    await judged.discard();
  });
});
