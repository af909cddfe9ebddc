import type { State } from "@cloudwright/core/model/state";
import { describe, expect, it } from "vitest";
import { topologyNode, topologyService } from "../../../testing/topology-rows.ts";
import { zonesOf } from "../zones.ts";
import { BOX, edgePath, layOutServices, OTHER, PILL } from "./services-layout.ts";
import { layOutZones } from "./zones-layout.ts";

const nodes = (count: number, state: State = "ok", zone = "z1") =>
  Array.from({ length: count }, (_, index) =>
    topologyNode(`${zone}-${state}-${index}`, { state, zone }),
  );
const drawn = (...parts: readonly ReturnType<typeof nodes>[]) =>
  layOutZones(zonesOf(parts.flat()), 2);

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const overlap = (one: Box, other: Box) =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;

describe("the drawing of zones", () => {
  it("has no overlapping zones, and all of them inside it", () => {
    const zones = ["a", "b", "c", "d", "e"].map((zone, index) => nodes(20 * index + 3, "ok", zone));
    const { zones: boxes, width, height } = drawn(...zones);
    expect(boxes).toHaveLength(5);
    for (const [index, box] of boxes.entries()) {
      expect(boxes.slice(index + 1).some((other) => overlap(box, other))).toBe(false);
      expect(box.x + box.width).toBeLessThan(width);
      expect(box.y + box.height).toBeLessThan(height);
    }
  });

  it("names unhealthy nodes, and healthy ones if there are few", () => {
    const [few] = drawn(nodes(5), nodes(3, "stuck")).zones;
    expect(few?.groups.map(({ as }) => as)).toEqual(["names", "names"]);
    const [many] = drawn(nodes(160), nodes(3, "stuck")).zones;
    expect(many?.groups.map(({ as }) => as)).toEqual(["names", "dots"]);
  });

  it("only counts healthy nodes if there are thousands, and draws each unhealthy one", () => {
    const [zone] = drawn(nodes(1_600), nodes(80, "stuck")).zones;
    expect(zone?.groups.map(({ as, nodes: shown }) => [as, shown.length])).toEqual([
      ["dots", 80],
      ["block", 0],
    ]);
  });

  it("is no wider with many zones than with a few, so that 500 nodes are readable without zooming", () => {
    const zoned = (count: number) =>
      Array.from({ length: count }, (_, zone) => nodes(500 / count, "ok", `z${zone}`));
    expect(drawn(...zoned(10)).width).toBe(drawn(...zoned(2)).width);
    expect(drawn(...zoned(2)).width).toBeLessThan(700);
  });

  it("is an empty cloud without nodes", () => {
    expect(drawn().zones).toEqual([]);
  });
});

describe("the drawing of Services", () => {
  it("has a row for each, as high as its tallest column", () => {
    const [listener] = topologyService("a/b").listeners;
    const listeners = [443, 80, 8_080].flatMap((port) =>
      listener === undefined ? [] : [{ ...listener, port }],
    );
    const { services, height } = layOutServices([
      topologyService("shop/web", { listeners }),
      topologyService("shop/api"),
    ]);
    const [first, second] = services;
    expect(first?.listeners).toHaveLength(3);
    expect(second?.y).toBeGreaterThanOrEqual((first?.y ?? 0) + (first?.height ?? 0));
    expect(height).toBeGreaterThan((second?.y ?? 0) + (second?.height ?? 0));
  });

  it("names the nodes that are not simply in, and counts those it has no room for", () => {
    const others = Array.from({ length: 9 }, (_, index) => ({
      ...({ node: `w-${index}`, verdict: "out", why: "cordoned" } as const),
    }));
    const healthy = { node: "w-x", verdict: "in", why: "eligible", health: "healthy" } as const;
    const members = { in: 5, soon: 0, leaving: 0, out: 9 };
    const [row] = layOutServices([
      topologyService("a/b", { others: [...others, healthy], members }),
    ]).services;
    expect(row?.others.map(({ item }) => item.node)).toEqual(["w-0", "w-1", "w-2", "w-3", "w-4"]);
    expect(row?.more.item).toBe(4);
    expect(row?.members.map(({ item }) => `${item.count} ${item.verdict}`)).toEqual([
      ...["9 out", "5 in"],
    ]);
  });

  it("also counts those that the server has not named", () => {
    const others = Array.from({ length: 60 }, (_, index) => ({
      ...({ node: `w-${index}`, verdict: "out", why: "cordoned" } as const),
    }));
    const members = { in: 0, soon: 0, leaving: 0, out: 1_000 };
    const [row] = layOutServices([topologyService("a/b", { others, members })]).services;
    expect(row?.more.item).toBe(995);
  });

  it("has nodes in other states below their Service, within its width and above the next", () => {
    const others = ["w-1", "w-2", "w-3", "w-4"].map((node) => ({
      ...({ node, verdict: "out", why: "cordoned" } as const),
    }));
    const { services, width } = layOutServices([
      topologyService("a/b", { others }),
      topologyService("a/c"),
    ]);
    const [row, next] = services;
    for (const { x, y } of row?.others ?? []) {
      expect(x + OTHER.width).toBeLessThan(width);
      expect(y).toBeGreaterThan((row?.boxY ?? 0) + BOX);
      expect((row?.y ?? 0) + y + PILL).toBeLessThan(next?.y ?? 0);
    }
    expect(row?.others).toHaveLength(4);
  });

  it("says that no node is behind it", () => {
    const members = { in: 0, soon: 0, leaving: 0, out: 0 };
    const [row] = layOutServices([topologyService("a/b", { members, listeners: [] })]).services;
    expect(row?.members.map(({ item }) => item)).toEqual([{ verdict: "in", count: 0 }]);
  });

  it("draws a line that leaves and arrives horizontally", () => {
    expect(edgePath({ x: 0, y: 5 }, { x: 10, y: 25 })).toBe("M0 5C5 5 5 25 10 25");
  });
});
