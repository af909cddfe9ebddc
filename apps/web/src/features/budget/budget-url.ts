import { BUDGET_RANGES, type BudgetRange } from "@cloudwright/store/views/budget";
import { readChoices, writeParams } from "../../components/url/search-params.ts";
import type { UrlCodec } from "../../components/url/use-url-state.ts";

export interface BudgetPageView {
  readonly range: BudgetRange;
  /** How use over time is shown. */
  readonly use: "bars" | "table";
}

const KNOWN = ["range", "use"];

/** The address of a view: `?range=day&use=table`. */
export const budgetUrl: UrlCodec<BudgetPageView> = {
  parse(params) {
    const ranges = readChoices(params.get("range"), BUDGET_RANGES);
    const uses = readChoices(params.get("use"), ["table"] as const);
    return {
      view: { range: ranges.values[0] ?? "hour", use: uses.values[0] ?? "bars" },
      dropped: [
        ...ranges.dropped,
        ...uses.dropped,
        ...[...params.keys()].filter((name) => !KNOWN.includes(name)),
      ],
    };
  },
  format: ({ range, use }) =>
    writeParams({
      range: range === "hour" ? undefined : range,
      use: use === "bars" ? undefined : use,
    }),
};
