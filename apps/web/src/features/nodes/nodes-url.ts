import { NODE_SORTS, type NodeSort, type NodesFilter } from "@cloudwright/store/views";
import { writeParams } from "../../components/url/search-params.ts";
import type { UrlCodec } from "../../components/url/use-url-state.ts";
import {
  isAnyWanted,
  type ListView,
  listFilter,
  listParams,
  readListView,
  some,
} from "../../platform/lists/list-view.ts";

/** Beside the list a node is looked at by its name. */
export interface NodesView extends ListView<NodeSort> {
  readonly zones: readonly string[];
  readonly types: readonly string[];
}

/** The address of a view of the Nodes page: `?q=10.0&state=stuck,unknown&zone=a&sort=-since`. */
export const nodesUrl: UrlCodec<NodesView> = {
  parse(params) {
    const { view, dropped } = readListView(params, { sorts: NODE_SORTS, own: ["zone", "type"] });
    return {
      view: { ...view, zones: words(params.get("zone")), types: words(params.get("type")) },
      dropped,
    };
  },
  format(view) {
    const { q, state, ...shared } = listParams(view);
    return writeParams({
      ...{ q, state, zone: view.zones.join(","), type: view.types.join(",") },
      ...shared,
    });
  },
};

/** The view as the server's filter: what is empty is not asked for. */
export function nodesFilter(view: NodesView): NodesFilter {
  return { ...listFilter(view), zones: some(view.zones), types: some(view.types) };
}

export function isFiltered(view: NodesView): boolean {
  return isAnyWanted(nodesFilter(view));
}

export function withoutFilters({ sort, peek }: NodesView): NodesView {
  return { ...nodesUrl.parse(new URLSearchParams()).view, sort, peek };
}

function words(text: string | null): readonly string[] {
  return (text ?? "").split(",").filter((word) => word !== "");
}
