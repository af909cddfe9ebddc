import { readChoices, writeParams } from "../../components/url/search-params.ts";
import type { UrlCodec } from "../../components/url/use-url-state.ts";

export interface OverviewPageView {
  /** How the last hour is shown. */
  readonly hour: "bars" | "table";
}

export const overviewUrl: UrlCodec<OverviewPageView> = {
  parse(params) {
    const hour = readChoices(params.get("hour"), ["table"] as const);
    const unknown = [...params.keys()].filter((name) => name !== "hour");
    return {
      view: { hour: hour.values[0] ?? "bars" },
      dropped: [...hour.dropped, ...unknown],
    };
  },
  format: ({ hour }) => writeParams({ hour: hour === "table" ? "table" : undefined }),
};
