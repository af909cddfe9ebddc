import { type ReasonCode, reasonSchema } from "@cloudwright/core/model/reason";
import { DRIFTS, type Drift, STATES, type State } from "@cloudwright/core/model/state";
import { VOLUME_SORTS, type VolumeSort, type VolumesFilter } from "@cloudwright/store/volume-views";
import {
  readChoices,
  readSort,
  readText,
  writeParams,
} from "../../components/url/search-params.ts";
import type { UrlCodec } from "../../components/url/use-url-state.ts";

export interface VolumesView {
  readonly text: string;
  readonly states: readonly State[];
  readonly drift: Drift | undefined;
  /** Only those that are as they are for this reason; the Overview leads there. */
  readonly reason: ReasonCode | undefined;
  readonly sort: { readonly by: VolumeSort; readonly descending: boolean };
  /** Name of the volume that is looked at beside the list. */
  readonly peek: string | undefined;
}

/** What needs a person or hides the truth; the key `f` shows only these. */
export const FAULTS: readonly State[] = ["stuck", "unknown"];

const WORST_FIRST: VolumesView["sort"] = { by: "state", descending: false };
const KNOWN = ["q", "state", "drift", "reason", "sort", "peek"];
const REASONS: readonly ReasonCode[] = reasonSchema.options.map(
  (option) => option.unwrap().shape.code.value,
);

/** The address of a view: `?q=shop/&state=stuck&drift=drifted&sort=-since`. */
export const volumesUrl: UrlCodec<VolumesView> = {
  parse(params) {
    const states = readChoices(params.get("state"), STATES);
    const drifts = readChoices(params.get("drift"), DRIFTS);
    const reasons = readChoices(params.get("reason"), REASONS);
    const sort = readSort(params.get("sort"), VOLUME_SORTS);
    return {
      view: {
        text: params.get("q") ?? "",
        states: states.values,
        drift: drifts.values[0],
        reason: reasons.values[0],
        sort: sort ?? WORST_FIRST,
        peek: readText(params.get("peek")),
      },
      dropped: [
        ...[states, drifts, reasons].flatMap(({ dropped }) => dropped),
        ...(params.has("sort") && sort === undefined ? [params.get("sort") ?? ""] : []),
        ...[...params.keys()].filter((name) => !KNOWN.includes(name)),
      ],
    };
  },
  format({ text, states, drift, reason, sort, peek }) {
    const plain = sort.by === WORST_FIRST.by && !sort.descending;
    return writeParams({
      q: text,
      state: states.join(","),
      drift,
      reason,
      sort: plain ? undefined : `${sort.descending ? "-" : ""}${sort.by}`,
      peek,
    });
  },
};

/** The view as the server's filter: what is empty is not asked for. */
export function volumesFilter({ text, states, drift, reason }: VolumesView): VolumesFilter {
  return {
    text: text.trim() === "" ? undefined : text.trim(),
    states: states.length === 0 ? undefined : states,
    drift,
    reason,
  };
}

export function isFiltered(view: VolumesView): boolean {
  return Object.values(volumesFilter(view)).some((value) => value !== undefined);
}

export function withoutFilters({ sort, peek }: VolumesView): VolumesView {
  return { ...volumesUrl.parse(new URLSearchParams()).view, sort, peek };
}

export function toggleFaults(view: VolumesView): VolumesView {
  const on = view.states.join() === FAULTS.join();
  return { ...view, states: on ? [] : FAULTS };
}

export function toggleState(view: VolumesView, state: State): VolumesView {
  const states = view.states.includes(state)
    ? view.states.filter((other) => other !== state)
    : STATES.filter((other) => other === state || view.states.includes(other));
  return { ...view, states };
}

/** A click on a column's header: first its natural order, then the other way round. */
export function sortedBy(view: VolumesView, by: VolumeSort): VolumesView {
  const descending = view.sort.by === by && !view.sort.descending;
  return { ...view, sort: { by, descending } };
}
