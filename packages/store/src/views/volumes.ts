import type { ListedIntent } from "@cloudwright/core/model/actions/intent";
import {
  type FilterOf,
  type RowOf,
  type SortOf,
  sortsOf,
} from "@cloudwright/core/model/kinds/define-kind";
import { volumeKind } from "@cloudwright/core/model/kinds/volume";
import type { ObjectPart } from "./object-view.ts";
import type { Unread } from "./unread.ts";
import type { ObjectsPage } from "./views.ts";

/** The content of the Volumes page (UX.md section 7). Times are milliseconds since the epoch. */
export type VolumeRow = RowOf<typeof volumeKind>;
export const VOLUME_SORTS = sortsOf(volumeKind);
export type VolumeSort = SortOf<typeof volumeKind>;
export type VolumesFilter = FilterOf<typeof volumeKind>;
export type VolumesPage = ObjectsPage<typeof volumeKind>;

export interface VolumeView extends Unread<ObjectPart> {
  readonly row: VolumeRow;
  readonly goneAt: number | undefined;
  readonly openIntents: readonly ListedIntent[];
}
