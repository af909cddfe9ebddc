import type { ChangeView } from "../../components/url/use-url-state.ts";
import type { BalancersView } from "./load-balancers-url.ts";

/** What each of the two lists is given. */
export interface ListTabProps {
  readonly cluster: string;
  readonly view: BalancersView;
  readonly push: ChangeView<BalancersView>;
  readonly replace: ChangeView<BalancersView>;
}
