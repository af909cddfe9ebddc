import type { BalancerView } from "@cloudwright/store/views/balancers";
import { choiceParam, flagParam, textParam, urlCodec } from "../../../components/url/url-codec.ts";
import type { ChangeView } from "../../../components/url/use-url-state.ts";
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

export const loadBalancerUrl = urlCodec<BalancerPageView>({
  tab: choiceParam("tab", BALANCER_TABS, "desired"),
  all: flagParam("all", "1"),
  layout: choiceParam("layout", DIFF_LAYOUTS, "sides"),
  member: choiceParam("member", MEMBER_FILTERS, "all"),
  text: textParam("q"),
});

/** What the tabs that keep something in the address are given. */
export interface BalancerTabProps {
  readonly cluster: string;
  readonly balancer: BalancerView;
  readonly view: BalancerPageView;
  readonly push: ChangeView<BalancerPageView>;
  readonly replace: ChangeView<BalancerPageView>;
}
