import type { TopologyNode } from "@cloudwright/store/views/topology";
import type { StateGroup, Zone } from "../zones.ts";
import type { Size } from "./viewport.ts";

export const NAMED = { width: 132, height: 20 } as const;
export const DOT = 18;
export const HEAD = 30;
const GROUP_HEAD = 20;
const PAD = 12;
const GAP = 16;
const PER_ROW = 16;
const NAMED_PER_ROW = 2;
export const ZONE_WIDTH = PER_ROW * DOT + 2 * PAD;

/** More healthy nodes than this in a zone become one block, which links to their list. */
const WELL_MOST = 200;
/** In an unhealthy state, up to this many nodes are drawn with their names. */
const NAMED_MOST = 40;

export interface DrawnNode {
  readonly node: TopologyNode;
  readonly x: number;
  readonly y: number;
}

export interface DrawnGroup {
  readonly group: StateGroup;
  readonly y: number;
  /** `names`: each with its name. `dots`: only shapes, named when zoomed in. `block`: only their number. */
  readonly as: "names" | "dots" | "block";
  /** Relative to the zone. */
  readonly nodes: readonly DrawnNode[];
  readonly height: number;
}

export interface DrawnZone extends Size {
  readonly zone: Zone;
  readonly x: number;
  readonly y: number;
  readonly groups: readonly DrawnGroup[];
}

export interface ZonesDrawing extends Size {
  readonly zones: readonly DrawnZone[];
}

/** Lays out so many zones side by side below the cloud's header, the others in further rows. */
export function layOutZones(zones: readonly Zone[], columns: number): ZonesDrawing {
  const boxes = zones.map(layOutZone);
  const drawn: DrawnZone[] = [];
  let top = HEAD + PAD;
  for (let from = 0; from < boxes.length; from += columns) {
    const row = boxes.slice(from, from + columns);
    drawn.push(
      ...row.map((box, index) => ({ ...box, x: PAD + index * (ZONE_WIDTH + GAP), y: top })),
    );
    top += Math.max(...row.map(({ height }) => height)) + GAP;
  }
  const across = Math.max(1, Math.min(columns, boxes.length));
  return {
    zones: drawn,
    width: 2 * PAD + across * ZONE_WIDTH + (across - 1) * GAP,
    height: boxes.length === 0 ? HEAD + PAD : top - GAP + PAD,
  };
}

function layOutZone(zone: Zone): Omit<DrawnZone, "x" | "y"> {
  const groups: DrawnGroup[] = [];
  let y = HEAD + PAD / 2;
  for (const group of zone.groups) {
    const drawn = layOutGroup(group, y);
    groups.push(drawn);
    y += drawn.height + PAD / 2;
  }
  return { zone, groups, width: ZONE_WIDTH, height: y + PAD / 2 };
}

function layOutGroup(group: StateGroup, y: number): DrawnGroup {
  const { state, nodes } = group;
  const count = nodes.length;
  const isWell = state === "ok";
  if (isWell && count > WELL_MOST) {
    return { group, y, as: "block", nodes: [], height: GROUP_HEAD + 36 };
  }
  const isNamed = isWell ? count <= NAMED_PER_ROW * 6 : count <= NAMED_MOST;
  const [perRow, width, height] = isNamed
    ? [NAMED_PER_ROW, NAMED.width + 8, NAMED.height + 2]
    : [PER_ROW, DOT, DOT];
  return {
    group,
    y,
    as: isNamed ? "names" : "dots",
    nodes: nodes.map((node, index) => ({
      node,
      x: PAD + (index % perRow) * width,
      y: y + GROUP_HEAD + Math.floor(index / perRow) * height,
    })),
    height: GROUP_HEAD + Math.ceil(count / perRow) * height,
  };
}
