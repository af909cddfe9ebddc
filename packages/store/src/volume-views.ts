import type { Intent } from "@cloudwright/core/model/intent";
import type { Drift, State } from "@cloudwright/core/model/state";
import type { VolumeDetail } from "@cloudwright/core/model/volume-record";
import type { ObjectSummary } from "./balancer-views.ts";
import type { Page } from "./views.ts";

/** What the Volumes page shows (UX.md section 7). Times are milliseconds since the epoch. */

export interface VolumeRow extends ObjectSummary {
  readonly drift: Drift;
  /** Undefined when nothing is known but the state, or a newer version has written it. */
  readonly detail: VolumeDetail | undefined;
}

export const VOLUME_SORTS = ["state", "name", "since", "zone"] as const;
export type VolumeSort = (typeof VOLUME_SORTS)[number];

export interface VolumesFilter {
  /** Part of its name, its disk's id, its claim, storage class, zone or region. */
  readonly text?: string | undefined;
  readonly states?: readonly State[] | undefined;
  readonly drift?: Drift | undefined;
  /** The code of a reason, or its name. */
  readonly reason?: string | undefined;
}

export interface VolumesPage extends Page<VolumeRow> {
  readonly counts: VolumeCounts;
}

/** Of the whole cluster, whatever the filter. */
export interface VolumeCounts {
  readonly states: Readonly<Record<State, number>>;
  readonly drifted: number;
}

export interface VolumeView {
  readonly row: VolumeRow;
  readonly goneAt: number | undefined;
  readonly openIntents: readonly Intent[];
}
