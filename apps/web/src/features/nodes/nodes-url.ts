import { NODE_SORTS, type NodeSort, type NodesFilter } from "@cloudwright/store/views/views";
import { writeParams } from "../../components/url/search-params.ts";
import {
  type ListView,
  listFilter,
  listParams,
  listUrl,
  readListView,
  some,
} from "../../platform/lists/list-view.ts";

/** Beside the list a node is looked at by its name. */
export interface NodesView extends ListView<NodeSort> {
  readonly zones: readonly string[];
  readonly types: readonly string[];
}

/** The address of a view of the Nodes page: `?q=10.0&state=stuck,unknown&zone=a&sort=-since`. */
export const nodesUrl = listUrl<NodesView, NodesFilter>(
  {
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
  },
  {
    filter: (view) => ({ ...listFilter(view), zones: some(view.zones), types: some(view.types) }),
  },
);

function words(text: string | null): readonly string[] {
  return (text ?? "").split(",").filter((word) => word !== "");
}
