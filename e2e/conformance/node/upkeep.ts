import { same } from "../../harness/wait.ts";
import {
  cloudLabels,
  createInstance,
  createNode,
  external,
  hostname,
  initialised,
  internal,
  labelsOf,
  nodeStays,
  PROVIDED_IP,
  patchNode,
  prepared,
  seen,
  TYPE,
  taintsOf,
  untilNode,
  untouched,
  ZONE,
} from "../environment/objects.ts";
import { rows, type Scenario } from "../environment/scenario.ts";

/** Rows N-23 to N-29: what upstream keeps in sync on an initialised node. */
export const NODE_UPKEEP: readonly Scenario[] = rows({
  "N-23 a deleted GA zone label comes back": async (env) => {
    await prepared(env, "n-23");
    await patchNode(env, "n-23", { metadata: { labels: { [ZONE[0]]: null } } });
    await untilNode(env, "n-23", {
      check: (node) => same(labelsOf(node, ZONE), ["z1", "z1"], "the zones"),
    });
  },
  "N-24 a wrong GA type label is corrected": async (env) => {
    await prepared(env, "n-24");
    await patchNode(env, "n-24", { metadata: { labels: { [TYPE[0]]: "bogus" } } });
    await untilNode(env, "n-24", {
      check: (node) => same(labelsOf(node, TYPE), ["m1", "m1"], "the types"),
    });
  },
  "N-25 a node with GA labels alone keeps a user's edit": async (env) => {
    await prepared(env, "n-25");
    await patchNode(env, "n-25", { metadata: { labels: { [ZONE[1]]: null } } });
    await untilNode(env, "n-25", {
      check: (node) => same(labelsOf(node, ZONE), ["z1", undefined], "the zones"),
    });
    await nodeStays(env, "n-25", {
      forMs: 3_000,
      check: (node) => same(labelsOf(node, ZONE), ["z1", undefined], "the zones"),
    });
    await patchNode(env, "n-25", { metadata: { labels: { [ZONE[0]]: "edited" } } });
    await untilNode(env, "n-25", {
      check: (node) => same(labelsOf(node, ZONE), ["edited", undefined], "the zones"),
    });
    await nodeStays(env, "n-25", {
      forMs: 6_000,
      check: (node) => same(labelsOf(node, ZONE), ["edited", undefined], "the zones"),
    });
  },
  "N-26 addresses follow the cloud, labels stay": async (env) => {
    const instance = await prepared(env, "n-26");
    const labels = cloudLabels(seen(env, "n-26"));
    await env.cloud.change(instance.id, { addresses: [internal("10.26.9.9")] });
    const node = await untilNode(env, "n-26", {
      withinMs: 8_000,
      check: (current) =>
        same(current.status.addresses, [internal("10.26.9.9"), hostname("n-26")], "the addresses"),
    });
    same(cloudLabels(node), labels, "the labels");
  },
  "N-27 an empty address list from the cloud changes nothing": async (env) => {
    const instance = await prepared(env, "n-27");
    const before = seen(env, "n-27").status.addresses;
    await env.cloud.change(instance.id, { addresses: [] });
    await nodeStays(env, "n-27", {
      forMs: 6_000,
      check: (node) => same(node.status.addresses, before, "the addresses"),
    });
  },
  "N-28 a cloud that fails for three periods changes nothing on a Ready node": async (env) => {
    const instance = await prepared(env, "n-28");
    const before = seen(env, "n-28").status.addresses;
    const lift = await env.cloud.faultOnReads(
      { instance: "n-28", status: 500 },
      { instance: instance.id, status: 500 },
    );
    await nodeStays(env, "n-28", {
      forMs: 7_000,
      check: (node) => {
        same(node.status.addresses, before, "the addresses");
        same(taintsOf(node), [], "the taints");
      },
    });
    await lift();
  },
  "N-29 a Hostname that the cloud adds replaces the kubelet's": async (env) => {
    const instance = await prepared(env, "n-29");
    const addresses = [internal("10.29.0.1"), hostname("n29.cloud")];
    await env.cloud.change(instance.id, { addresses });
    await untilNode(env, "n-29", {
      check: (node) => same(node.status.addresses, addresses, "the addresses"),
    });
  },
});

