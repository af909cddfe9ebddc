import type { Lookup } from "@cloudwright/provider-api";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { NODES, type Node } from "../../kube/client.ts";
import { systemClock } from "../../kube/system-clock.ts";
import { testClusterFolder } from "../../kube/testing/test-cluster.ts";
import type { Change } from "../../model/plan.ts";
import type { Effect } from "../../reconcile/effects.ts";
import type { Reconciler } from "../../reconcile/reconciler.ts";
import { Driver } from "../../reconcile/testing/driver.ts";
import { createNodeReconciler } from "../node/create-node-reconciler.ts";
import { createNodeLifecycleReconciler } from "../node-lifecycle/create-node-lifecycle-reconciler.ts";
import { SHUTDOWN_TAINT, type Taint, UNINITIALIZED_TAINT } from "../objects/node-object.ts";
import { watchNodes } from "../objects/node-sightings.ts";
import { facts, found, UNINITIALIZED } from "./node-fixture.ts";
import { type RealCluster, startRealCluster } from "./real-cluster.ts";
import { INSTANCES, testRun } from "./test-run.ts";

const folder = testClusterFolder();
const OWN_TAINT: Taint = { key: "example.org/own", effect: "NoExecute", value: "x" };
const OTHER_TAINT: Taint = { key: "example.org/late", effect: "NoSchedule" };

