import type { ChangeView } from "../../components/url/use-url-state.ts";

/** What each list of a page is given. */
export interface ListProps<View> {
  readonly cluster: string;
  readonly view: View;
  readonly push: ChangeView<View>;
  readonly replace: ChangeView<View>;
}
