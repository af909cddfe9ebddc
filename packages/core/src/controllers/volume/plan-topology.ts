import type { PersistentVolume } from "../../kube/client.ts";
import type { NotTaken } from "../../model/plan.ts";
import type { Reason } from "../../model/reason.ts";
import { labelsOf, valueAt } from "../objects/object-meta.ts";
import { affinityState, affinityWith, conflictOf, placeText } from "./affinity.ts";
import type { TopologyWrite } from "./changes.ts";
import type { VolumeObserved } from "./observed.ts";
import { type Topology, topologyOfFacts, topologyOfLabels, trustedLabels } from "./topology.ts";
import { refOf } from "./volume-object.ts";

/** Returns the location of the disk as far as it is known; undefined while the cloud has not reported it. */
export function topologyOf({ volume, disk, facts }: VolumeObserved): Topology | undefined {
  const trusted = trustedLabels(volume);
  if (trusted !== undefined) return topologyOfLabels(trusted, disk ?? "");
  return facts === undefined ? undefined : topologyOfFacts(facts);
}

/** What to write so that a volume shows where its disk is, and what cannot be written. */
export interface TopologyPlan {
  readonly changes: readonly TopologyWrite[];
  readonly notTaken: readonly NotTaken[];
  /** Why the writes do not correct everything. */
  readonly obstacle?: Reason;
}

/**
 * Keeps labels as the cloud says; adds an affinity only to a volume that has none, in the same write, as the API allows it
 * to be set once (spec/50 §7).
 */
export function planTopology(volume: PersistentVolume, topology: Topology): TopologyPlan {
  if (topology.kind === "unusable") return { changes: [], notTaken: [], obstacle: topology.reason };
  const { requirements } = topology;
  const places = placeText(requirements.flatMap(({ values }) => values));
  const changes = topologyWrites(volume, topology);
  const conflict = conflictOf(volume, requirements);
  if (conflict !== undefined) {
    const obstacle: Reason = { code: "VolumeAffinityConflict", ...conflict };
    return { changes, notTaken: [{ step: "node affinity", reason: obstacle }], obstacle };
  }
  if (affinityState(volume, requirements) !== "foreign") return { changes, notTaken: [] };
  const reason: Reason = { code: "VolumeAffinityKept", wanted: places };
  return { changes, notTaken: [{ step: "node affinity", reason }] };
}

function topologyWrites(
  volume: PersistentVolume,
  { labels, requirements }: Extract<Topology, { kind: "known" }>,
): readonly TopologyWrite[] {
  const has = labelsOf(volume);
  const differing = Object.entries(labels).filter(([key, value]) => valueAt(has, key) !== value);
  const nodeAffinity =
    volume.spec?.nodeAffinity === undefined ? affinityWith(volume, requirements) : undefined;
  if (differing.length === 0 && nodeAffinity === undefined) return [];
  const keys = differing.map(([key]) => key);
  return [
    {
      kind: "volume.labels.write",
      system: "cluster",
      target: refOf(volume),
      before: {
        labels: Object.fromEntries(keys.map((key) => [key, valueAt(has, key)] as const)),
        ...(nodeAffinity === undefined ? {} : { nodeAffinity: null }),
      },
      after: {
        labels: Object.fromEntries(differing),
        ...(nodeAffinity === undefined ? {} : { nodeAffinity }),
      },
      reason: {
        code: "VolumeLabelsDiffer",
        labels: nodeAffinity === undefined ? keys : [...keys, "its node affinity"],
      },
    },
  ];
}
