import type { RouteRow, RoutesPage } from "@cloudwright/store/views/routes";
import type { Peek } from "../../components/peek-panel/use-peek.ts";
import type { ListProps } from "../../platform/lists/list-props.ts";
import type { LoadedRows } from "../../platform/lists/use-loaded-rows.ts";
import type { Selection } from "../../platform/lists/use-selection.ts";
import type { RoutesView } from "./routes-url.ts";

/** What the matrix and the list are given: the same rows, laid out in two ways. */
export interface RowsProps extends Pick<ListProps<RoutesView>, "cluster" | "view" | "push"> {
  readonly list: LoadedRows<RouteRow>;
  /** Of the cluster's pod ranges. */
  readonly families: RoutesPage["families"];
  readonly selection: Selection<RouteRow>;
  readonly peek: Peek;
}
