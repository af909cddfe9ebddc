import { same } from "../../harness/wait.ts";
import {
  cloudLabels,
  hostname,
  internal,
  labelsOf,
  nodeStays,
  patchNode,
  prepared,
  seen,
  TYPE,
  taintsOf,
  untilNode,
  ZONE,
} from "../environment/objects.ts";
import type { Scenario } from "../environment/scenario.ts";

/** Rows N-23 to N-29: what upstream keeps in step on an initialised node. */
export const NODE_UPKEEP: readonly Scenario[] = [
  {
    id: "N-23",
    title: "a deleted GA zone label comes back",
    async run(world) {
      await prepared(world, "n-23");
      await patchNode(world, "n-23", { metadata: { labels: { [ZONE[0]]: null } } });
      await untilNode(world, "n-23", {
        check: (node) => same(labelsOf(node, ZONE), ["z1", "z1"], "the zones"),
      });
    },
  },
  {
    id: "N-24",
    title: "a wrong GA type label is put right",
    async run(world) {
      await prepared(world, "n-24");
      await patchNode(world, "n-24", { metadata: { labels: { [TYPE[0]]: "bogus" } } });
      await untilNode(world, "n-24", {
        check: (node) => same(labelsOf(node, TYPE), ["m1", "m1"], "the types"),
      });
    },
  },
  {
    id: "N-25",
    title: "a node with GA labels alone keeps a person's edit",
    async run(world) {
      await prepared(world, "n-25");
      await patchNode(world, "n-25", { metadata: { labels: { [ZONE[1]]: null } } });
      await untilNode(world, "n-25", {
        check: (node) => same(labelsOf(node, ZONE), ["z1", undefined], "the zones"),
      });
      await nodeStays(world, "n-25", {
        forMs: 3_000,
        check: (node) => same(labelsOf(node, ZONE), ["z1", undefined], "the zones"),
      });
      await patchNode(world, "n-25", { metadata: { labels: { [ZONE[0]]: "edited" } } });
      await untilNode(world, "n-25", {
        check: (node) => same(labelsOf(node, ZONE), ["edited", undefined], "the zones"),
      });
      await nodeStays(world, "n-25", {
        forMs: 6_000,
        check: (node) => same(labelsOf(node, ZONE), ["edited", undefined], "the zones"),
      });
    },
  },
  {
    id: "N-26",
    title: "addresses follow the cloud, labels stay",
    async run(world) {
      const instance = await prepared(world, "n-26");
      const labels = cloudLabels(seen(world, "n-26"));
      await world.cloud.change(instance.id, { addresses: [internal("10.26.9.9")] });
      const node = await untilNode(world, "n-26", {
        withinMs: 8_000,
        check: (current) =>
          same(
            current.status.addresses,
            [internal("10.26.9.9"), hostname("n-26")],
            "the addresses",
          ),
      });
      same(cloudLabels(node), labels, "the labels");
    },
  },
  {
    id: "N-27",
    title: "an empty address list from the cloud changes nothing",
    async run(world) {
      const instance = await prepared(world, "n-27");
      const before = seen(world, "n-27").status.addresses;
      await world.cloud.change(instance.id, { addresses: [] });
      await nodeStays(world, "n-27", {
        forMs: 6_000,
        check: (node) => same(node.status.addresses, before, "the addresses"),
      });
    },
  },
  {
    id: "N-28",
    title: "a cloud that fails for three periods changes nothing on a Ready node",
    async run(world) {
      const instance = await prepared(world, "n-28");
      const before = seen(world, "n-28").status.addresses;
      const lift = await world.cloud.fault(
        { method: "GET", path: "/v1/instances*", instance: "n-28", status: 500 },
        { method: "GET", path: "/v1/instances*", instance: instance.id, status: 500 },
      );
      await nodeStays(world, "n-28", {
        forMs: 7_000,
        check: (node) => {
          same(node.status.addresses, before, "the addresses");
          same(taintsOf(node), [], "the taints");
        },
      });
      await lift();
    },
  },
  {
    id: "N-29",
    title: "a Hostname that the cloud adds replaces the kubelet's",
    async run(world) {
      const instance = await prepared(world, "n-29");
      const addresses = [internal("10.29.0.1"), hostname("n29.cloud")];
      await world.cloud.change(instance.id, { addresses });
      await untilNode(world, "n-29", {
        check: (node) => same(node.status.addresses, addresses, "the addresses"),
      });
    },
  },
];
