import { choiceParam, textParam, urlCodec } from "../../components/url/url-codec.ts";

const TAKEOVER_LISTS = ["waiting", "adopted", "reported"] as const;
export type TakeoverList = (typeof TAKEOVER_LISTS)[number];

export interface TakeoverPageView {
  readonly list: TakeoverList;
  /** Part of a name or of a cloud id. */
  readonly text: string;
}

/** The address of a view: `?view=adopted&q=shop/`. */
export const takeoverUrl = urlCodec<TakeoverPageView>({
  list: choiceParam("view", TAKEOVER_LISTS, "waiting"),
  text: textParam("q"),
});
