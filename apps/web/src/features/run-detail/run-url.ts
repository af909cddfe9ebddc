import { readChoices, writeParams } from "../../components/url/search-params.ts";
import type { UrlCodec } from "../../components/url/use-url-state.ts";

export const RUN_TABS = ["waterfall", "plan", "diff", "json"] as const;
export type RunTab = (typeof RUN_TABS)[number];

export interface RunView {
  readonly view: RunTab;
  /** The bar whose details are open. */
  readonly span: string | undefined;
  /** The waterfall as a table. */
  readonly asTable: boolean;
}

const KNOWN = ["view", "span", "as"];

export const runUrl: UrlCodec<RunView> = {
  parse(params) {
    const view = readChoices(params.get("view"), RUN_TABS);
    return {
      view: {
        view: view.values[0] ?? "waterfall",
        span: params.get("span") ?? undefined,
        asTable: params.get("as") === "table",
      },
      dropped: [...view.dropped, ...[...params.keys()].filter((name) => !KNOWN.includes(name))],
    };
  },
  format: ({ view, span, asTable }) =>
    writeParams({
      view: view === "waterfall" ? undefined : view,
      span,
      as: asTable ? "table" : undefined,
    }),
};
