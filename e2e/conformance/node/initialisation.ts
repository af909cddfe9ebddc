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
import type { Scenario } from "../environment/scenario.ts";

/** Rows N-01 to N-05, N-11 to N-14 and N-42: what a node's first initialisation writes. */
export const NODE_INITIALISATION: readonly Scenario[] = [
  {
    id: "N-01",
    title: "a node gets provider ID, six labels and addresses, and loses the taint",
    async run(world) {
      const addresses = [hostname("n1.cloud"), internal("10.1.0.1"), external("1.2.3.4")];
      const instance = await createInstance(world, "n-01", { addresses });
      await createNode(world, "n-01");
      const node = await initialised(world, "n-01");
      same(node.spec.providerID, `sandbox://${instance.id}`, "the provider ID");
      same(
        labelsOf(node, [...ZONE, ...REGION, ...TYPE]),
        ["z1", "z1", "r1", "r1", "m1", "m1"],
        "the labels",
      );
      same(node.status.addresses, addresses, "the addresses");
      await eventually(() => same(countOf(eventsOf(world, "n-01"), "Synced"), 1, "Synced events"), {
        on: world.events,
      });
    },
  },
  {
    id: "N-02",
    title: "without a Hostname in the cloud the node's own is kept, last",
    async run(world) {
      const addresses = [internal("10.2.0.1"), external("1.2.3.5")];
      await createInstance(world, "n-02", { addresses });
      await createNode(world, "n-02");
      const node = await initialised(world, "n-02");
      same(node.status.addresses, [...addresses, hostname("n-02")], "the addresses");
    },
  },
  {
    id: "N-03",
    title: "a node without the taint gets addresses only",
    async run(world) {
      await createInstance(world, "n-03", { addresses: [internal("10.3.0.1")] });
      await createNode(world, "n-03", { taints: [{ key: "a", value: "b", effect: "NoSchedule" }] });
      await untilNode(world, "n-03", {
        check: (node) =>
          same(node.status.addresses, [internal("10.3.0.1"), hostname("n-03")], "the addresses"),
      });
      await nodeStays(world, "n-03", {
        forMs: 5_000,
        check: (node) => {
          same(cloudLabels(node), {}, "the cloud's labels");
          same(node.spec.providerID, undefined, "the provider ID");
          same(taintsOf(node), [{ key: "a", value: "b", effect: "NoSchedule" }], "the taints");
        },
      });
    },
  },
  {
    id: "N-04",
    title: "other taints stay, in their order",
    async run(world) {
      const others = [
        { key: "a", value: "b", effect: "NoExecute" },
        { key: "c", effect: "NoSchedule" },
      ];
      await createInstance(world, "n-04");
      await createNode(world, "n-04", {
        taints: [others[0] as never, UNINITIALIZED, others[1] as never],
      });
      const node = await initialised(world, "n-04");
      same(taintsOf(node), others, "the taints");
    },
  },
  {
    id: "N-05",
    title: "every taint of the uninitialized key is removed",
    async run(world) {
      await createInstance(world, "n-05");
      await createNode(world, "n-05", {
        taints: [UNINITIALIZED, { key: UNINITIALIZED.key, value: "x", effect: "NoExecute" }],
      });
      same(taintsOf(await initialised(world, "n-05")), [], "the taints");
    },
  },
  {
    id: "N-11",
    title: "an empty zone and type give no labels",
    async run(world) {
      const instance = await createInstance(world, "n-11");
      await world.cloud.change(instance.id, { zone: "", type: "" });
      await createNode(world, "n-11");
      const node = await initialised(world, "n-11");
      same(
        cloudLabels(node),
        Object.fromEntries([...REGION].reverse().map((key) => [key, "r1"])),
        "the labels",
      );
    },
  },
  {
    id: "N-12",
    title: "zone and type labels that were there are overwritten",
    async run(world) {
      await createInstance(world, "n-12");
      await createNode(world, "n-12", { labels: { [ZONE[0]]: "old", [TYPE[1]]: "old" } });
      const node = await initialised(world, "n-12");
      same(labelsOf(node, [...ZONE, ...TYPE]), ["z1", "z1", "m1", "m1"], "the labels");
    },
  },
  {
    id: "N-13",
    title: "additional labels of Kubernetes' own domains are dropped",
    async run(world) {
      await createInstance(world, "n-13", {
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
      await createNode(world, "n-13");
      const node = await initialised(world, "n-13");
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
  },
  {
    id: "N-14",
    title: "an additional label that the node has already stays as it is",
    async run(world) {
      await createInstance(world, "n-14", { labels: { "my.io/a": "new" } });
      await createNode(world, "n-14", { labels: { "my.io/a": "keep" } });
      await initialised(world, "n-14");
      await nodeStays(world, "n-14", {
        forMs: 5_000,
        check: (node) => same(node.metadata.labels?.["my.io/a"], "keep", "the label"),
      });
    },
  },
  {
    id: "N-42",
    title: "both histograms count an initialisation",
    async run(world) {
      await prepared(world, "n-42");
      await eventually(async () => {
        const text = await metrics(world.securePort);
        for (const name of [
          "node_controller_initial_node_sync_delay_seconds",
          "node_controller_cloud_provider_taint_removal_delay_seconds",
        ]) {
          const count = Number(
            new RegExp(`^${name}_count(?:\\{[^}]*\\})? (\\S+)$`, "m").exec(text)?.[1] ?? 0,
          );
          demand(count >= 1, `${name}_count is ${count}`);
          for (const bucket of [1, 4, 16, 64, 256, 1024]) {
            demand(
              text.includes(`${name}_bucket{le="${bucket}"`),
              `${name} has no bucket ${bucket}`,
            );
          }
        }
      });
    },
  },
];
