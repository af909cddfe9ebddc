import { ROUTE_VERDICTS, type RouteVerdict } from "@cloudwright/core/model/records/route-record";
import { ROUTE_SORTS, type RouteSort, type RoutesFilter } from "@cloudwright/store/views/routes";
import {
  choiceParam,
  choicesParam,
  optionalChoiceParam,
  optionalTextParam,
} from "../../components/url/url-codec.ts";
import {
  type ListSort,
  type ListView,
  listFilter,
  listUrl,
  some,
  WORST_FIRST,
} from "../../platform/lists/list-view.ts";

const ROUTE_LISTS = ["nodes", "map", "stale", "foreign"] as const;
export type RouteList = (typeof ROUTE_LISTS)[number];

const LAYOUTS = ["matrix", "list"] as const;
export type Layout = (typeof LAYOUTS)[number];

/** A node is opened beside the list by its name, one of its routes by `node/pod range`. */
export interface RoutesView extends ListView<RouteSort> {
  /** The list: routes that nodes ask for, the same as a map with a block per table, our routes that nobody asks for, or foreign ones. */
  readonly show: RouteList;
  /** Undefined: whatever fits the screen and the number of nodes. */
  readonly layout: Layout | undefined;
  readonly verdicts: readonly RouteVerdict[];
  /** Id of a route table. */
  readonly table: string | undefined;
}

/** Above this number of nodes, the matrix is shown only on request. */
const MATRIX_MOST = 500;

/** The address of a view: `?view=matrix&drift=drifted&table=rtb-a`, or `?show=foreign&q=10.1`. */
export const routesUrl = listUrl<RoutesView, RoutesFilter>({
  sorts: ROUTE_SORTS,
  listed: {
    show: choiceParam("show", ROUTE_LISTS, "nodes"),
    layout: optionalChoiceParam("view", LAYOUTS),
  },
  own: { verdicts: choicesParam("cell", ROUTE_VERDICTS), table: optionalTextParam("table") },
  filter: (view) => ({ ...listFilter(view), verdicts: some(view.verdicts), table: view.table }),
  stays: ({ show, layout }) => ({ show, layout }),
});

/** Switches to another list; a search text for one means little in the next. */
export function withList(view: RoutesView, show: RouteList): RoutesView {
  return { ...routesUrl.withoutFilters(view), sort: WORST_FIRST, peek: undefined, show };
}

export function toggleVerdict(view: RoutesView, verdict: string): RoutesView {
  const verdicts = ROUTE_VERDICTS.filter((known) =>
    known === verdict ? !view.verdicts.includes(known) : view.verdicts.includes(known),
  );
  return { ...view, verdicts };
}

/** The matrix has a block for each table, so it is always in that order. */
export function sortOf(view: RoutesView, layout: Layout | undefined): ListSort<RouteSort> {
  return layout === "matrix" ? { by: "table", descending: false } : view.sort;
}

/** On a narrow screen, a matrix becomes a list. */
export function layoutOf(
  { layout }: Pick<RoutesView, "layout">,
  { isNarrow, nodes }: { readonly isNarrow: boolean; readonly nodes: number },
): Layout {
  if (isNarrow) return "list";
  return layout ?? (nodes > MATRIX_MOST ? "list" : "matrix");
}

/** Parses the open row: a node, and the chosen one of its pod ranges. */
export function peeked(peek: string | undefined): {
  readonly node: string | undefined;
  readonly cidr: string | undefined;
} {
  if (peek === undefined) return { node: undefined, cidr: undefined };
  const slash = peek.indexOf("/");
  if (slash < 0) return { node: peek, cidr: undefined };
  return { node: peek.slice(0, slash), cidr: peek.slice(slash + 1) };
}
