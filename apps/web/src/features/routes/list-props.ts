import type { ChangeView } from "../../components/url/use-url-state.ts";
import type { RoutesView } from "./routes-url.ts";

/** What each of the lists is given. */
export interface ListProps {
  readonly cluster: string;
  readonly view: RoutesView;
  readonly push: ChangeView<RoutesView>;
  readonly replace: ChangeView<RoutesView>;
}
