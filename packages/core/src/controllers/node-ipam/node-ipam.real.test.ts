import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { NODES, type Node } from "../../kube/client.ts";
import { systemClock } from "../../kube/system-clock.ts";
import { testClusterFolder } from "../../kube/testing/test-cluster.ts";
import { Driver } from "../../reconcile/testing/driver.ts";
import { podCidrsOf } from "../objects/pod-cidrs.ts";
import { type RealCluster, startRealCluster } from "../testing/real-cluster.ts";
import { testRun } from "../testing/test-run.ts";
import {
  createNodeIpamReconciler,
  type NodeIpamReconciler,
} from "./create-node-ipam-reconciler.ts";
import { cidr } from "./testing/ipam-fixture.ts";

const folder = testClusterFolder();

describe.skipIf(folder === undefined)("pod ranges on a real API server", () => {
  let cluster: RealCluster;

  beforeAll(async () => {
    cluster = await startRealCluster(folder ?? "");
  });

  afterAll(() => cluster?.close());

  function reconciler(): NodeIpamReconciler {
    const made = createNodeIpamReconciler({
      client: cluster.client,
      informer: cluster.nodes,
      ranges: [
        { cidr: cidr("10.120.0.0/16"), nodeMask: 24 },
        { cidr: cidr("fd00:120::/48"), nodeMask: 64 },
      ],
      serviceRanges: [],
      dryRun: false,
      wake: () => undefined,
      metrics: { used: () => undefined, tries: () => undefined, readPools: () => undefined },
    });
    made.begin(cluster.nodes.list());
    for (const node of cluster.nodes.list()) made.see(node);
    return made;
  }

  async function register(name: string): Promise<void> {
    await cluster.create(NODES, { apiVersion: "v1", kind: "Node", metadata: { name } } as Node);
    await vi.waitFor(() => expect(cluster.nodes.get(name)).toBeDefined());
  }

  /** Plans for the node as it is, and applies the plan after something has happened to the node. */
  async function reconcile(
    loop: NodeIpamReconciler,
    name: string,
    meanwhile: () => Promise<unknown> = () => Promise.resolve(),
  ): Promise<void> {
    const driver = new Driver(loop, systemClock);
    let isDone = false;
    driver.beforeWrite = async () => {
      if (!isDone) await meanwhile();
      isDone = true;
    };
    await driver.run(
      name,
      testRun(() => Promise.reject(new Error("no cloud is asked"))),
    );
  }

  const other = { podCIDR: "10.120.9.0/24", podCIDRs: ["10.120.9.0/24", "fd00:120:0:9::/64"] };

  function giveOther(name: string): Promise<Node> {
    const body = { spec: other };
    return cluster.client.patch<Node>({ resource: NODES, name }, { kind: "merge", body });
  }

  it("are written for both families at once, the first one also as podCIDR", async () => {
    await register("r1");
    await reconcile(reconciler(), "r1");
    const { spec } = await cluster.getNode("r1");
    expect(spec?.podCIDRs).toEqual(["10.120.0.0/24", "fd00:120::/64"]);
    expect(spec?.podCIDR).toBe("10.120.0.0/24");
  });

  it("never replace those that somebody set meanwhile", async () => {
    await register("r2");
    const writing = reconcile(reconciler(), "r2", () => giveOther("r2"));
    await expect(writing).rejects.toMatchObject({ name: "KubeError", code: "Conflict" });
    expect(podCidrsOf(await cluster.getNode("r2"))).toEqual(other.podCIDRs);
  });

  it("are not written to a node that was registered again under the name", async () => {
    await register("r3");
    const writing = reconcile(reconciler(), "r3", async () => {
      await cluster.client.delete({ resource: NODES, name: "r3" }, {});
      await register("r3");
    });
    await expect(writing).rejects.toMatchObject({ name: "KubeError", code: "Conflict" });
    expect(podCidrsOf(await cluster.getNode("r3"))).toEqual([]);
  });

  it("may be written twice, as after a lost answer", async () => {
    await register("r4");
    const loop = reconciler();
    await reconcile(loop, "r4", async () => {
      const observed = await new Driver(loop, systemClock).observe(
        "r4",
        testRun(() => Promise.reject(new Error("no cloud"))),
      );
      const podCIDRs = observed?.offer?.kind === "blocks" ? observed.offer.cidrs : [];
      const body = { spec: { podCIDR: podCIDRs[0], podCIDRs } };
      await cluster.client.patch({ resource: NODES, name: "r4" }, { kind: "merge", body });
    });
    expect(podCidrsOf(await cluster.getNode("r4"))).toHaveLength(2);
  });
});
