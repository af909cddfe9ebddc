import type { Node } from "@cloudwright/core/kube/client";
import { expect, test } from "vitest";
import { judgeNodes } from "./judge-nodes.ts";

const ALL = [
  "cloud-node-controller",
  "cloud-node-lifecycle-controller",
  "node-route-controller",
] as const;

function node(
  name: string,
  {
    providerID,
    taint,
    provided,
  }: {
    readonly providerID?: string;
    readonly taint?: string;
    readonly provided?: boolean;
  },
): Node {
  return {
    metadata: {
      name,
      ...(provided === true
        ? { annotations: { "alpha.kubernetes.io/provided-node-ip": "10.0.0.1" } }
        : {}),
    },
    spec: {
      ...(providerID === undefined ? {} : { providerID }),
      ...(taint === undefined ? {} : { taints: [{ key: taint, effect: "NoSchedule" }] }),
    },
  };
}

const U = "node.cloudprovider.kubernetes.io/uninitialized";
const S = "node.cloudprovider.kubernetes.io/shutdown";
const NET = "node.kubernetes.io/network-unavailable";
const READY = node("w-1", { providerID: "lab://1" });

function verdicts(nodes: readonly Node[], running: readonly (typeof ALL)[number][] = ALL) {
  return judgeNodes({ nodes, provider: "lab", running }).map(
    ({ verdict, says }) => `${verdict}: ${says}`,
  );
}

test("a node with its provider ID and no taint is in order", () => {
  expect(verdicts([READY])).toEqual(["ok: The node is in order."]);
});

test.each([
  [
    "no provider ID and no taint",
    { tainted: node("w-2", {}), running: ALL },
    /^problem: .* will ever initialise the node w-2: there is neither a provider ID/,
  ],
  [
    "another cloud's ID",
    { tainted: node("w-2", { providerID: "aws:///z/i-1" }), running: ALL },
    /^warning: The provider ID of the node w-2 belongs to a cloud other than lab/,
  ],
  [
    "an ID without a scheme",
    { tainted: node("w-2", { providerID: "i-1" }), running: ALL },
    /^problem: .*has no scheme/,
  ],
  [
    "the taint, and a controller for it",
    { tainted: node("w-2", { taint: U }), running: ALL },
    /^ok: The node w-2 is waiting to be initialised/,
  ],
  [
    "the taint, and no controller for it",
    { tainted: node("w-2", { taint: U }), running: ["node-route-controller"] },
    /^problem: .*no controller removes the taint/,
  ],
  [
    "shut down, and no controller for it",
    {
      tainted: node("w-2", { providerID: "lab://2", taint: S }),
      running: ["cloud-node-controller"],
    },
    /^problem: .*shut down, and/,
  ],
  [
    "no network, and no routes from here",
    {
      tainted: node("w-2", { providerID: "lab://2", taint: NET }),
      running: ["cloud-node-controller"],
    },
    /^problem: .*network plug-in/,
  ],
  [
    "no network, and routes from here",
    { tainted: node("w-2", { providerID: "lab://2", taint: NET }), running: ALL },
    /^ok: .*waiting for a route/,
  ],
] as const)("%s", (_case, { tainted, running }, says) => {
  const found = verdicts([READY, tainted], running);
  expect(found).toHaveLength(1);
  expect(found[0]).toMatch(says);
});

test("an uninitialised node of another cloud waits for another manager", () => {
  const foreign = [1, 2].map((at) => node(`w-${at}`, { providerID: `aws:///z/i-${at}`, taint: U }));
  expect(verdicts(foreign)).toEqual([
    expect.stringMatching(/^warning: The provider ID of 2 nodes \(w-1, w-2\)/),
    expect.stringMatching(/^problem: 2 nodes \(w-1, w-2\) are still tainted as uninitialised/),
  ]);
});

test("a kubelet that reported its address runs with an external provider", () => {
  expect(verdicts([node("w-2", { provided: true })])).toEqual(["ok: The node is in order."]);
});

test("two nodes that claim the same machine are named with its provider ID", () => {
  const twin = (name: string) => node(name, { providerID: "lab://2" });
  expect(verdicts([READY, twin("w-2"), twin("w-3")])).toEqual([
    "problem: 2 nodes (w-2, w-3) have the same provider ID lab://2.",
  ]);
});

test("of many provider IDs that nodes share, five are named and the rest are counted", () => {
  const shared = (ids: number) =>
    Array.from({ length: 2 * ids }, (_, index) =>
      node(`w-${index}`, { providerID: `lab://${index % ids}` }),
    );
  expect(verdicts(shared(5))).toHaveLength(5);
  expect(verdicts(shared(6)).at(-1)).toBe(
    "problem: 1 more provider ID is shared by several nodes.",
  );
  expect(verdicts(shared(8)).at(-1)).toBe(
    "problem: 3 more provider IDs are shared by several nodes.",
  );
});
