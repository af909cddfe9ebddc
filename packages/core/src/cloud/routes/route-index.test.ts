import type { CloudRoute } from "@cloudwright/provider-api";
import { describe, expect, it } from "vitest";
import { RouteIndex, type RouteTraits } from "./route-index.ts";

const NOTHING: RouteTraits = { destinations: [], owners: [], machines: [], nodeNames: [] };
const MARK = { clusterUid: "cluster", objectUid: "uid-1" };

function route(id: string, facts: Partial<CloudRoute> = {}): CloudRoute {
  return {
    id,
    table: "main",
    name: id,
    destination: "10.244.9.0/24",
    target: { providerID: undefined, nodeName: undefined },
    comparesAddresses: false,
    targetAddresses: [],
    blackhole: false,
    owner: undefined,
    ...facts,
  };
}

const ROUTES = [
  route("by-range", { destination: "10.244.1.0/24" }),
  route("by-other-spelling", { destination: "10.244.1.7/24" }),
  route("by-no-range", { destination: "pl-prefix" }),
  route("by-mark", { owner: MARK }),
  route("by-machine", { target: { providerID: "cloud://1", nodeName: undefined } }),
  route("by-name", { target: { providerID: undefined, nodeName: "node-1" } }),
  route("twice", {
    destination: "10.244.2.0/24",
    target: { providerID: "cloud://2", nodeName: "node-2" },
  }),
];

describe("the index of routes", () => {
  it.each<[string, Partial<RouteTraits>, readonly string[]]>([
    ["a range", { destinations: ["10.244.1.0/24"] }, ["by-range", "by-other-spelling"]],
    ["what is no range", { destinations: ["pl-prefix"] }, ["by-no-range"]],
    ["the mark's owner", { owners: ["uid-1"] }, ["by-mark"]],
    ["the target's machine", { machines: ["cloud://1"] }, ["by-machine"]],
    ["the target's name", { nodeNames: ["node-1"] }, ["by-name"]],
    ["several, once", { machines: ["cloud://2"], nodeNames: ["node-2"] }, ["twice"]],
    ["a kind of its own", { nodeNames: ["cloud://1"], owners: ["node-1"] }, []],
    ["nothing", {}, []],
  ])("finds by %s", (_what, traits, ids) => {
    const index = new RouteIndex(ROUTES);
    expect(index.having({ ...NOTHING, ...traits }).map(({ id }) => id)).toEqual(ids);
  });

  it("does not find what was removed", () => {
    const index = new RouteIndex(ROUTES);
    for (const one of ROUTES) index.remove(one);
    const everything = {
      destinations: ["10.244.1.0/24", "pl-prefix", "10.244.2.0/24"],
      owners: ["uid-1"],
      machines: ["cloud://1", "cloud://2"],
      nodeNames: ["node-1", "node-2"],
    };
    expect(index.having(everything)).toEqual([]);
  });
});
