import type { Total } from "@cloudwright/store/views/views";
import { formatCount } from "../../components/presentation/format-count.ts";
import listFooter from "../../components/table/list-footer.module.css";
import { NewRows } from "../../components/table/new-rows.tsx";
import type { LoadedRows } from "./use-loaded-rows.ts";

/** How many rows a list has, whether more are on their way, and what came while one reads. */
export function ListFooter({
  thing,
  list: { total, fresh, show, isLoadingMore },
  isFiltered,
}: {
  /** `load balancer`, for one of the rows. */
  readonly thing: string;
  readonly list: Omit<LoadedRows<unknown>, "rows">;
  readonly isFiltered: boolean;
}) {
  return (
    <div className={listFooter.withButtons}>
      <p role="status" className={listFooter.parts}>
        <span>{total === undefined ? "" : counted(total, thing, isFiltered)}</span>
        {isLoadingMore ? <span>Loading more…</span> : null}
      </p>
      <NewRows total={{ kind: "exact", count: fresh }} onShow={show} />
    </div>
  );
}

function counted({ kind, count }: Total, thing: string, isFiltered: boolean): string {
  const isOne = count === 1;
  const number = `${formatCount(count)}${kind === "exact" ? "" : "+"}`;
  const match = isOne ? " matches" : " match";
  return `${number} ${isOne ? thing : `${thing}s`}${isFiltered ? match : ""}`;
}