/** Rows N-15 to N-22: the kubelet's node IP filters and orders the addresses. */
export const NODE_ADDRESSES: readonly Scenario[] = [
  providedAddress("N-15", {
    annotation: "10.15.0.1",
    cloud: [internal("10.15.0.1"), internal("10.15.0.2"), external("1.2.15.4")],
    wanted: [internal("10.15.0.1"), external("1.2.15.4"), hostname("n-15")],
  }),
  providedAddress("N-16", {
    annotation: "1.2.16.4",
    cloud: [internal("10.16.0.1"), external("1.2.16.4")],
    wanted: [external("1.2.16.4"), internal("10.16.0.1"), hostname("n-16")],
  }),
  ...rows({
    "N-17 a node IP that the cloud does not know keeps the taint until it does": async (env) => {
      const instance = await createInstance(env, "n-17", { addresses: [internal("10.17.0.1")] });
      await createNode(env, "n-17", { annotations: { [PROVIDED_IP]: "10.17.9.9" } });
      await nodeStays(env, "n-17", { check: untouched, forMs: 5_000 });
      await env.cloud.change(instance.id, {
        addresses: [internal("10.17.0.1"), internal("10.17.9.9")],
      });
      await initialised(env, "n-17");
    },
    "N-18 correcting an invalid node IP annotation initialises promptly": async (env) => {
      await createInstance(env, "n-18", { addresses: [internal("10.18.0.1")] });
      await createNode(env, "n-18", { annotations: { [PROVIDED_IP]: "invalid" } });
      await nodeStays(env, "n-18", { check: untouched, forMs: 5_000 });
      await patchNode(env, "n-18", { metadata: { annotations: { [PROVIDED_IP]: "10.18.0.1" } } });
      await initialised(env, "n-18", 2_000);
    },
  }),
  providedAddress("N-19", {
    annotation: "10.19.0.1,fd00:19::5",
    cloud: [internal("fd00:19::5"), internal("10.19.0.1"), internal("10.19.0.2")],
    wanted: [internal("10.19.0.1"), internal("fd00:19::5"), hostname("n-19")],
  }),
  refusedAnnotation(
    "N-20",
    "10.20.0.1,fd00:20::5",
    "a dual-stack node IP of which the cloud has one family",
  ),
  refusedAnnotation("N-21", "10.21.0.1,10.21.0.2", "two node IPs of one family"),
  providedAddress("N-22", {
    annotation: "fd00:22::5",
    cloud: [internal("fd00:22:0:0:0:0:0:5")],
    wanted: [internal("fd00:22:0:0:0:0:0:5"), hostname("n-22")],
  }),
];

interface AddressCase {
  readonly annotation: string;
  readonly cloud: { type: string; address: string }[];
  readonly wanted: { type: string; address: string }[];
}

function providedAddress(id: string, { annotation, cloud, wanted }: AddressCase): Scenario {
  const name = id.toLowerCase();
  return {
    id,
    title: `with the node IP ${annotation} the addresses are filtered and ordered`,
    async run(env) {
      await createInstance(env, name, { addresses: cloud });
      await createNode(env, name, { annotations: { [PROVIDED_IP]: annotation } });
      const node = await initialised(env, name);
      same(node.status.addresses, wanted, "the addresses");
    },
  };
}

function refusedAnnotation(id: string, annotation: string, what: string): Scenario {
  const name = id.toLowerCase();
  const second = name.slice(2);
  return {
    id,
    title: `${what} keeps the taint`,
    async run(env) {
      const addresses = [internal(`10.${second}.0.1`), internal(`10.${second}.0.2`)];
      await createInstance(env, name, { addresses });
      await createNode(env, name, { annotations: { [PROVIDED_IP]: annotation } });
      await nodeStays(env, name, { check: untouched });
    },
  };
}
