import {
  VOLUME_SORTS,
  type VolumeSort,
  type VolumesFilter,
} from "@cloudwright/store/views/volumes";
import { writeParams } from "../../components/url/search-params.ts";
import {
  type ListView,
  listFilter,
  listParams,
  listUrl,
  readListView,
} from "../../platform/lists/list-view.ts";

/** Beside the list a volume is looked at by its name. */
export type VolumesView = ListView<VolumeSort>;

/** The address of a view: `?q=shop/&state=stuck&drift=drifted&sort=-since`. */
export const volumesUrl = listUrl<VolumesView, VolumesFilter>(
  {
    parse: (params) => readListView(params, { sorts: VOLUME_SORTS }),
    format: (view) => writeParams(listParams(view)),
  },
  { filter: listFilter },
);
