import type { RouteRow } from "@cloudwright/store/route-views";
import type { Peek } from "../../components/peek-panel/use-peek.ts";
import type { Selection } from "../nodes/use-selection.ts";
import type { ListProps } from "./list-props.ts";

/** What the matrix and the list are given: the same rows, laid out in two ways. */
export interface RowsProps extends Pick<ListProps, "cluster" | "view" | "push"> {
  readonly rows: readonly RouteRow[];
  readonly selection: Selection;
  readonly peek: Peek;
  /** Undefined when it is not known exactly. */
  readonly total: number | undefined;
  /** The rows are of before, or of another filter. */
  readonly isOld: boolean;
  readonly onNearEnd: () => void;
}
