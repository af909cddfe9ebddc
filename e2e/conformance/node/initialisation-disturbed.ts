import { always, demand, eventually, same } from "../../harness/wait.ts";
import {
  answersNaming,
  cloudLabels,
  countOf,
  createInstance,
  createNode,
  eventsOf,
  gone,
  hasTaint,
  hostname,
  initialised,
  internal,
  keepsTaint,
  labelsOf,
  nodeStays,
  patchNode,
  prepared,
  readsNaming,
  seen,
  setTaints,
  TYPE,
  UNINITIALIZED,
  untilNode,
  untouched,
} from "../environment/objects.ts";
import { rows, type Scenario } from "../environment/scenario.ts";

/** Rows N-06 to N-10, N-30 and N-38 to N-41: how the cloud, the node or another client disturbs initialisation. */
export const NODE_INITIALISATION_DISTURBED: readonly Scenario[] = rows({
  "N-06 the node's own provider ID wins over the cloud's": async (env) => {
    const instance = await createInstance(env, "n-06");
    await env.cloud.change(instance.id, { providerId: "sandbox://other" });
    await createNode(env, "n-06", { providerID: `sandbox://${instance.id}` });
    const node = await initialised(env, "n-06");
    same(node.spec.providerID, `sandbox://${instance.id}`, "the provider ID");
  },
  "N-07 without any provider ID the node waits, and is tried with growing gaps": async (env) => {
    const instance = await createInstance(env, "n-07", { providerId: "" });
    await createNode(env, "n-07");
    await eventually(async () =>
      demand((await readsNaming(env, "n-07")) >= 3, "fewer than 3 reads"),
    );
    untouched(seen(env, "n-07"));
    await env.cloud.change(instance.id, { providerId: `sandbox://${instance.id}` });
    const node = await initialised(env, "n-07");
    same(node.spec.providerID, `sandbox://${instance.id}`, "the provider ID");
  },
  "N-08 the node's provider ID is enough when the cloud gives none": async (env) => {
    const instance = await createInstance(env, "n-08");
    await env.cloud.change(instance.id, { providerId: "" });
    await createNode(env, "n-08", { providerID: `sandbox://${instance.id}` });
    same(
      (await initialised(env, "n-08")).spec.providerID,
      `sandbox://${instance.id}`,
      "the provider ID",
    );
  },
  "N-09 three failed reads delay it, and nothing is written before success": async (env) => {
    await createInstance(env, "n-09");
    const written: string[] = [];
    const stop = env.nodes.onChange((_, node) => {
      if (node.metadata.name === "n-09" && hasTaint(node, UNINITIALIZED.key)) {
        written.push(...Object.keys(cloudLabels(node)));
      }
    });
    await env.cloud.faultOnReads({ instance: "n-09", status: 500, times: 3 });
    await createNode(env, "n-09");
    await initialised(env, "n-09");
    stop();
    same(written, [], "labels written before the taint went");
    const reads = await readsNaming(env, "n-09");
    demand(reads >= 4, `${reads} reads, wanted at least 4`);
  },
  "N-10 an instance that the cloud does not claim leaves the node tainted and is not asked for in a storm":
    async (env) => {
      const instance = await createInstance(env, "n-10");
      await env.cloud.change(instance.id, { managed: false });
      await createNode(env, "n-10");
      await eventually(async () => demand((await readsNaming(env, "n-10")) >= 1, "not asked yet"));
      const before = await answersNaming(env, "n-10", instance.id);
      await nodeStays(env, "n-10", { check: keepsTaint, forMs: 5_000 });
      const reads = (await answersNaming(env, "n-10", instance.id)) - before;
      demand(reads <= 2, `${reads} reads while nothing changed`);
      await env.cloud.change(instance.id, { managed: true });
      await patchNode(env, "n-10", { metadata: { labels: { touched: "1" } } });
      await initialised(env, "n-10");
    },
  "N-30 the refresh never writes addresses of a tainted node": async (env) => {
    await createInstance(env, "n-30", { addresses: [internal("10.30.0.1")] });
    const lift = await env.cloud.faultOnReads({ instance: "n-30", status: 500 });
    await createNode(env, "n-30");
    await nodeStays(env, "n-30", {
      forMs: 6_000,
      check: (node) => {
        if (hasTaint(node, UNINITIALIZED.key))
          same(node.status.addresses, [hostname("n-30")], "the addresses");
      },
    });
    await lift();
    await initialised(env, "n-30");
  },
  "N-38 a node deleted while its lookup hangs is not made again": async (env) => {
    await createInstance(env, "n-38");
    const lift = await env.cloud.faultOnReads({ instance: "n-38", hang: true, times: 1 });
    await createNode(env, "n-38");
    await env.kube.delete("/api/v1/nodes/n-38");
    await gone(env, "n-38");
    await lift();
    await always(() => demand(env.nodes.get("n-38") === undefined, "the node was made again"), {
      forMs: 5_000,
      on: env.nodes,
    });
    demand(env.controller.child.exitCode === null, "the controller ended");
  },
  "N-39 another client's status writes survive, and do not hold it up": async (env) => {
    await createInstance(env, "n-39", { addresses: [internal("10.39.0.1")] });
    let count = 0;
    let busy = true;
    await createNode(env, "n-39");
    const writer = (async () => {
      while (busy) {
        count += 1;
        await env.kube.patch("/api/v1/nodes/n-39/status", "strategic", {
          status: {
            conditions: [
              { type: "FrequencyProbe", status: "True", reason: `Beat${count}`, message: "" },
            ],
          },
        });
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    })();
    try {
      await initialised(env, "n-39", 10_000);
    } finally {
      busy = false;
      await writer;
    }
    await untilNode(env, "n-39", {
      check: (node) => {
        const probe = node.status.conditions?.find(
          (condition) => condition.type === "FrequencyProbe",
        );
        same(probe?.reason, `Beat${count}`, "the other client's condition");
        same(node.status.addresses, [internal("10.39.0.1"), hostname("n-39")], "the addresses");
      },
    });
  },
  "N-40 a taint put back by a person initialises anew": async (env) => {
    const instance = await prepared(env, "n-40");
    await eventually(
      () => demand(countOf(eventsOf(env, "n-40"), "Synced") >= 1, "no Synced event"),
      { on: env.events },
    );
    await env.cloud.change(instance.id, { type: "m2" });
    await setTaints(env, "n-40", [UNINITIALIZED]);
    await untilNode(env, "n-40", {
      check: (node) => {
        demand(!hasTaint(node, UNINITIALIZED.key), "the taint is still there");
        same(labelsOf(node, TYPE), ["m2", "m2"], "the types");
      },
    });
    await eventually(
      () => demand(countOf(eventsOf(env, "n-40"), "Synced") >= 2, "no second Synced event"),
      { on: env.events },
    );
  },
  "N-41 a zone that cannot be a label writes nothing until it is corrected": async (env) => {
    const instance = await createInstance(env, "n-41");
    await env.cloud.change(instance.id, { zone: "a b" });
    await createNode(env, "n-41");
    await nodeStays(env, "n-41", {
      forMs: 6_000,
      check: (node) => {
        untouched(node);
        same(node.status.addresses, [hostname("n-41")], "the addresses");
      },
    });
    await env.cloud.change(instance.id, { zone: "z1" });
    await initialised(env, "n-41");
  },
});
