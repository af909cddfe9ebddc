import type { PersistentVolume } from "../../kube/client.ts";
import type { Plan } from "../../model/plan.ts";
import type { Drift } from "../../model/state.ts";
import type { VolumeDetail } from "../../model/volume-record.ts";
import type { ApplyResult } from "../../reconcile/old-reconciler.ts";
import type { Projection } from "../../reconcile/reconciler.ts";
import { labelsOf, nameOf, uidOf, valueAt } from "../objects/object-meta.ts";
import { affinityState } from "./affinity.ts";
import type { VolumeChange } from "./changes.ts";
import { claimName } from "./growth.ts";
import type { VolumeObserved } from "./observed.ts";
import { planNeeds } from "./plan.ts";
import { topologyOf } from "./plan-topology.ts";
import { gibibytesOf } from "./quantity.ts";
import { BETA_REGION_LABEL, BETA_ZONE_LABEL, REGION_LABEL, ZONE_LABEL } from "./topology.ts";
import type { VolumeMemory } from "./volume-memory.ts";

export interface VolumeRun {
  readonly observed: VolumeObserved;
  readonly plan: Plan<VolumeChange>;
  readonly result: ApplyResult;
  /** The volume after the run's writes. */
  readonly volume: PersistentVolume;
  readonly memory: VolumeMemory;
}

/** What the pages show of a volume. */
export function projectVolume(run: VolumeRun): Projection {
  const { observed, volume } = run;
  const shown = { name: nameOf(volume), uid: uidOf(volume) };
  if (observed.disk === undefined) return { ...shown, drift: "notChecked" };
  return { ...shown, drift: driftOf(run), detail: detailOf(run, observed.disk) };
}

/** Of a held volume what would be done if it were not held. */
function driftOf({ observed, plan, result }: VolumeRun): Drift {
  if (topologyOf(observed)?.kind !== "known") return "notChecked";
  const isHeld = plan.next.reason.code === "HeldByAnnotation";
  const left = isHeld ? planNeeds(observed).changes : plan.changes.slice(result.applied);
  const conflicts = plan.next.reason.code === "VolumeAffinityConflict";
  return conflicts || left.some(({ kind }) => IS_DRIFT.has(kind)) ? "drifted" : "inStep";
}

const IS_DRIFT: ReadonlySet<VolumeChange["kind"]> = new Set([
  "volume.labels.write",
  "volume.grow",
  "volume.capacity.write",
  "claim.status.write",
]);

function detailOf({ observed, volume, memory }: VolumeRun, disk: string): VolumeDetail {
  const topology = topologyOf(observed);
  const known = topology?.kind === "known" ? topology : { labels: {}, requirements: [] };
  const { claim } = observed;
  const { storageClassName, capacity } = volume.spec ?? {};
  const claimed = gibibytesOf(claim?.spec?.resources?.requests?.storage);
  return {
    kind: "volume",
    volumeId: disk,
    ...(storageClassName ? { storageClass: storageClassName } : {}),
    ...(claim === undefined ? {} : { claim: claimName(claim) }),
    labels: { wanted: placeIn(known.labels), has: placeIn(labelsOf(volume)) },
    affinity: affinityState(volume, known.requirements),
    sizeGiB: {
      ...(memory.facts === undefined ? {} : { cloud: memory.facts.sizeGiB }),
      volume: gibibytesOf(capacity?.storage) ?? 0,
      ...(claimed === undefined ? {} : { claimed }),
    },
    ...(memory.facts === undefined ? {} : { asOf: memory.facts.asOf }),
    ...(memory.changedAt === undefined ? {} : { changedAt: memory.changedAt }),
  };
}

function placeIn(labels: Readonly<Record<string, string>>): VolumeDetail["labels"]["has"] {
  const zone = valueAt(labels, ZONE_LABEL) ?? valueAt(labels, BETA_ZONE_LABEL);
  const region = valueAt(labels, REGION_LABEL) ?? valueAt(labels, BETA_REGION_LABEL);
  return {
    ...(zone === null ? {} : { zone }),
    ...(region === null ? {} : { region }),
  };
}
