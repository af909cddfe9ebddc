import { metrics } from "../harness/controller.ts";
import { always, demand, eventually, same } from "../harness/wait.ts";
import {
  answersNaming,
  cloudLabels,
  countOf,
  createInstance,
  createNode,
  eventsOf,
  external,
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
  REGION,
  readsNaming,
  seen,
  setTaints,
  TYPE,
  taintsOf,
  UNINITIALIZED,
  untilNode,
  untouched,
  ZONE,
} from "./objects.ts";
import type { Scenario } from "./scenario.ts";

/** Rows N-01 to N-14, N-30 and N-38 to N-42: a node's first initialisation. */
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
    id: "N-06",
    title: "the node's own provider ID wins over the cloud's",
    async run(world) {
      const instance = await createInstance(world, "n-06");
      await world.cloud.change(instance.id, { providerId: "sandbox://other" });
      await createNode(world, "n-06", { providerID: `sandbox://${instance.id}` });
      const node = await initialised(world, "n-06");
      same(node.spec.providerID, `sandbox://${instance.id}`, "the provider ID");
    },
  },
  {
    id: "N-07",
    title: "without any provider ID the node waits, and is tried with growing gaps",
    async run(world) {
      const instance = await createInstance(world, "n-07", { providerId: "" });
      await createNode(world, "n-07");
      await eventually(async () =>
        demand((await readsNaming(world, "n-07")) >= 3, "fewer than 3 reads"),
      );
      untouched(seen(world, "n-07"));
      await world.cloud.change(instance.id, { providerId: `sandbox://${instance.id}` });
      const node = await initialised(world, "n-07");
      same(node.spec.providerID, `sandbox://${instance.id}`, "the provider ID");
    },
  },
  {
    id: "N-08",
    title: "the node's provider ID is enough when the cloud gives none",
    async run(world) {
      const instance = await createInstance(world, "n-08");
      await world.cloud.change(instance.id, { providerId: "" });
      await createNode(world, "n-08", { providerID: `sandbox://${instance.id}` });
      same(
        (await initialised(world, "n-08")).spec.providerID,
        `sandbox://${instance.id}`,
        "the provider ID",
      );
    },
  },
  {
    id: "N-09",
    title: "three failed reads delay it, and nothing is written before success",
    async run(world) {
      await createInstance(world, "n-09");
      const written: string[] = [];
      const stop = world.nodes.onChange((_, node) => {
        if (node.metadata.name === "n-09" && hasTaint(node, UNINITIALIZED.key)) {
          written.push(...Object.keys(cloudLabels(node)));
        }
      });
      await world.cloud.fault({
        method: "GET",
        path: "/v1/instances*",
        instance: "n-09",
        status: 500,
        times: 3,
      });
      await createNode(world, "n-09");
      await initialised(world, "n-09");
      stop();
      same(written, [], "labels written before the taint went");
      const reads = await readsNaming(world, "n-09");
      demand(reads >= 4, `${reads} reads, wanted at least 4`);
    },
  },
  {
    id: "N-10",
    title:
      "an instance that the cloud does not claim leaves the node tainted and is not asked for in a storm",
    async run(world) {
      const instance = await createInstance(world, "n-10");
      await world.cloud.change(instance.id, { managed: false });
      await createNode(world, "n-10");
      await eventually(async () =>
        demand((await readsNaming(world, "n-10")) >= 1, "not asked yet"),
      );
      const before = await answersNaming(world, "n-10", instance.id);
      await nodeStays(world, "n-10", { check: keepsTaint, forMs: 5_000 });
      const reads = (await answersNaming(world, "n-10", instance.id)) - before;
      demand(reads <= 2, `${reads} reads while nothing changed`);
      await world.cloud.change(instance.id, { managed: true });
      await patchNode(world, "n-10", { metadata: { labels: { touched: "1" } } });
      await initialised(world, "n-10");
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
    id: "N-30",
    title: "the refresh never writes addresses of a tainted node",
    async run(world) {
      await createInstance(world, "n-30", { addresses: [internal("10.30.0.1")] });
      const lift = await world.cloud.fault({
        method: "GET",
        path: "/v1/instances*",
        instance: "n-30",
        status: 500,
      });
      await createNode(world, "n-30");
      await nodeStays(world, "n-30", {
        forMs: 6_000,
        check: (node) => {
          if (hasTaint(node, UNINITIALIZED.key))
            same(node.status.addresses, [hostname("n-30")], "the addresses");
        },
      });
      await lift();
      await initialised(world, "n-30");
    },
  },
  {
    id: "N-38",
    title: "a node deleted while its lookup hangs is not made again",
    async run(world) {
      await createInstance(world, "n-38");
      const lift = await world.cloud.fault({
        method: "GET",
        path: "/v1/instances*",
        instance: "n-38",
        hang: true,
        times: 1,
      });
      await createNode(world, "n-38");
      await world.kube.delete("/api/v1/nodes/n-38");
      await gone(world, "n-38");
      await lift();
      await always(() => demand(world.nodes.get("n-38") === undefined, "the node was made again"), {
        forMs: 5_000,
        on: world.nodes,
      });
      demand(world.controller.child.exitCode === null, "the controller ended");
    },
  },
  {
    id: "N-39",
    title: "another client's status writes survive, and do not hold it up",
    async run(world) {
      await createInstance(world, "n-39", { addresses: [internal("10.39.0.1")] });
      let count = 0;
      let busy = true;
      await createNode(world, "n-39");
      const writer = (async () => {
        while (busy) {
          count += 1;
          await world.kube.patch("/api/v1/nodes/n-39/status", "strategic", {
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
        await initialised(world, "n-39", 10_000);
      } finally {
        busy = false;
        await writer;
      }
      await untilNode(world, "n-39", {
        check: (node) => {
          const probe = node.status.conditions?.find(
            (condition) => condition.type === "FrequencyProbe",
          );
          same(probe?.reason, `Beat${count}`, "the other client's condition");
          same(node.status.addresses, [internal("10.39.0.1"), hostname("n-39")], "the addresses");
        },
      });
    },
  },
  {
    id: "N-40",
    title: "a taint put back by a person initialises anew",
    async run(world) {
      const instance = await prepared(world, "n-40");
      await eventually(
        () => demand(countOf(eventsOf(world, "n-40"), "Synced") >= 1, "no Synced event"),
        { on: world.events },
      );
      await world.cloud.change(instance.id, { type: "m2" });
      await setTaints(world, "n-40", [UNINITIALIZED]);
      await untilNode(world, "n-40", {
        check: (node) => {
          demand(!hasTaint(node, UNINITIALIZED.key), "the taint is still there");
          same(labelsOf(node, TYPE), ["m2", "m2"], "the types");
        },
      });
      await eventually(
        () => demand(countOf(eventsOf(world, "n-40"), "Synced") >= 2, "no second Synced event"),
        { on: world.events },
      );
    },
  },
  {
    id: "N-41",
    title: "a zone that cannot be a label writes nothing until it is corrected",
    async run(world) {
      const instance = await createInstance(world, "n-41");
      await world.cloud.change(instance.id, { zone: "a b" });
      await createNode(world, "n-41");
      await nodeStays(world, "n-41", {
        forMs: 6_000,
        check: (node) => {
          untouched(node);
          same(node.status.addresses, [hostname("n-41")], "the addresses");
        },
      });
      await world.cloud.change(instance.id, { zone: "z1" });
      await initialised(world, "n-41");
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
