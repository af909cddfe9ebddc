import type { MemberVerdict } from "@cloudwright/core/model/records/load-balancer-record";
import type { TopologyService } from "@cloudwright/store/views/topology";
import type { Size } from "./viewport.ts";

type Verdict = MemberVerdict["verdict"];

/** Where the columns begin, and how wide they are: Service, load balancer, listeners, members, and the nodes that are not simply in. */
export const COLUMNS = {
  service: { x: 16, width: 200 },
  loadBalancer: { x: 264, width: 210 },
  listeners: { x: 522, width: 170 },
  members: { x: 740, width: 130 },
  others: { x: 900, width: 150 },
} as const;
export const BOX = 46;
export const PILL = 26;
const TOP = 34;
const PILL_GAP = 6;
const ROW_GAP = 18;
const RIGHT = COLUMNS.others.x + 2 * COLUMNS.others.width;
const RIGHT_OF_MEMBERS = COLUMNS.members.x + COLUMNS.members.width + COLUMNS.service.x;

/** On their way first, then out: what is in comes last, as nobody looks for it. */
const VERDICT_ORDER: readonly Verdict[] = ["soon", "leaving", "out", "in"];
const OTHERS_MOST = 6;
const OTHERS_PER_ROW = 2;

export interface Placed<Item> {
  readonly item: Item;
  readonly y: number;
}

export interface DrawnService {
  readonly service: TopologyService;
  /** From the top of the drawing; what follows is from the top of the row. */
  readonly y: number;
  readonly height: number;
  /** Of the Service and of its load balancer. */
  readonly boxY: number;
  readonly listeners: readonly Placed<TopologyService["listeners"][number]>[];
  readonly members: readonly Placed<{ readonly verdict: Verdict; readonly count: number }>[];
  readonly others: readonly (Placed<MemberVerdict> & { readonly x: number })[];
  /** Nodes that are not simply in and are not drawn. */
  readonly more: number;
}

export interface ServicesDrawing extends Size {
  readonly services: readonly DrawnService[];
  /** Whether any has nodes that are not simply in: else the drawing ends before their column, and is shown larger. */
  readonly hasOthers: boolean;
}

/** A row for each Service: from it through its load balancer and listeners to how its nodes stand. */
export function layOutServices(services: readonly TopologyService[]): ServicesDrawing {
  const drawn: DrawnService[] = [];
  let top = TOP;
  for (const service of services) {
    const row = layOutService(service, top);
    drawn.push(row);
    top += row.height + ROW_GAP;
  }
  const hasOthers = drawn.some(({ others }) => others.length > 0);
  return {
    ...{ services: drawn, hasOthers },
    width: hasOthers ? RIGHT : RIGHT_OF_MEMBERS,
    height: Math.max(TOP, top),
  };
}

function layOutService(service: TopologyService, y: number): DrawnService {
  const counted = VERDICT_ORDER.map((verdict) => ({ verdict, count: service.members[verdict] }));
  const present = counted.filter(({ count }) => count > 0);
  const notIn = service.others.filter(({ verdict, why }) => verdict !== "in" || why !== "eligible");
  const shown = notIn.slice(0, OTHERS_MOST);
  const members = present.length === 0 ? [{ verdict: "in" as const, count: 0 }] : present;
  const height = Math.max(
    BOX,
    pillsHeight(service.listeners.length),
    pillsHeight(members.length),
    pillsHeight(Math.ceil(shown.length / OTHERS_PER_ROW)),
  );
  const place = <Item>(items: readonly Item[]): readonly Placed<Item>[] => {
    const from = (height - pillsHeight(items.length)) / 2;
    return items.map((item, index) => ({ item, y: from + index * (PILL + PILL_GAP) }));
  };
  const otherRows = Math.ceil(shown.length / OTHERS_PER_ROW);
  const othersFrom = (height - pillsHeight(otherRows)) / 2;
  return {
    ...{ service, y, height, boxY: (height - BOX) / 2 },
    listeners: place(service.listeners),
    members: place(members),
    others: shown.map((item, index) => ({
      item,
      x: COLUMNS.others.x + (index % OTHERS_PER_ROW) * COLUMNS.others.width,
      y: othersFrom + Math.floor(index / OTHERS_PER_ROW) * (PILL + PILL_GAP),
    })),
    more: Math.max(0, notIn.length - shown.length),
  };
}

function pillsHeight(count: number): number {
  return count === 0 ? 0 : count * (PILL + PILL_GAP) - PILL_GAP;
}

/** A line from the right of one thing to the left of the next, which leaves and arrives level. */
export function edgePath(
  from: { readonly x: number; readonly y: number },
  to: { readonly x: number; readonly y: number },
): string {
  const middle = (from.x + to.x) / 2;
  return `M${from.x} ${from.y}C${middle} ${from.y} ${middle} ${to.y} ${to.x} ${to.y}`;
}
