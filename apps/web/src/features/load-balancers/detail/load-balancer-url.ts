import { readChoices, writeParams } from "../../../components/url/search-params.ts";
import type { UrlCodec } from "../../../components/url/use-url-state.ts";
import { MEMBER_FILTERS, type MemberFilter } from "../../../platform/objects/members.ts";

export const BALANCER_TABS = ["desired", "members", "events", "runs", "json"] as const;
export type BalancerTab = (typeof BALANCER_TABS)[number];

export const DIFF_LAYOUTS = ["sides", "lines"] as const;
export type DiffLayout = (typeof DIFF_LAYOUTS)[number];

export interface BalancerPageView {
  readonly tab: BalancerTab;
  /** What agrees is shown as well. */
  readonly all: boolean;
  /** Desired and actual side by side, or one above the other. */
  readonly layout: DiffLayout;
  readonly member: MemberFilter;
  /** Part of a node's name. */
  readonly text: string;
}

const KNOWN = ["tab", "all", "layout", "member", "q"];

export const loadBalancerUrl: UrlCodec<BalancerPageView> = {
  parse(params) {
    const tab = readChoices(params.get("tab"), BALANCER_TABS);
    const layout = readChoices(params.get("layout"), DIFF_LAYOUTS);
    const member = readChoices(params.get("member"), MEMBER_FILTERS);
    return {
      view: {
        tab: tab.values[0] ?? "desired",
        all: params.get("all") === "1",
        layout: layout.values[0] ?? "sides",
        member: member.values[0] ?? "all",
        text: params.get("q") ?? "",
      },
      dropped: [
        ...[tab, layout, member].flatMap(({ dropped }) => dropped),
        ...[...params.keys()].filter((name) => !KNOWN.includes(name)),
      ],
    };
  },
  format: ({ tab, all, layout, member, text }) =>
    writeParams({
      tab: tab === "desired" ? undefined : tab,
      all: all ? "1" : undefined,
      layout: layout === "sides" ? undefined : layout,
      member: member === "all" ? undefined : member,
      q: text,
    }),
};
