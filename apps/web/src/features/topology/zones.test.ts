import type { State } from "@cloudwright/core/model/state";
import type { TopologyNode } from "@cloudwright/store/views/topology";
import { describe, expect, it } from "vitest";
import { filteredNodes, NO_ZONE, zonesOf, zonesSentence } from "./zones.ts";

const node = (name: string, zone: string | undefined, state: State = "ok"): TopologyNode => ({
  ...{ name, state, since: 0, type: "m5.large" },
  ...(zone === undefined ? {} : { zone }),
});

const NODES = [
  node("w-10", "z2"),
  node("w-9", "z2"),
  node("w-1", "z10", "stuck"),
  node("w-2", undefined, "waiting"),
  node("w-3", "z2", "stuck"),
];

describe("the zones", () => {
  it("are sorted by name, nodes without a zone last, each with its worst state first", () => {
    expect(
      zonesOf(NODES).map(({ name, count, groups }) => [
        ...[name, count],
        groups.map(({ state, nodes }) => `${state}: ${nodes.map((each) => each.name).join()}`),
      ]),
    ).toEqual([
      ["z2", 3, ["stuck: w-3", "ok: w-9,w-10"]],
      ["z10", 1, ["stuck: w-1"]],
      [undefined, 1, ["waiting: w-2"]],
    ]);
  });

  it.each([
    [{ text: " W-1 " }, "w-10,w-1"],
    [{ text: "z10" }, "w-1"],
    [{ text: "m5" }, "w-10,w-9,w-1,w-2,w-3"],
    [{ states: ["stuck"] }, "w-1,w-3"],
    [{ zone: "z2" }, "w-10,w-9,w-3"],
    [{ zone: NO_ZONE }, "w-2"],
    [{ zone: "z2", states: ["stuck"], text: "w" }, "w-3"],
  ] as const)("with %j leave %s", (filter, left) => {
    const found = filteredNodes(NODES, { text: "", states: [], zone: undefined, ...filter });
    expect(found.map(({ name }) => name).join()).toBe(left);
  });

  it.each([
    [[], "No node has been seen in this cluster yet."],
    [[node("w-1", "a")], "1 node in 1 zone. None is stuck."],
    [[node("w-1", undefined)], "1 node without a zone. None is stuck."],
    [[node("w-1", "a", "stuck"), node("w-2", "b")], "2 nodes in 2 zones. 1 node stuck, in zone a."],
    [
      [node("w-1", undefined, "stuck"), node("w-2", "b")],
      "2 nodes in 1 zone. 1 node stuck, without a zone.",
    ],
    [
      [node("w-1", "a", "stuck"), node("w-2", "a", "stuck"), node("w-3", "b", "stuck")],
      "3 nodes in 2 zones. 3 nodes stuck, most of them (2) in zone a.",
    ],
  ])("of %j are summarised as %s", (nodes, sentence) => {
    expect(zonesSentence(nodes)).toBe(sentence);
  });
});
