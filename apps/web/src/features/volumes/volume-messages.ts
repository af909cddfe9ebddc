import { t, worded } from "@cloudwright/core/model/language/text";
import type { VolumeDetail } from "@cloudwright/core/model/records/volume-record";
import type { ObjectCounts } from "@cloudwright/store/views/views";
import { formatCount } from "../../components/presentation/format-text.ts";
import { presentNodes } from "../../platform/wording/nodes-sentence.ts";

/** Words the page's summary: how many volumes need a user, otherwise that all is well. */
export function volumesSentence({ states, drifted }: ObjectCounts): string {
  const all = presentNodes(states);
  if (all === 0) return t`No volume has been observed in this cluster yet.`;
  if (states.stuck > 0) {
    return states.stuck === 1
      ? t`1 volume needs you.`
      : t`${formatCount(states.stuck)} volumes need you.`;
  }
  if (states.ok === all && drifted === 0) return allWell(all);
  const well =
    states.ok === 1
      ? t`No volume needs you. 1 of ${formatCount(all)} is OK.`
      : t`No volume needs you. ${formatCount(states.ok)} of ${formatCount(all)} are OK.`;
  return drifted === 0 ? well : `${well} ${differ(drifted)}`;
}

function allWell(all: number): string {
  return all === 1
    ? t`The one volume is in sync.`
    : t`All ${formatCount(all)} volumes are in sync.`;
}

function differ(drifted: number): string {
  return drifted === 1 ? t`1 differs.` : t`${formatCount(drifted)} differ.`;
}

/** A label's actual and desired value. */
export interface LabelPair {
  readonly has: string | undefined;
  readonly wanted: string | undefined;
  readonly differs: boolean;
}

/** A label without a desired value is left as it is. */
export function labelPair(labels: VolumeDetail["labels"], label: "zone" | "region"): LabelPair {
  const [has, wanted] = [labels.has[label], labels.wanted[label]];
  return { has, wanted, differs: wanted !== undefined && wanted !== has };
}

/** Returns everything shown of a label; undefined if that is nothing. */
export function labelText(
  labels: VolumeDetail["labels"],
  label: "zone" | "region",
): string | undefined {
  const { has, wanted, differs } = labelPair(labels, label);
  return differs ? `${has ?? t`none`} ${wanted}` : has;
}

const AFFINITY: Readonly<Record<VolumeDetail["affinity"], string>> = worded({
  set: () => t`lets pods run only where the disk is`,
  missing: () => t`not written yet`,
  foreign: () => t`was there before, and is not ours to change`,
  conflict: () => t`names another place than the disk's`,
  notNeeded: () => t`not needed`,
});

export function affinityText({ affinity }: Pick<VolumeDetail, "affinity">): string {
  return AFFINITY[affinity];
}

/** Returns `10 GiB`, and any different size in the cloud or in the claim. */
export function sizeText({ sizeGiB: { cloud, volume, claimed } }: Pick<VolumeDetail, "sizeGiB">) {
  const others = [
    ...(cloud === undefined || cloud === volume ? [] : [t`${cloud} GiB in the cloud`]),
    ...(claimed === undefined || claimed === volume ? [] : [t`${claimed} GiB requested`]),
  ];
  return [`${volume} GiB`, ...others].join(", ");
}
