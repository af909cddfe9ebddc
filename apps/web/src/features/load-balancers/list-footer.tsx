import type { Total } from "@cloudwright/store/views";
import listFooter from "../../components/list-footer.module.css";
import { formatCount } from "../nodes/nodes-sentence.ts";

/** How many rows a list has, and whether they are old or more are on their way. */
export function ListFooter({
  what,
  total,
  isFiltered,
  isOld,
  isLoading,
}: {
  readonly what: string;
  readonly total: Total | undefined;
  readonly isFiltered: boolean;
  readonly isOld: boolean;
  readonly isLoading: boolean;
}) {
  return (
    <p className={listFooter.footer} role="status">
      <span>{total === undefined ? "" : counted(total, what, isFiltered)}</span>
      {isOld ? <span>These rows are old: the last request failed.</span> : null}
      {isLoading ? <span>Loading more…</span> : null}
    </p>
  );
}

function counted({ kind, count }: Total, what: string, isFiltered: boolean): string {
  const isOne = count === 1;
  const number = `${formatCount(count)}${kind === "exact" ? "" : "+"}`;
  const match = isOne ? " matches" : " match";
  return `${number} ${isOne ? what : `${what}s`}${isFiltered ? match : ""}`;
}
