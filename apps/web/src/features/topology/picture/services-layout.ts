import type { MemberVerdict } from "@cloudwright/core/model/records/load-balancer-record";
import type { TopologyService } from "@cloudwright/store/views/topology";
import type { Size } from "./viewport.ts";

type Verdict = MemberVerdict["verdict"];

/**
 * The start and width of the columns: Service, load balancer, listeners and members. Together they are as wide as the drawing is beside its
 * table, so that texts are readable without zooming.
 */
export const COLUMNS = {
  service: { x: 8, width: 172 },
  loadBalancer: { x: 200, width: 168 },
  listeners: { x: 388, width: 140 },
  members: { x: 560, width: 112 },
} as const;
export const BOX = 46;
export const PILL = 26;
/** The nodes that are not simply in are below, from the load balancer to the right edge. */
export const OTHER = { width: 152, step: 160 } as const;
export const ROW_GAP = 20;
const TOP = 44;
const PILL_GAP = 6;
const OTHERS_GAP = 10;
const WIDTH = COLUMNS.members.x + COLUMNS.members.width + COLUMNS.service.x;

/** Changing nodes first, then those that are out; those that are in come last, because nobody looks for them. */
const VERDICT_ORDER: readonly Verdict[] = ["soon", "leaving", "out", "in"];
const OTHERS_MOST = 6;
const OTHERS_PER_ROW = 3;

export interface Placed<Item> {
  readonly item: Item;
  readonly y: number;
}

export interface DrawnService {
  readonly service: TopologyService;
  /** From the top of the drawing; the following members are relative to the top of the row. */
  readonly y: number;
  readonly height: number;
  /** The top of the boxes of the Service and of its load balancer. */
  readonly boxY: number;
  readonly listeners: readonly Placed<TopologyService["listeners"][number]>[];
  readonly members: readonly Placed<{ readonly verdict: Verdict; readonly count: number }>[];
  readonly others: readonly (Placed<MemberVerdict> & { readonly x: number })[];
  /** How many nodes that are not simply in are left out, shown in place of the last of them. */
  readonly more: Placed<number> & { readonly x: number };
}

export interface ServicesDrawing extends Size {
  readonly services: readonly DrawnService[];
}

/** Lays out a row for each Service: from the Service through its load balancer and listeners to the state of its nodes. */
export function layOutServices(services: readonly TopologyService[]): ServicesDrawing {
  const drawn: DrawnService[] = [];
  let top = TOP;
  for (const service of services) {
    const row = layOutService(service, top);
    drawn.push(row);
    top += row.height + ROW_GAP;
  }
  return { services: drawn, width: WIDTH, height: Math.max(TOP, top) };
}

function layOutService(service: TopologyService, y: number): DrawnService {
  const members = membersOf(service);
  const height = Math.max(BOX, pillsHeight(service.listeners.length), pillsHeight(members.length));
  const place = <Item>(items: readonly Item[]): readonly Placed<Item>[] => {
    const from = (height - pillsHeight(items.length)) / 2;
    return items.map((item, index) => ({ item, y: from + index * (PILL + PILL_GAP) }));
  };
  const { shown, more } = othersOf(service);
  const slot = (index: number) => ({
    x: COLUMNS.loadBalancer.x + (index % OTHERS_PER_ROW) * OTHER.step,
    y: height + OTHERS_GAP + Math.floor(index / OTHERS_PER_ROW) * (PILL + PILL_GAP),
  });
  const lines = Math.ceil((shown.length + Math.sign(more)) / OTHERS_PER_ROW);
  return {
    ...{ service, y, boxY: (height - BOX) / 2 },
    height: height + (lines === 0 ? 0 : OTHERS_GAP + pillsHeight(lines)),
    listeners: place(service.listeners),
    members: place(members),
    others: shown.map((item, index) => ({ item, ...slot(index) })),
    more: { item: more, ...slot(shown.length) },
  };
}

function membersOf({ members }: TopologyService) {
  const present = VERDICT_ORDER.map((verdict) => ({ verdict, count: members[verdict] })).filter(
    ({ count }) => count > 0,
  );
  return present.length === 0 ? [{ verdict: "in" as const, count: 0 }] : present;
}

/** Returns as many nodes that are not simply in as there is room for, and how many more there are: the server names only some. */
function othersOf({ others, members }: TopologyService) {
  const notIn = others.filter(({ verdict, why }) => verdict !== "in" || why !== "eligible");
  if (notIn.length === 0) return { shown: notIn, more: 0 };
  const count = Math.max(notIn.length, members.soon + members.leaving + members.out);
  const shown = notIn.slice(0, count > OTHERS_MOST ? OTHERS_MOST - 1 : OTHERS_MOST);
  return { shown, more: count - shown.length };
}

function pillsHeight(count: number): number {
  return count === 0 ? 0 : count * (PILL + PILL_GAP) - PILL_GAP;
}

/** Returns a line from the right of one box to the left of the next, which leaves and arrives horizontally. */
export function edgePath(
  from: { readonly x: number; readonly y: number },
  to: { readonly x: number; readonly y: number },
): string {
  const middle = (from.x + to.x) / 2;
  return `M${from.x} ${from.y}C${middle} ${from.y} ${middle} ${to.y} ${to.x} ${to.y}`;
}
