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

/** Beside the list a node is looked at by its name, one of its routes by `node/pod range`. */
export interface RoutesView extends ListView<RouteSort> {
  /** The routes that nodes ask for, those in a block for each table, those of ours that nobody asks for, and those that are not ours. */
  readonly show: RouteList;
  /** Undefined: as fits the screen and the number of nodes. */
  readonly layout: Layout | undefined;
  readonly verdicts: readonly RouteVerdict[];
  /** Id of a route table. */
  readonly table: string | undefined;
}

/** Beyond so many nodes the matrix is only shown when asked for. */
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

/** Another of the lists; what is looked for in one means little in the next. */
export function withList(view: RoutesView, show: RouteList): RoutesView {
  return { ...routesUrl.withoutFilters(view), sort: WORST_FIRST, peek: undefined, show };
}

export function toggleVerdict(view: RoutesView, verdict: string): RoutesView {
  const verdicts = ROUTE_VERDICTS.filter((known) =>
    known === verdict ? !view.verdicts.includes(known) : view.verdicts.includes(known),
  );
  return { ...view, verdicts };
}

/** The matrix has a block for each table, so there it is always in that order. */
export function sortOf(view: RoutesView, layout: Layout | undefined): ListSort<RouteSort> {
  return layout === "matrix" ? { by: "table", descending: false } : view.sort;
}

/** On a narrow screen a matrix is a list. */
export function layoutOf(
  { layout }: Pick<RoutesView, "layout">,
  { isNarrow, nodes }: { readonly isNarrow: boolean; readonly nodes: number },
): Layout {
  if (isNarrow) return "list";
  return layout ?? (nodes > MATRIX_MOST ? "list" : "matrix");
}

/** What is looked at beside the list: a node, and of its pod ranges the one that was chosen. */
export function peeked(peek: string | undefined): {
  readonly node: string | undefined;
  readonly cidr: string | undefined;
} {
  if (peek === undefined) return { node: undefined, cidr: undefined };
  const slash = peek.indexOf("/");
  if (slash < 0) return { node: peek, cidr: undefined };
  return { node: peek.slice(0, slash), cidr: peek.slice(slash + 1) };
}
