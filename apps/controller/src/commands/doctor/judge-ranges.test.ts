import type { Node } from "@cloudwright/core/kube/client";
import { expect, test } from "vitest";
import { judgeRanges } from "./judge-ranges.ts";

function node(name: string, podCIDR: string, address = "192.168.0.1"): Node {
  return {
    metadata: { name },
    spec: { podCIDR },
    status: { addresses: [{ type: "InternalIP", address }] },
  };
}

const FLAGS = {
  "cluster-cidr": ["10.244.0.0/16"],
  "service-cluster-ip-range": ["10.96.0.0/12"],
} as const;
const ONE = node("w-1", "10.244.1.0/24");
const TWO = node("w-2", "10.244.2.0/24", "192.168.0.2");

function says(
  nodes: readonly Node[],
  flags: Parameters<typeof judgeRanges>[0]["flags"] = FLAGS,
  serviceRanges: readonly string[] = [],
) {
  return judgeRanges({ flags, nodes, serviceRanges }).map(
    ({ verdict, says }) => `${verdict}: ${says}`,
  );
}

test.each([
  ["no node", [], /^ok: No node has a pod range/],
  ["one node", [ONE], /^ok: The pod range overlaps neither/],
  ["two nodes", [ONE, TWO], /^ok: The 2 pod ranges overlap neither/],
  [
    "the same range twice",
    [ONE, node("w-2", "10.244.1.0/24")],
    /^problem: The pod range of w-1 10\.244\.1\.0\/24 overlaps the pod range of w-2/,
  ],
  [
    "a range within another's",
    [node("w-1", "10.244.0.0/20"), node("w-2", "10.244.9.0/24")],
    /^problem: .*w-1 10\.244\.0\.0\/20 overlaps the pod range of w-2/,
  ],
  [
    "a range that is not the cluster's",
    [ONE, node("w-2", "10.7.0.0/24")],
    /^warning: .*w-2 10\.7\.0\.0\/24 is not within/,
  ],
  [
    "a machine among the pods",
    [node("w-1", "10.244.1.0/24", "10.244.9.9")],
    /^problem: --cluster-cidr 10\.244\.0\.0\/16 overlaps the address of w-1/,
  ],
] as const)("%s", (_case, nodes, expected) => {
  const found = says(nodes);
  expect(found).toHaveLength(1);
  expect(found[0]).toMatch(expected);
});

test("pods and Services may not share addresses, wherever the Services' range comes from", () => {
  const flags = { ...FLAGS, "cluster-cidr": ["10.96.0.0/16"] };
  expect(says([], flags)[0]).toMatch(/^problem: --cluster-cidr .*--service-cluster-ip-range/);
  const withoutServiceRange = { ...flags, "service-cluster-ip-range": [] };
  expect(says([], withoutServiceRange, ["10.96.0.0/12"])[0]).toMatch(
    /^problem: .*the cluster's Service range/,
  );
  expect(says([], withoutServiceRange)[0]).toMatch(/^ok/);
});

test("IPv4 and IPv6 never overlap, and each family has its own cluster range", () => {
  const flags = { ...FLAGS, "cluster-cidr": ["10.244.0.0/16", "fd00::/48"] };
  expect(says([ONE, node("w-2", "fd00:0:0:1::/64", "fe80::1")], flags)[0]).toMatch(/^ok/);
});
