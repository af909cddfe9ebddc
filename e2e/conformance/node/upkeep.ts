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
import { row, type Scenario } from "../environment/scenario.ts";

/** Rows N-23 to N-29: what upstream keeps in step on an initialised node. */
export const NODE_UPKEEP: readonly Scenario[] = [
  row("N-23", "a deleted GA zone label comes back", async (env) => {
    await prepared(env, "n-23");
    await patchNode(env, "n-23", { metadata: { labels: { [ZONE[0]]: null } } });
    await untilNode(env, "n-23", {
      check: (node) => same(labelsOf(node, ZONE), ["z1", "z1"], "the zones"),
    });
  }),
  row("N-24", "a wrong GA type label is put right", async (env) => {
    await prepared(env, "n-24");
    await patchNode(env, "n-24", { metadata: { labels: { [TYPE[0]]: "bogus" } } });
    await untilNode(env, "n-24", {
      check: (node) => same(labelsOf(node, TYPE), ["m1", "m1"], "the types"),
    });
  }),
  row("N-25", "a node with GA labels alone keeps a person's edit", async (env) => {
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
  }),
  row("N-26", "addresses follow the cloud, labels stay", async (env) => {
    const instance = await prepared(env, "n-26");
    const labels = cloudLabels(seen(env, "n-26"));
    await env.cloud.change(instance.id, { addresses: [internal("10.26.9.9")] });
    const node = await untilNode(env, "n-26", {
      withinMs: 8_000,
      check: (current) =>
        same(current.status.addresses, [internal("10.26.9.9"), hostname("n-26")], "the addresses"),
    });
    same(cloudLabels(node), labels, "the labels");
  }),
  row("N-27", "an empty address list from the cloud changes nothing", async (env) => {
    const instance = await prepared(env, "n-27");
    const before = seen(env, "n-27").status.addresses;
    await env.cloud.change(instance.id, { addresses: [] });
    await nodeStays(env, "n-27", {
      forMs: 6_000,
      check: (node) => same(node.status.addresses, before, "the addresses"),
    });
  }),
  row(
    "N-28",
    "a cloud that fails for three periods changes nothing on a Ready node",
    async (env) => {
      const instance = await prepared(env, "n-28");
      const before = seen(env, "n-28").status.addresses;
      const lift = await env.cloud.fault(
        { method: "GET", path: "/v1/instances*", instance: "n-28", status: 500 },
        { method: "GET", path: "/v1/instances*", instance: instance.id, status: 500 },
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
  ),
  row("N-29", "a Hostname that the cloud adds replaces the kubelet's", async (env) => {
    const instance = await prepared(env, "n-29");
    const addresses = [internal("10.29.0.1"), hostname("n29.cloud")];
    await env.cloud.change(instance.id, { addresses });
    await untilNode(env, "n-29", {
      check: (node) => same(node.status.addresses, addresses, "the addresses"),
    });
  }),
];
