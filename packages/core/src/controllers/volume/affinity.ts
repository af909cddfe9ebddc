import type { PersistentVolume } from "../../kube/client.ts";
import type { VolumeDetail } from "../../model/records/volume-record.ts";
import {
  BETA_REGION_LABEL,
  BETA_ZONE_LABEL,
  REGION_LABEL,
  type Requirement,
  ZONE_LABEL,
} from "./topology.ts";

/** `spec.nodeAffinity` of a volume as plans, records and patches carry it. */
export type Affinity = { readonly required: { readonly nodeSelectorTerms: readonly Term[] } };

export type Term = {
  readonly matchExpressions?: readonly Expression[];
  readonly matchFields?: readonly Expression[];
};

type Expression = {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
};

function termsOf({ spec }: PersistentVolume): readonly Term[] {
  return spec?.nodeAffinity?.required?.nodeSelectorTerms ?? [];
}

/**
 * Returns the affinity that a volume should have (spec/50 §4): every term gets all requirements, as terms are alternatives.
 * Undefined if nothing has to be added: if a term already has one of the keys, somebody has decided, and without requirements a
 * term would be empty and match no node at all (VW-1).
 */
export function affinityWith(
  volume: PersistentVolume,
  requirements: readonly Requirement[],
): Affinity | undefined {
  const terms = termsOf(volume);
  const keys = new Set(requirements.map(({ key }) => key));
  const isDecided = terms.some(({ matchExpressions = [] }) =>
    matchExpressions.some(({ key }) => keys.has(key)),
  );
  if (requirements.length === 0 || isDecided) return undefined;
  const wanted = terms.length === 0 ? [{}] : terms;
  return { required: { nodeSelectorTerms: wanted.map((term) => withAll(term, requirements)) } };
}

function withAll(term: Term, requirements: readonly Requirement[]): Term {
  return { ...term, matchExpressions: [...(term.matchExpressions ?? []), ...requirements] };
}

export type AffinityState = VolumeDetail["affinity"];

/** Compares a volume's affinity with the location of its disk. */
export function affinityState(
  volume: PersistentVolume,
  requirements: readonly Requirement[],
): AffinityState {
  if (requirements.length === 0) return "notNeeded";
  if (volume.spec?.nodeAffinity === undefined) return "missing";
  const terms = termsOf(volume);
  if (wrongIn(terms, requirements) !== undefined) return "conflict";
  const speaks = ({ matchExpressions = [] }: Term) =>
    matchExpressions.some(({ key }) => requirements.some((one) => concerns(key, one)));
  return terms.every(speaks) ? "set" : "foreign";
}

/** A requirement that allows pods where the disk is not, and the disk's actual location. */
export interface Conflict {
  readonly has: string;
  readonly wanted: string;
}

/**
 * Returns the first place to which the affinity admits pods although the disk is not there; undefined if there is
 * none.
 */
export function conflictOf(
  volume: PersistentVolume,
  requirements: readonly Requirement[],
): Conflict | undefined {
  return wrongIn(termsOf(volume), requirements);
}

function wrongIn(
  terms: readonly Term[],
  requirements: readonly Requirement[],
): Conflict | undefined {
  const expressions = terms.flatMap(({ matchExpressions = [] }) => matchExpressions);
  for (const wanted of requirements) {
    const wrong = expressions.find(
      ({ key, operator, values = [] }) =>
        operator === "In" &&
        concerns(key, wanted) &&
        values.some((value) => !wanted.values.includes(value)),
    );
    if (wrong === undefined) continue;
    return { has: placeText(wrong.values), wanted: placeText(wanted.values) };
  }
  return undefined;
}

export function placeText(values: readonly string[] | undefined): string {
  return (values ?? []).join(", ");
}

/** Reports whether the requirement is about this label, under its current or its older name. */
function concerns(key: string, requirement: Requirement): boolean {
  return (TODAY[key] ?? key) === (TODAY[requirement.key] ?? requirement.key);
}

const TODAY: Readonly<Record<string, string>> = {
  [BETA_ZONE_LABEL]: ZONE_LABEL,
  [BETA_REGION_LABEL]: REGION_LABEL,
};