describe.skipIf(folder === undefined)("the node loops' writes on a real API server", () => {
  let cluster: RealCluster;
  const events: string[] = [];
  const delays: string[] = [];

  beforeAll(async () => {
    cluster = await startRealCluster(folder ?? "");
  });
  afterAll(() => cluster?.close());

  function parts() {
    return {
      client: cluster.client,
      informer: cluster.nodes,
      sightings: watchNodes(cluster.nodes, systemClock),
      provider: "p",
    };
  }

  function driverOf<Observed, Typed extends Change, Memory, Answer>(
    reconciler: Reconciler<Observed, Typed, Memory, Answer>,
  ) {
    return new Driver(reconciler, systemClock);
  }

  function nodeLoop() {
    return driverOf(
      createNodeReconciler({
        instances: INSTANCES,
        ...parts(),
        policy: { newNodeGraceMs: 300_000, refreshPeriodMs: 300_000 },
      }),
    );
  }

  function lifecycleLoop() {
    return driverOf(
      createNodeLifecycleReconciler({
        instances: INSTANCES,
        ...parts(),
        policy: { newNodeGraceMs: 300_000, monitorPeriodMs: 1_000 },
      }),
    );
  }

  /** Registers a node like a kubelet and waits until the cache has it. */
  async function register(name: string, shape: { taints?: readonly Taint[]; ready?: string } = {}) {
    await cluster.create(NODES, {
      apiVersion: "v1",
      kind: "Node",
      metadata: { name },
      spec: { taints: shape.taints ?? [UNINITIALIZED] },
      status: {
        addresses: [{ type: "Hostname", address: name }],
        conditions: [{ type: "Ready", status: shape.ready ?? "True" }],
      },
    } as Node);
    const body = {
      status: {
        addresses: [{ type: "Hostname", address: name }],
        conditions: [{ type: "Ready", status: shape.ready ?? "True" }],
      },
    };
    await cluster.client.patch(
      { resource: NODES, name, subresource: "status" },
      { kind: "merge", body },
    );
    await inCache(name);
  }

  async function inCache(name: string): Promise<void> {
    const { metadata } = await cluster.getNode(name);
    await vi.waitFor(() =>
      expect(cluster.nodes.get(name)?.metadata?.resourceVersion).toBe(metadata?.resourceVersion),
    );
  }

  /** Makes one pass like the loop; returns the kinds of its changes. */
  async function reconcile<Observed, Typed extends Change, Memory, Answer>(
    driver: Driver<Observed, Typed, Memory, Answer>,
    name: string,
    { answer, interfere }: { answer: () => Lookup; interfere?: () => Promise<void> },
  ): Promise<readonly string[]> {
    let isDone = false;
    driver.beforeWrite = async () => {
      if (!isDone) await interfere?.();
      isDone = true;
    };
    const { plan } = await driver.run(name, testRun(answer)).finally(() => take(driver));
    return plan.changes.map(({ kind }) => kind);
  }

  function take({ effects }: { readonly effects: Effect[] }): void {
    for (const effect of effects.splice(0)) {
      if (effect.kind === "event") {
        const { type, reason } = effect.event;
        events.push(`${effect.target.name} ${type} ${reason}`);
      } else if (effect.kind === "metric") delays.push(effect.name);
    }
  }

  function tainted(node: Node): readonly string[] {
    return (node.spec?.taints ?? [])
      .map(({ key }) => key)
      .filter((key) => !key.startsWith("node.kubernetes.io/"));
  }

  it("initialise a node with two writes, after which nothing is left to do", async () => {
    await register("w1", { taints: [OWN_TAINT, UNINITIALIZED] });
    const loop = nodeLoop();
    const answer = () => found({ providerID: "p://w1", additionalLabels: { "my.io/a_b": "1" } });
    expect(await reconcile(loop, "w1", { answer })).toEqual([
      "node.addresses.write",
      "node.initialise",
    ]);
    expect(await reconcile(loop, "w1", { answer })).toEqual([]);
    const node = await cluster.getNode("w1");
    expect(tainted(node)).toEqual([OWN_TAINT.key]);
    expect(node.spec?.providerID).toBe("p://w1");
    expect(node.status?.addresses).toEqual(facts().addresses);
    expect(node.metadata?.labels).toMatchObject({
      "topology.kubernetes.io/zone": "z1",
      "my.io/a_b": "1",
    });
    expect(events).toContain("w1 Normal Synced");
    expect(delays).toEqual([
      "node_controller_cloud_provider_taint_removal_delay_seconds",
      "node_controller_initial_node_sync_delay_seconds",
    ]);
  });

  it("replace the list of addresses whole, with several of one type", async () => {
    await register("w2");
    const loop = nodeLoop();
    const lists = [["10.0.0.1", "fd00::1"], ["fd00::1", "10.0.0.2"], ["10.0.0.9"]];
    for (const list of lists) {
      const addresses = list.map((address) => ({ type: "InternalIP", address }) as const);
      await reconcile(loop, "w2", { answer: () => found({ providerID: "p://w2", addresses }) });
      const { status } = await cluster.getNode("w2");
      expect(status?.addresses).toEqual([...addresses, { type: "Hostname", address: "w2" }]);
    }
  });

  it("follow labels that change or disappear in the cloud", async () => {
    await register("w3");
    const loop = nodeLoop();
    const answer = (labels: Record<string, string>) => () =>
      found({ providerID: "p://w3", additionalLabels: labels });
    await reconcile(loop, "w3", { answer: answer({ "my.io/a": "1", "my.io/b": "1" }) });
    expect(await reconcile(loop, "w3", { answer: answer({ "my.io/a": "2" }) })).toEqual([
      "node.labels.write",
    ]);
    const { metadata } = await cluster.getNode("w3");
    expect(metadata?.labels).toMatchObject({ "my.io/a": "2" });
    expect(metadata?.labels).not.toHaveProperty("my.io/b");
    expect(metadata?.annotations?.["cloudwright.io/cloud-labels"]).not.toContain("my.io/b");
  });

  it("lose no taint that somebody sets meanwhile, and are made in the next pass", async () => {
    await register("w4");
    const loop = nodeLoop();
    const answer = () => found({ providerID: "p://w4" });
    const interfere = async () => {
      await cluster.kubectl("taint", "node", "w4", "example.org/late=:NoSchedule");
    };
    await expect(reconcile(loop, "w4", { answer, interfere })).rejects.toMatchObject({
      code: "Conflict",
    });
    expect(new Set(tainted(await cluster.getNode("w4")))).toEqual(
      new Set([UNINITIALIZED_TAINT, OTHER_TAINT.key]),
    );
    await inCache("w4");
    expect(await reconcile(loop, "w4", { answer })).toEqual(["node.initialise"]);
    expect(tainted(await cluster.getNode("w4"))).toEqual([OTHER_TAINT.key]);
  });

  it("are refused on a node that was registered again meanwhile", async () => {
    await register("w5");
    const loop = nodeLoop();
    const interfere = async () => {
      await cluster.kubectl("delete", "node", "w5");
      await register("w5");
    };
    const written = reconcile(loop, "w5", {
      answer: () => found({ providerID: "p://w5" }),
      interfere,
    });
    await expect(written).rejects.toThrow();
    const node = await cluster.getNode("w5");
    expect(tainted(node)).toEqual([UNINITIALIZED_TAINT]);
    expect(node.status?.addresses).toEqual([{ type: "Hostname", address: "w5" }]);
  });

  it.each([
    ["w6", [] as readonly Taint[]],
    ["w7", [OWN_TAINT]],
  ])("add and remove the shutdown taint on %s beside the others", async (name, taints) => {
    await register(name, { taints, ready: "False" });
    const loop = lifecycleLoop();
    const off = () => found({ power: "stopped" });
    expect(await reconcile(loop, name, { answer: off })).toEqual(["node.shutdown-taint.add"]);
    expect(await reconcile(loop, name, { answer: off })).toEqual([]);
    const others = taints.map(({ key }) => key);
    expect(tainted(await cluster.getNode(name))).toEqual([...others, SHUTDOWN_TAINT]);
    expect(await reconcile(loop, name, { answer: () => found() })).toEqual([
      "node.shutdown-taint.remove",
    ]);
    expect(tainted(await cluster.getNode(name))).toEqual(others);
  });

  it("delete the node that was proven gone, and none registered again under its name", async () => {
    await register("w8", { taints: [], ready: "False" });
    await cluster.client.patch(
      { resource: NODES, name: "w8" },
      { kind: "merge", body: { spec: { providerID: "p://w8" } } },
    );
    await inCache("w8");
    const loop = lifecycleLoop();
    let at = 0;
    const answer = (): Lookup => {
      at += 1_000;
      return { kind: "absent", proof: { by: "providerID", cloudShowsOthers: true, at } };
    };
    expect(await reconcile(loop, "w8", { answer })).toEqual([]);
    const interfere = async () => {
      await cluster.kubectl("delete", "node", "w8");
      await register("w8", { taints: [], ready: "False" });
    };
    await expect(reconcile(loop, "w8", { answer, interfere })).rejects.toMatchObject({
      code: "Conflict",
    });
    expect((await cluster.getNode("w8")).metadata?.name).toBe("w8");
    await cluster.client.patch(
      { resource: NODES, name: "w8" },
      { kind: "merge", body: { spec: { providerID: "p://w8" } } },
    );
    await inCache("w8");
    expect(await reconcile(loop, "w8", { answer })).toEqual([]);
    expect(await reconcile(loop, "w8", { answer })).toEqual(["node.delete"]);
    await vi.waitFor(() => expect(cluster.nodes.get("w8")).toBeUndefined());
    expect(events.filter((event) => event.startsWith("w8"))).toEqual(["w8 Normal DeletingNode"]);
  });

  it.each(["Ready", "held"])("delete no node that is %s by now", async (what) => {
    const name = `w9-${what.toLowerCase()}`;
    await register(name, { taints: [], ready: "False" });
    await cluster.client.patch(
      { resource: NODES, name },
      { kind: "merge", body: { spec: { providerID: `p://${name}` } } },
    );
    await inCache(name);
    const loop = lifecycleLoop();
    let at = 0;
    const answer = (): Lookup => {
      at += 1_000;
      return { kind: "absent", proof: { by: "providerID", cloudShowsOthers: true, at } };
    };
    expect(await reconcile(loop, name, { answer })).toEqual([]);
    const conditions = [{ type: "Ready", status: "True" }];
    const interfere = async () => {
      if (what === "held") await cluster.kubectl("annotate", "node", name, "cloudwright.io/hold=x");
      else
        await cluster.client.patch(
          { resource: NODES, name, subresource: "status" },
          { kind: "strategic", body: { status: { conditions } } },
        );
    };
    await expect(reconcile(loop, name, { answer, interfere })).rejects.toMatchObject({
      code: "Conflict",
    });
    await inCache(name);
    expect(await reconcile(loop, name, { answer })).toEqual([]);
    expect(events.filter((event) => event.startsWith(name))).toEqual([]);
  });

  it("keep their taint when somebody holds them meanwhile", async () => {
    await register("w10");
    const loop = nodeLoop();
    const answer = () => found({ providerID: "p://w10" });
    const interfere = async () => {
      await cluster.kubectl("annotate", "node", "w10", "cloudwright.io/hold=racks");
    };
    await expect(reconcile(loop, "w10", { answer, interfere })).rejects.toMatchObject({
      code: "Conflict",
    });
    await inCache("w10");
    expect(await reconcile(loop, "w10", { answer })).toEqual([]);
    expect(tainted(await cluster.getNode("w10"))).toContain(UNINITIALIZED_TAINT);
  });
});
