import type { TakeoverView } from "@cloudwright/store/views/takeover";

/** What each list of the page is given. */
export interface TakeoverListProps {
  readonly cluster: string;
  readonly takeover: TakeoverView;
  readonly text: string;
  readonly onClear: () => void;
}
