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
import { rows, type Scenario } from "../environment/scenario.ts";
import { failing, joined, noShutdownTaint, PERIOD_MS, stoppedNode } from "./objects.ts";

/** Rows L-01 to L-04, L-09, L-14, L-19, L-25, L-27 and L-29: when a node is deleted, and when it is not. */
export const NODE_DELETION: readonly Scenario[] = [
  deletedWhenGone("L-01", "False"),
  deletedWhenGone("L-02", "Unknown"),
  deletedWhenGone("L-03", "Missing"),
  ...rows({
    "L-04 a Ready node is never deleted, and its absence is not even asked for": async (env) => {
      const id = await joined(env, "l-04", { ready: "True" });
      await env.cloud.remove(id);
      await nodeStays(env, "l-04", { check: noShutdownTaint });
      const { recent } = await env.cloud.calls();
      const single = recent.filter(
        (call) => call.path === `/v1/instances/${id}` && call.method === "GET",
      );
      // The refresh of addresses may read it, but not the lifecycle's two confirming reads per period.
      demand(single.length <= 2 * 7, `${single.length} single reads of a Ready node's instance`);
    },
    "L-09 while the cloud fails nothing is deleted, afterwards it is": async (env) => {
      const id = await joined(env, "l-09", { ready: "True" });
      const lift = await failing(env, "l-09", id);
      await env.cloud.remove(id);
      await setReady(env, "l-09", "False");
      await nodeStays(env, "l-09", { check: () => undefined, forMs: 6_000 });
      await lift();
      await gone(env, "l-09");
    },
    "L-14 stopped and then gone is gone": async (env) => {
      const id = await stoppedNode(env, "l-14");
      await env.cloud.remove(id);
      await gone(env, "l-14");
    },
    "L-19 a refused deletion is reported with its cause, and done once it is allowed": async (
      env,
    ) => {
      const id = await joined(env, "l-19", { ready: "True" });
      const accept = await env.cluster.refuse({
        name: "l-19",
        verb: "DELETE",
        node: "l-19",
        message: "this node is precious",
      });
      await env.cloud.remove(id);
      await setReady(env, "l-19", "False");
      await eventually(
        () => {
          const event = eventsOf(env, "l-19").find(({ reason }) => reason === "DeletingNodeFailed");
          demand(event !== undefined, "no DeletingNodeFailed event");
          same(event.type, "Warning", "its type");
          demand(
            event.message.includes("precious"),
            `it does not name the cause: ${event.message}`,
          );
        },
        { on: env.events },
      );
      await accept();
      await gone(env, "l-19", 60_000);
    },
    "L-25 an absence in the form of an error is an absence": async (env) => {
      const id = await joined(env, "l-25", { ready: "True" });
      await env.cloud.faultOnReads({ instance: "l-25", status: 404 });
      await setReady(env, "l-25", "False");
      await gone(env, "l-25");
      demand(id !== "", "the instance had an id");
    },
    "L-27 a fresh node that the cloud does not list yet is kept, and initialised later": async (
      env,
    ) => {
      await createNode(env, "l-27", { ready: "False" });
      await nodeStays(env, "l-27", { check: () => undefined, forMs: 6 * PERIOD_MS });
      await createInstance(env, "l-27", { addresses: [internal("10.127.0.1")] });
      await initialised(env, "l-27");
    },
    "L-29 a node that is made again under the same name survives the old one's absence": async (
      env,
    ) => {
      const id = await joined(env, "l-29", { ready: "True" });
      const lift = await env.cloud.faultOnReads({ instance: id, latencyMs: 1_500, status: 404 });
      await setReady(env, "l-29", "False");
      await eventually(async () =>
        demand((await readsNaming(env, id, "l-29")) >= 1, "not asked yet"),
      );
      await env.kube.delete("/api/v1/nodes/l-29");
      const again = await createNode(env, "l-29", { ready: "True", taints: [] });
      await always(
        () =>
          same(
            env.nodes.get("l-29")?.metadata.uid ?? again.metadata.uid,
            again.metadata.uid,
            "the UID",
          ),
        {
          forMs: 8_000,
          on: env.nodes,
        },
      );
      same(seen(env, "l-29").metadata.uid, again.metadata.uid, "the UID");
      await lift();
    },
  }),
];

function deletedWhenGone(id: string, ready: "False" | "Unknown" | "Missing"): Scenario {
  const name = id.toLowerCase();
  return {
    id,
    title: `a node whose Ready condition is ${ready} goes with its instance`,
    async run(env) {
      const instanceId = await joined(env, name, { ready });
      await env.cloud.remove(instanceId);
      await gone(env, name);
      await eventually(
        () => {
          const event = eventsOf(env, name).find(({ reason }) => reason === "DeletingNode");
          demand(event !== undefined, "no DeletingNode event");
          same(
            event.message,
            `Deleting node ${name} because it does not exist in the cloud provider`,
            "its message",
          );
          same(
            [event.type, countOf(eventsOf(env, name), "DeletingNode")],
            ["Normal", 1],
            "its type and count",
          );
        },
        { on: env.events },
      );
    },
  };
}
