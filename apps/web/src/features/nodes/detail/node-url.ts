import { readChoices, writeParams } from "../../../components/url/search-params.ts";
import type { UrlCodec } from "../../../components/url/use-url-state.ts";

export const NODE_TABS = [
  "timeline",
  "facts",
  "lifecycle",
  "routes",
  "balancers",
  "runs",
  "json",
] as const;
export type NodeTab = (typeof NODE_TABS)[number];

export interface NodeView {
  readonly tab: NodeTab;
  /** Facts that agree are shown as well. */
  readonly all: boolean;
}

export const nodeUrl: UrlCodec<NodeView> = {
  parse(params) {
    const tab = readChoices(params.get("tab"), NODE_TABS);
    const dropped = [...params.keys()].filter((name) => name !== "tab" && name !== "all");
    return {
      view: { tab: tab.values[0] ?? "timeline", all: params.get("all") === "1" },
      dropped: [...tab.dropped, ...dropped],
    };
  },
  format: ({ tab, all }) =>
    writeParams({ tab: tab === "timeline" ? undefined : tab, all: all ? "1" : undefined }),
};
