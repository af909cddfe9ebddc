import { readChoices, writeParams } from "../../components/url/search-params.ts";
import type { UrlCodec } from "../../components/url/use-url-state.ts";

export const TAKEOVER_LISTS = ["waiting", "adopted", "reported"] as const;
export type TakeoverList = (typeof TAKEOVER_LISTS)[number];

export interface TakeoverPageView {
  readonly list: TakeoverList;
  /** Part of a name or of a cloud's id. */
  readonly text: string;
}

const KNOWN = ["view", "q"];

/** The address of a view: `?view=adopted&q=shop/`. */
export const takeoverUrl: UrlCodec<TakeoverPageView> = {
  parse(params) {
    const lists = readChoices(params.get("view"), TAKEOVER_LISTS);
    return {
      view: { list: lists.values[0] ?? "waiting", text: params.get("q") ?? "" },
      dropped: [...lists.dropped, ...[...params.keys()].filter((name) => !KNOWN.includes(name))],
    };
  },
  format: ({ list, text }) => writeParams({ view: list === "waiting" ? undefined : list, q: text }),
};
