import type { BalancerView } from "@cloudwright/store/views/balancers";
import type { ChangeView } from "../../../components/url/use-url-state.ts";
import type { BalancerPageView } from "./load-balancer-url.ts";

/** What the tabs that keep something in the address are given. */
export interface BalancerTabProps {
  readonly cluster: string;
  readonly balancer: BalancerView;
  readonly view: BalancerPageView;
  readonly push: ChangeView<BalancerPageView>;
  readonly replace: ChangeView<BalancerPageView>;
}
