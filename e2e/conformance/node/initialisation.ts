import { metrics } from "../../harness/controller.ts";
import { demand, eventually, same } from "../../harness/wait.ts";
import {
  cloudLabels,
  countOf,
  createInstance,
  createNode,
  eventsOf,
  external,
  hostname,
  initialised,
  internal,
  labelsOf,
  nodeStays,
  prepared,
  REGION,
  TYPE,
  taintsOf,
  UNINITIALIZED,
  untilNode,
  ZONE,
} from "../environment/objects.ts";
import { rows, type Scenario } from "../environment/scenario.ts";

/** Rows N-01 to N-05, N-11 to N-14 and N-42: what a node's first initialisation writes. */
export const NODE_INITIALISATION: readonly Scenario[] = rows({
  "N-01 a node gets provider ID, six labels and addresses, and loses the taint": async (env) => {
    const addresses = [hostname("n1.cloud"), internal("10.1.0.1"), external("1.2.3.4")];
    const instance = await createInstance(env, "n-01", { addresses });
    await createNode(env, "n-01");
    const node = await initialised(env, "n-01");
    same(node.spec.providerID, `sandbox://${instance.id}`, "the provider ID");
    same(
      labelsOf(node, [...ZONE, ...REGION, ...TYPE]),
      ["z1", "z1", "r1", "r1", "m1", "m1"],
      "the labels",
    );
    same(node.status.addresses, addresses, "the addresses");
    await eventually(() => same(countOf(eventsOf(env, "n-01"), "Synced"), 1, "Synced events"), {
      on: env.events,
    });
  },
  "N-02 without a Hostname in the cloud the node's own is kept, last": async (env) => {
    const addresses = [internal("10.2.0.1"), external("1.2.3.5")];
    await createInstance(env, "n-02", { addresses });
    await createNode(env, "n-02");
    const node = await initialised(env, "n-02");
    same(node.status.addresses, [...addresses, hostname("n-02")], "the addresses");
  },
  "N-03 a node without the taint gets addresses only": async (env) => {
    await createInstance(env, "n-03", { addresses: [internal("10.3.0.1")] });
    await createNode(env, "n-03", { taints: [{ key: "a", value: "b", effect: "NoSchedule" }] });
    await untilNode(env, "n-03", {
      check: (node) =>
        same(node.status.addresses, [internal("10.3.0.1"), hostname("n-03")], "the addresses"),
    });
    await nodeStays(env, "n-03", {
      forMs: 5_000,
      check: (node) => {
        same(cloudLabels(node), {}, "the cloud's labels");
        same(node.spec.providerID, undefined, "the provider ID");
        same(taintsOf(node), [{ key: "a", value: "b", effect: "NoSchedule" }], "the taints");
      },
    });
  },
  "N-04 other taints stay, in their order": async (env) => {
    const others = [
      { key: "a", value: "b", effect: "NoExecute" },
      { key: "c", effect: "NoSchedule" },
    ];
    await createInstance(env, "n-04");
    await createNode(env, "n-04", {
      taints: [others[0] as never, UNINITIALIZED, others[1] as never],
    });
    const node = await initialised(env, "n-04");
    same(taintsOf(node), others, "the taints");
  },
  "N-05 every taint of the uninitialized key is removed": async (env) => {
    await createInstance(env, "n-05");
    await createNode(env, "n-05", {
      taints: [UNINITIALIZED, { key: UNINITIALIZED.key, value: "x", effect: "NoExecute" }],
    });
    same(taintsOf(await initialised(env, "n-05")), [], "the taints");
  },
  "N-11 an empty zone and type give no labels": async (env) => {
    const instance = await createInstance(env, "n-11");
    await env.cloud.change(instance.id, { zone: "", type: "" });
    await createNode(env, "n-11");
    const node = await initialised(env, "n-11");
    same(
      cloudLabels(node),
      Object.fromEntries([...REGION].reverse().map((key) => [key, "r1"])),
      "the labels",
    );
  },
  "N-12 zone and type labels that were there are overwritten": async (env) => {
    await createInstance(env, "n-12");
    await createNode(env, "n-12", { labels: { [ZONE[0]]: "old", [TYPE[1]]: "old" } });
    const node = await initialised(env, "n-12");
    same(labelsOf(node, [...ZONE, ...TYPE]), ["z1", "z1", "m1", "m1"], "the labels");
  },
  "N-13 additional labels of Kubernetes' own domains are dropped": async (env) => {
    await createInstance(env, "n-13", {
      labels: {
        "my.io/a": "1",
        [REGION[0]]: "x",
        "foo.k8s.io/y": "1",
        "kubernetes.io/z": "1",
        "k8s.io/w": "1",
        "app.k8snio/b": "2",
        plain: "3",
      },
    });
    await createNode(env, "n-13");
    const node = await initialised(env, "n-13");
    same(
      labelsOf(node, [
        "my.io/a",
        "app.k8snio/b",
        "plain",
        REGION[0],
        "foo.k8s.io/y",
        "kubernetes.io/z",
        "k8s.io/w",
      ]),
      ["1", "2", "3", "r1", null, null, null].map((value) => value ?? undefined),
      "the labels",
    );
  },
  "N-14 an additional label that the node has already stays as it is": async (env) => {
    await createInstance(env, "n-14", { labels: { "my.io/a": "new" } });
    await createNode(env, "n-14", { labels: { "my.io/a": "keep" } });
    await initialised(env, "n-14");
    await nodeStays(env, "n-14", {
      forMs: 5_000,
      check: (node) => same(node.metadata.labels?.["my.io/a"], "keep", "the label"),
    });
  },
  "N-42 both histograms count an initialisation": async (env) => {
    await prepared(env, "n-42");
    await eventually(async () => {
      const text = await metrics(env.securePort);
      for (const name of [
        "node_controller_initial_node_sync_delay_seconds",
        "node_controller_cloud_provider_taint_removal_delay_seconds",
      ]) {
        const count = Number(
          new RegExp(`^${name}_count(?:\\{[^}]*\\})? (\\S+)$`, "m").exec(text)?.[1] ?? 0,
        );
        demand(count >= 1, `${name}_count is ${count}`);
        for (const bucket of [1, 4, 16, 64, 256, 1024]) {
          demand(text.includes(`${name}_bucket{le="${bucket}"`), `${name} has no bucket ${bucket}`);
        }
      }
    });
  },
});
