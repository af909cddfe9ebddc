import { always, demand, eventually, same } from "../../harness/wait.ts";
import {
  countOf,
  createInstance,
  createNode,
  eventsOf,
  gone,
  initialised,
  internal,
  nodeStays,
  readsNaming,
  seen,
  setReady,
} from "../environment/objects.ts";
import type { Scenario } from "../environment/scenario.ts";
import { failing, joined, noShutdownTaint, PERIOD_MS, stoppedNode } from "./objects.ts";

/** Rows L-01 to L-04, L-09, L-14, L-19, L-25, L-27 and L-29: when a node is deleted, and when it is not. */
export const NODE_DELETION: readonly Scenario[] = [
  deletedWhenGone("L-01", "False"),
  deletedWhenGone("L-02", "Unknown"),
  deletedWhenGone("L-03", "Missing"),
  {
    id: "L-04",
    title: "a Ready node is never deleted, and its absence is not even asked for",
    async run(world) {
      const id = await joined(world, "l-04", { ready: "True" });
      await world.cloud.remove(id);
      await nodeStays(world, "l-04", { check: noShutdownTaint });
      const { recent } = await world.cloud.calls();
      const single = recent.filter(
        (call) => call.path === `/v1/instances/${id}` && call.method === "GET",
      );
      // The refresh of addresses may read it; the lifecycle's two confirming reads a period may not be there.
      demand(single.length <= 2 * 7, `${single.length} single reads of a Ready node's instance`);
    },
  },
  {
    id: "L-09",
    title: "while the cloud fails nothing is deleted, afterwards it is",
    async run(world) {
      const id = await joined(world, "l-09", { ready: "True" });
      const lift = await failing(world, "l-09", id);
      await world.cloud.remove(id);
      await setReady(world, "l-09", "False");
      await nodeStays(world, "l-09", { check: () => undefined, forMs: 6_000 });
      await lift();
      await gone(world, "l-09");
    },
  },
  {
    id: "L-14",
    title: "stopped and then gone is gone",
    async run(world) {
      const id = await stoppedNode(world, "l-14");
      await world.cloud.remove(id);
      await gone(world, "l-14");
    },
  },
  {
    id: "L-19",
    title: "a refused deletion is told with its cause, and done once it is allowed",
    async run(world) {
      const id = await joined(world, "l-19", { ready: "True" });
      const accept = await world.cluster.refuse({
        name: "l-19",
        verb: "DELETE",
        node: "l-19",
        message: "this node is precious",
      });
      await world.cloud.remove(id);
      await setReady(world, "l-19", "False");
      await eventually(
        () => {
          const event = eventsOf(world, "l-19").find(
            ({ reason }) => reason === "DeletingNodeFailed",
          );
          demand(event !== undefined, "no DeletingNodeFailed event");
          same(event.type, "Warning", "its type");
          demand(
            event.message.includes("precious"),
            `it does not name the cause: ${event.message}`,
          );
        },
        { on: world.events },
      );
      await accept();
      await gone(world, "l-19", 60_000);
    },
  },
  {
    id: "L-25",
    title: "an absence in the form of an error is an absence",
    async run(world) {
      const id = await joined(world, "l-25", { ready: "True" });
      await world.cloud.fault({
        method: "GET",
        path: "/v1/instances*",
        instance: "l-25",
        status: 404,
      });
      await setReady(world, "l-25", "False");
      await gone(world, "l-25");
      demand(id !== "", "the instance had an id");
    },
  },
  {
    id: "L-27",
    title: "a fresh node that the cloud does not list yet is kept, and initialised later",
    async run(world) {
      await createNode(world, "l-27", { ready: "False" });
      await nodeStays(world, "l-27", { check: () => undefined, forMs: 6 * PERIOD_MS });
      await createInstance(world, "l-27", { addresses: [internal("10.127.0.1")] });
      await initialised(world, "l-27");
    },
  },
  {
    id: "L-29",
    title: "a node that is made again under the same name survives the old one's absence",
    async run(world) {
      const id = await joined(world, "l-29", { ready: "True" });
      const lift = await world.cloud.fault({
        method: "GET",
        path: "/v1/instances*",
        instance: id,
        latencyMs: 1_500,
        status: 404,
      });
      await setReady(world, "l-29", "False");
      await eventually(async () =>
        demand((await readsNaming(world, id, "l-29")) >= 1, "not asked yet"),
      );
      await world.kube.delete("/api/v1/nodes/l-29");
      const again = await createNode(world, "l-29", { ready: "True", taints: [] });
      await always(
        () =>
          same(
            world.nodes.get("l-29")?.metadata.uid ?? again.metadata.uid,
            again.metadata.uid,
            "the UID",
          ),
        {
          forMs: 8_000,
          on: world.nodes,
        },
      );
      same(seen(world, "l-29").metadata.uid, again.metadata.uid, "the UID");
      await lift();
    },
  },
];

function deletedWhenGone(id: string, ready: "False" | "Unknown" | "Missing"): Scenario {
  const name = id.toLowerCase();
  return {
    id,
    title: `a node whose Ready condition is ${ready} goes with its instance`,
    async run(world) {
      const instanceId = await joined(world, name, { ready });
      await world.cloud.remove(instanceId);
      await gone(world, name);
      await eventually(
        () => {
          const event = eventsOf(world, name).find(({ reason }) => reason === "DeletingNode");
          demand(event !== undefined, "no DeletingNode event");
          same(
            event.message,
            `Deleting node ${name} because it does not exist in the cloud provider`,
            "its message",
          );
          same(
            [event.type, countOf(eventsOf(world, name), "DeletingNode")],
            ["Normal", 1],
            "its type and count",
          );
        },
        { on: world.events },
      );
    },
  };
}
