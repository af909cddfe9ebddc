import { VOLUME_SORTS, type VolumeSort, type VolumesFilter } from "@cloudwright/store/volume-views";
import { writeParams } from "../../components/url/search-params.ts";
import type { UrlCodec } from "../../components/url/use-url-state.ts";
import {
  isAnyWanted,
  type ListView,
  listFilter,
  listParams,
  readListView,
} from "../../platform/lists/list-view.ts";

/** Beside the list a volume is looked at by its name. */
export type VolumesView = ListView<VolumeSort>;

/** The address of a view: `?q=shop/&state=stuck&drift=drifted&sort=-since`. */
export const volumesUrl: UrlCodec<VolumesView> = {
  parse: (params) => readListView(params, { sorts: VOLUME_SORTS }),
  format: (view) => writeParams(listParams(view)),
};

/** The view as the server's filter: what is empty is not asked for. */
export function volumesFilter(view: VolumesView): VolumesFilter {
  return listFilter(view);
}

export function isFiltered(view: VolumesView): boolean {
  return isAnyWanted(volumesFilter(view));
}

export function withoutFilters({ sort, peek }: VolumesView): VolumesView {
  return { ...volumesUrl.parse(new URLSearchParams()).view, sort, peek };
}
