import { type ReasonCode, reasonSchema } from "@cloudwright/core/model/reason";
import { ROUTE_VERDICTS, type RouteVerdict } from "@cloudwright/core/model/route-record";
import { DRIFTS, type Drift, STATES, type State } from "@cloudwright/core/model/state";
import { ROUTE_SORTS, type RouteSort, type RoutesFilter } from "@cloudwright/store/route-views";
import {
  readChoices,
  readSort,
  readText,
  writeParams,
} from "../../components/url/search-params.ts";
import type { UrlCodec } from "../../components/url/use-url-state.ts";

export const ROUTE_LISTS = ["nodes", "stale", "foreign"] as const;
export type RouteList = (typeof ROUTE_LISTS)[number];

export const LAYOUTS = ["matrix", "list"] as const;
export type Layout = (typeof LAYOUTS)[number];

export interface RoutesView {
  /** The routes that nodes ask for, those of ours that nobody asks for, and those that are not ours. */
  readonly show: RouteList;
  /** Undefined: as fits the screen and the number of nodes. */
  readonly layout: Layout | undefined;
  readonly text: string;
  readonly states: readonly State[];
  readonly drift: Drift | undefined;
  /** Only those that are as they are for this reason; the Overview leads there. */
  readonly reason: ReasonCode | undefined;
  readonly verdicts: readonly RouteVerdict[];
  /** Id of a route table. */
  readonly table: string | undefined;
  readonly sort: { readonly by: RouteSort; readonly descending: boolean };
  /** The node that is looked at beside the list, or `node/pod range`. */
  readonly peek: string | undefined;
}

/** What needs a person or hides the truth; the key `f` shows only these. */
export const FAULTS: readonly State[] = ["stuck", "unknown"];
/** Beyond so many nodes the matrix is only shown when asked for. */
const MATRIX_MOST = 500;

const WORST_FIRST: RoutesView["sort"] = { by: "state", descending: false };
const KNOWN = [
  ...["show", "view", "q", "state", "drift", "reason", "cell", "table", "sort", "peek"],
];
const REASONS: readonly ReasonCode[] = reasonSchema.options.map(
  (option) => option.unwrap().shape.code.value,
);

/** The address of a view: `?view=matrix&drift=drifted&table=rtb-a`, or `?show=foreign&q=10.1`. */
export const routesUrl: UrlCodec<RoutesView> = {
  parse(params) {
    const lists = readChoices(params.get("show"), ROUTE_LISTS);
    const layouts = readChoices(params.get("view"), LAYOUTS);
    const states = readChoices(params.get("state"), STATES);
    const drifts = readChoices(params.get("drift"), DRIFTS);
    const reasons = readChoices(params.get("reason"), REASONS);
    const verdicts = readChoices(params.get("cell"), ROUTE_VERDICTS);
    const sort = readSort(params.get("sort"), ROUTE_SORTS);
    return {
      view: {
        show: lists.values[0] ?? "nodes",
        layout: layouts.values[0],
        text: params.get("q") ?? "",
        states: states.values,
        drift: drifts.values[0],
        reason: reasons.values[0],
        verdicts: verdicts.values,
        table: readText(params.get("table")),
        sort: sort ?? WORST_FIRST,
        peek: readText(params.get("peek")),
      },
      dropped: [
        ...[lists, layouts, states, drifts, reasons, verdicts].flatMap(({ dropped }) => dropped),
        ...(params.has("sort") && sort === undefined ? [params.get("sort") ?? ""] : []),
        ...[...params.keys()].filter((name) => !KNOWN.includes(name)),
      ],
    };
  },
  format({ show, layout, text, states, drift, reason, verdicts, table, sort, peek }) {
    const plain = sort.by === WORST_FIRST.by && !sort.descending;
    return writeParams({
      show: show === "nodes" ? undefined : show,
      view: layout,
      q: text,
      state: states.join(","),
      drift,
      reason,
      cell: verdicts.join(","),
      table,
      sort: plain ? undefined : `${sort.descending ? "-" : ""}${sort.by}`,
      peek,
    });
  },
};

/** The view as the server's filter: what is empty is not asked for. */
export function routesFilter(view: RoutesView): RoutesFilter {
  const { states, drift, reason, verdicts, table } = view;
  return {
    text: wanted(view.text),
    states: states.length === 0 ? undefined : states,
    drift,
    reason,
    verdicts: verdicts.length === 0 ? undefined : verdicts,
    table,
  };
}

export function wanted(text: string): string | undefined {
  return text.trim() === "" ? undefined : text.trim();
}

export function isFiltered(view: RoutesView): boolean {
  return Object.values(routesFilter(view)).some((value) => value !== undefined);
}

export function withoutFilters(view: RoutesView): RoutesView {
  const { show, layout, sort, peek } = view;
  const plain = routesUrl.parse(new URLSearchParams()).view;
  return { ...plain, show, layout, sort, peek };
}

/** Another of the lists; what is looked for in one means little in the next. */
export function withList(view: RoutesView, show: RouteList): RoutesView {
  return { ...withoutFilters(view), sort: WORST_FIRST, peek: undefined, show };
}

export function toggleFaults(view: RoutesView): RoutesView {
  const on = view.states.join() === FAULTS.join();
  return { ...view, states: on ? [] : FAULTS };
}

export function toggleState(view: RoutesView, state: State): RoutesView {
  const states = view.states.includes(state)
    ? view.states.filter((other) => other !== state)
    : STATES.filter((other) => other === state || view.states.includes(other));
  return { ...view, states };
}

export function toggleVerdict(view: RoutesView, verdict: string): RoutesView {
  const verdicts = ROUTE_VERDICTS.filter((known) =>
    known === verdict ? !view.verdicts.includes(known) : view.verdicts.includes(known),
  );
  return { ...view, verdicts };
}

/** A click on a column's header: first its natural order, then the other way round. */
export function sortedBy(view: RoutesView, by: RouteSort): RoutesView {
  const descending = view.sort.by === by && !view.sort.descending;
  return { ...view, sort: { by, descending } };
}

/** The matrix has a block for each table, so there it is always in that order. */
export function sortOf(view: RoutesView, layout: Layout): RoutesView["sort"] {
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
