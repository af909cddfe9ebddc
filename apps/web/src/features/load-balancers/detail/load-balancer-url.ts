import type { LoadBalancerView } from "@cloudwright/store/views/load-balancers";
import { choiceParam, flagParam, textParam, urlCodec } from "../../../components/url/url-codec.ts";
import type { ChangeView } from "../../../components/url/use-url-state.ts";
import { MEMBER_FILTERS, type MemberFilter } from "../../../platform/objects/members.ts";
import {
  OBJECT_EVENT_PARAMS,
  type ObjectEventsView,
} from "../../../platform/objects/object-events-url.ts";

const LOAD_BALANCER_TABS = ["desired", "members", "events", "runs", "json"] as const;
export type LoadBalancerTab = (typeof LOAD_BALANCER_TABS)[number];

const DIFF_LAYOUTS = ["sides", "lines"] as const;
export type DiffLayout = (typeof DIFF_LAYOUTS)[number];

export interface LoadBalancerPageView extends ObjectEventsView {
  readonly tab: LoadBalancerTab;
  /** Shows equal values as well. */
  readonly all: boolean;
  /** Desired and actual values side by side, or one above the other. */
  readonly layout: DiffLayout;
  readonly member: MemberFilter;
  /** Part of a node's name. */
  readonly text: string;
}

export const loadBalancerUrl = urlCodec<LoadBalancerPageView>({
  tab: choiceParam("tab", LOAD_BALANCER_TABS, "desired"),
  all: flagParam("all", "1"),
  layout: choiceParam("layout", DIFF_LAYOUTS, "sides"),
  member: choiceParam("member", MEMBER_FILTERS, "all"),
  text: textParam("q"),
  ...OBJECT_EVENT_PARAMS,
});

/** The props of the tabs that keep something in the address. */
export interface LoadBalancerTabProps {
  readonly loadBalancer: LoadBalancerView;
  readonly view: LoadBalancerPageView;
  readonly push: ChangeView<LoadBalancerPageView>;
  readonly replace: ChangeView<LoadBalancerPageView>;
}
