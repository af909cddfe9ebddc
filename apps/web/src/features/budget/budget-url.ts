import { BUDGET_RANGES, type BudgetRange } from "@cloudwright/store/views/budget";
import { choiceParam, urlCodec } from "../../components/url/url-codec.ts";

export interface BudgetPageView {
  readonly range: BudgetRange;
  /** How use over time is shown. */
  readonly use: "bars" | "table";
}

/** The address of a view: `?range=day&use=table`. */
export const budgetUrl = urlCodec<BudgetPageView>({
  range: choiceParam("range", BUDGET_RANGES, "hour"),
  use: choiceParam("use", ["bars", "table"], "bars"),
});
