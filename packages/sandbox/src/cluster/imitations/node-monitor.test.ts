import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Node } from "../resources/node-schema.ts";
import { startTestCluster, type TestCluster } from "../testing/test-cluster.ts";
import { WatchReader } from "../testing/watch-reader.ts";

const NODES = "/api/v1/nodes";
const LEASES = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases";
const MERGE = "application/merge-patch+json";
const GRACE_MS = 1_000;

describe("the imitated node controllers", () => {
  let cluster: TestCluster;
  let events: WatchReader;

  beforeEach(async () => {
    cluster = await startTestCluster({ nodeMonitorGraceMs: GRACE_MS });
    events = await WatchReader.open(cluster.client, `${NODES}?watch=1`);
  });
  afterEach(async () => {
    events.close();
    await cluster.discard();
  });

  const post = (path: string, body: object) => cluster.client.json<Node>("POST", path, { body });
  const say = (status: string) =>
    cluster.client.ask("PATCH", `${NODES}/n1/status`, {
      body: { status: { conditions: [{ type: "Ready", status }] } },
      contentType: MERGE,
    });
  const taints = (node: Node) =>
    (node.spec.taints ?? []).map(({ key, effect }) => `${key.split("/")[1]}:${effect}`);
  const nodeThat = async (fits: (node: Node) => boolean): Promise<Node> => {
    for (;;) {
      const node = (await events.next()).object as Node;
      if (fits(node)) return node;
    }
  };

  it("remove the admission's taint from a ready node and add theirs to one that is not", async () => {
    const created = await post(NODES, { metadata: { name: "n1" } });
    expect(taints(created)).toEqual(["not-ready:NoSchedule"]);
    await say("True");
    await nodeThat((node) => taints(node).length === 0);
    await say("False");
    const failing = await nodeThat((node) => taints(node).length === 2);
    expect(taints(failing)).toEqual(["not-ready:NoSchedule", "not-ready:NoExecute"]);
  });

  it("mark a silent node unknown and unreachable, until it reports again", async () => {
    await post(NODES, {
      metadata: { name: "n1" },
      spec: { taints: [{ key: "mine", effect: "NoSchedule" }] },
      status: { conditions: [{ type: "Ready", status: "True" }] },
    });
    const silent = await nodeThat((node) => taints(node).includes("unreachable:NoExecute"));
    const [ready] = silent.status.conditions ?? [];
    expect(ready).toMatchObject({ type: "Ready", status: "Unknown", reason: "NodeStatusUnknown" });
    expect(silent.spec.taints?.map(({ key }) => key)).toContain("mine");
    await say("True");
    const back = await nodeThat((node) => !taints(node).includes("unreachable:NoExecute"));
    expect(back.spec.taints?.map(({ key }) => key)).toEqual(["mine"]);
  });

  it("count a renewed Lease as a sign of life", async () => {
    await post(NODES, {
      metadata: { name: "n1" },
      status: { conditions: [{ type: "Ready", status: "True" }] },
    });
    await post(NODES, {
      metadata: { name: "silent" },
      status: { conditions: [{ type: "Ready", status: "True" }] },
    });
    await post(LEASES, { metadata: { name: "n1" }, spec: { holderIdentity: "n1" } });
    let beats = 0;
    const beating = setInterval(() => {
      beats += 1;
      void cluster.client.ask("PATCH", `${LEASES}/n1`, {
        body: { spec: { leaseTransitions: beats } },
        contentType: MERGE,
      });
    }, GRACE_MS / 10);
    const silent = await nodeThat((node) => taints(node).includes("unreachable:NoExecute"));
    clearInterval(beating);
    expect(silent.metadata.name).toBe("silent");
    const alive = await cluster.client.json<Node>("GET", `${NODES}/n1`);
    expect(taints(alive)).toEqual([]);
  });

  it("delete the Lease of a node that is deleted", async () => {
    const { metadata } = await post(NODES, { metadata: { name: "n1" } });
    const owner = { apiVersion: "v1", kind: "Node", name: "n1", uid: metadata.uid };
    await post(LEASES, { metadata: { name: "n1", ownerReferences: [owner] } });
    await post(LEASES, { metadata: { name: "other" } });
    const leases = await WatchReader.open(cluster.client, `${LEASES}?watch=1`);
    await leases.next();
    await leases.next();
    await cluster.client.ask("DELETE", `${NODES}/n1`);
    expect(await leases.next()).toMatchObject({
      type: "DELETED",
      object: { metadata: { name: "n1" } },
    });
    leases.close();
  });
});
