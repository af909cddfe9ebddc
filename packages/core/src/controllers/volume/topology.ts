import type { VolumeFacts } from "@cloudwright/provider-api";
import type { PersistentVolume } from "../../kube/client.ts";
import type { ReasonOf } from "../../model/reason.ts";
import { phrased } from "../../model/reasons/phrases.ts";
import { type LabelProblem, labelProblem } from "../objects/label-rules.ts";
import { annotationOf, labelsOf, valueAt } from "../objects/object-meta.ts";
import { PROVISIONED_BY_ANNOTATION } from "./volume-object.ts";

export const ZONE_LABEL = "topology.kubernetes.io/zone";
export const REGION_LABEL = "topology.kubernetes.io/region";
export const BETA_ZONE_LABEL = "failure-domain.beta.kubernetes.io/zone";
export const BETA_REGION_LABEL = "failure-domain.beta.kubernetes.io/region";
/** Separates the zones of a disk that is in several. */
const BETWEEN_ZONES = "__";

const ZONE_KEYS: ReadonlySet<string> = new Set([ZONE_LABEL, BETA_ZONE_LABEL]);

/** What one label of a disk requires of a node. */
export type Requirement = {
  readonly key: string;
  readonly operator: "In";
  /** Sorted, each once. */
  readonly values: readonly string[];
};

/** The location of a disk, as its volume should show it. */
export type Topology =
  | {
      readonly kind: "known";
      /** Empty for a disk without a zone or region. */
      readonly labels: Readonly<Record<string, string>>;
      /** One for each label, in the labels' order. */
      readonly requirements: readonly Requirement[];
    }
  | {
      readonly kind: "unusable";
      readonly reason: ReasonOf<"VolumeZoneInvalid"> | ReasonOf<"LabelInvalid">;
    };

/**
 * Returns the zone and region that a provisioner has written on its volume, which are trusted if both are of one generation of
 * labels (spec/50 §3.1). Undefined if the cloud must be asked.
 */
export function trustedLabels(
  volume: PersistentVolume,
): Readonly<Record<string, string>> | undefined {
  if (annotationOf(volume, PROVISIONED_BY_ANNOTATION) === undefined) return undefined;
  const labels = labelsOf(volume);
  for (const [zoneKey, regionKey] of GENERATIONS) {
    const zone = valueAt(labels, zoneKey);
    const region = valueAt(labels, regionKey);
    if (zone !== null && region !== null) return { [zoneKey]: zone, [regionKey]: region };
  }
  return undefined;
}

const GENERATIONS = [
  [ZONE_LABEL, REGION_LABEL],
  [BETA_ZONE_LABEL, BETA_REGION_LABEL],
] as const;

/** Returns the labels and affinity that follow from trusted labels. */
export function topologyOfLabels(labels: Readonly<Record<string, string>>, disk: string): Topology {
  const requirements: Requirement[] = [];
  for (const [key, value] of Object.entries(labels)) {
    const values = ZONE_KEYS.has(key) ? zonesOf(value) : [value];
    if (values === undefined) return unusableZone(disk, value, phrased("problem", "emptyZone"));
    requirements.push({ key, operator: "In", values });
  }
  return { kind: "known", labels, requirements };
}

/**
 * Returns the labels and affinity that follow from the cloud's facts about a disk (spec/50 §4). Several zones are sorted in
 * the label, too, so that it stays the same whatever order the cloud uses (VW-5).
 */
export function topologyOfFacts(facts: VolumeFacts): Topology {
  const { id, zone, region, additionalLabels } = facts;
  const zones = zone === "" ? [] : zonesOf(zone);
  if (zones === undefined) return unusableZone(id, zone, phrased("problem", "emptyZone"));
  const own = {
    ...(zones.length === 0 ? {} : { [ZONE_LABEL]: zones.join(BETWEEN_ZONES) }),
    ...(region === "" ? {} : { [REGION_LABEL]: region }),
  };
  // Zone and region come first, and additional labels never override them.
  const labels = { ...own, ...additionalLabels, ...own };
  for (const [key, value] of Object.entries(labels)) {
    const problem = labelProblem(key, value);
    if (problem === undefined) continue;
    return key === ZONE_LABEL
      ? unusableZone(id, zone, problem)
      : { kind: "unusable", reason: { code: "LabelInvalid", key, value, ...problem } };
  }
  return topologyOfLabels(labels, id);
}

function unusableZone(id: string, value: string, problem: LabelProblem): Topology {
  return { kind: "unusable", reason: { code: "VolumeZoneInvalid", id, value, ...problem } };
}

/** Undefined if one of them is empty (spec/60 §7). */
function zonesOf(value: string): readonly string[] | undefined {
  const zones = value.split(BETWEEN_ZONES).map((zone) => zone.trim());
  if (zones.includes("")) return undefined;
  return [...new Set(zones)].sort((left, right) => (left < right ? -1 : 1));
}
