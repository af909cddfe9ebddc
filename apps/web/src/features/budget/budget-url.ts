import { BUDGET_RANGES, type BudgetRange } from "@cloudwright/store/views/budget";
import { readChoices, writeParams } from "../../components/url/search-params.ts";
import { readStretch, type Stretch } from "../../components/url/time-range.ts";
import type { UrlCodec } from "../../components/url/use-url-state.ts";

export interface BudgetPageView {
  readonly range: BudgetRange;
  /** A stretch of time instead of the range. */
  readonly between: Stretch | undefined;
  /** How usage over time is shown. */
  readonly use: "bars" | "table";
}

const USES = ["bars", "table"] as const;

/** The address of a view: `?range=day&use=table`, or `?from=…&to=…` with two moments. */
export const budgetUrl: UrlCodec<BudgetPageView> = {
  parse(params) {
    const between = readStretch(params);
    const range = readChoices(params.get("range"), BUDGET_RANGES);
    const use = readChoices(params.get("use"), USES);
    const known = ["range", "use", ...(between === undefined ? [] : ["from", "to"])];
    return {
      view: { range: range.values[0] ?? "hour", between, use: use.values[0] ?? "bars" },
      dropped: [
        ...[...range.dropped, ...use.dropped],
        ...[...params.keys()].filter((name) => !known.includes(name)),
      ],
    };
  },
  format: ({ range, between, use }) =>
    writeParams({
      range: range === "hour" ? undefined : range,
      ...(between === undefined ? {} : { from: instant(between.from), to: instant(between.to) }),
      use: use === "bars" ? undefined : use,
    }),
};

function instant(at: number): string {
  return new Date(at).toISOString();
}
