import type { InstanceFacts } from "@cloudwright/provider-api";
import type { Node } from "../../kube/client.ts";
import type { ReasonOf } from "../../model/reason.ts";
import { labelProblem, valueProblem } from "../objects/label-rules.ts";
import { CLOUD_LABELS_ANNOTATION } from "../objects/node-object.ts";
import { annotationOf, labelsOf } from "../objects/object-meta.ts";

/** The beta label and its successor for each fact (spec/10 §1). */
export const LABEL_PAIRS = {
  type: ["beta.kubernetes.io/instance-type", "node.kubernetes.io/instance-type"],
  zone: ["failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone"],
  region: ["failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/region"],
} as const;

export interface WantedLabels {
  /** Labels that the node should have. */
  readonly set: Readonly<Record<string, string>>;
  /** Owned labels that the cloud no longer has. */
  readonly remove: readonly string[];
  /** All labels that we own afterwards, sorted. */
  readonly owned: readonly string[];
  /** Labels of the cloud that the node already had from somebody else. */
  readonly kept: readonly string[];
  /** Labels that the API server would refuse; not in `set`. */
  readonly invalid: readonly ReasonOf<"LabelInvalid">[];
}

/**
 * Returns the labels that follow from the cloud's facts (spec/10 §3b). The topology and type labels belong to the
 * cloud; of the additional ones only those that nobody else had set before. An empty fact has no meaning and
 * changes nothing.
 */
export function wantedLabels(node: Node, facts: InstanceFacts): WantedLabels {
  const labels = labelsOf(node);
  const owned = ownedKeys(node);
  const set: Record<string, string> = {};
  const kept: string[] = [];
  const invalid: ReasonOf<"LabelInvalid">[] = [];
  const offer = (key: string, value: string) => {
    const problem = OWN_KEYS.has(key) ? valueProblem(value) : labelProblem(key, value);
    if (problem === undefined) set[key] = value;
    else invalid.push({ code: "LabelInvalid", key, value, ...problem });
  };
  for (const [fact, key] of TOPOLOGY) if (facts[fact] !== "") offer(key, facts[fact]);
  for (const [key, value] of Object.entries(facts.additionalLabels)) {
    if (isReserved(key)) continue;
    if (Object.hasOwn(labels, key) && !owned.has(key)) kept.push(key);
    else offer(key, value);
  }
  const { still, remove } = withoutValue(owned, set, facts);
  return {
    set,
    remove,
    owned: [...Object.keys(set), ...still].sort(byText),
    kept: kept.sort(byText),
    invalid,
  };
}

const TOPOLOGY = (["type", "zone", "region"] as const).flatMap((fact) =>
  LABEL_PAIRS[fact].map((key) => [fact, key] as const),
);
const NO_KEYS: ReadonlySet<string> = new Set();

/** A new node owns none; this avoids a copy for it. */
function ownedKeys(node: Node): ReadonlySet<string> {
  const owned = ownedLabels(node);
  return owned === undefined ? NO_KEYS : new Set(owned);
}

/**
 * Splits the owned labels for which the cloud has no value now into those that it still offers and those that it
 * does not.
 */
function withoutValue(
  owned: ReadonlySet<string>,
  set: WantedLabels["set"],
  { additionalLabels }: InstanceFacts,
): { readonly still: readonly string[]; readonly remove: readonly string[] } {
  const still: string[] = [];
  const remove: string[] = [];
  for (const key of owned) {
    if (Object.hasOwn(set, key)) continue;
    const isOffered =
      OWN_KEYS.has(key) || (Object.hasOwn(additionalLabels, key) && !isReserved(key));
    (isOffered ? still : remove).push(key);
  }
  return { still, remove };
}

/**
 * Returns the labels that we own according to the node's annotation; undefined for a node that we did not initialise. A
 * kubelet may annotate its own node, so Kubernetes' own labels that we never set do not count as ours, whatever the
 * annotation says.
 */
export function ownedLabels(node: Node): readonly string[] | undefined {
  const text = annotationOf(node, CLOUD_LABELS_ANNOTATION);
  return text?.split(",").filter((key) => key !== "" && (OWN_KEYS.has(key) || !isReserved(key)));
}

/**
 * Returns the labels that upstream keeps in sync on any initialised node: the successor label follows the beta
 * one, and nothing else (spec/10 §5).
 */
export function copiedLabels(
  labels: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const copies = Object.values(LABEL_PAIRS).flatMap(([beta, successor]) => {
    const value = labels[beta];
    return value === undefined || value === labels[successor] ? [] : [[successor, value] as const];
  });
  return Object.fromEntries(copies);
}

function byText(left: string, right: string): number {
  return left < right ? -1 : 1;
}

/**
 * Returns the wanted labels of an initialised node, without the pairs that a user has taken over by removing the beta
 * label: the remaining successor is then the user's, whatever its value (spec/10 §5, scenario N-25). A pair that is
 * missing entirely is still ours to restore.
 */
export function labelsToKeep(node: Node, wanted: WantedLabels): Readonly<Record<string, string>> {
  const labels = labelsOf(node);
  const taken = Object.values(LABEL_PAIRS).filter(
    ([beta, successor]) => labels[beta] === undefined && labels[successor] !== undefined,
  );
  const persons: ReadonlySet<string> = new Set(taken.flat());
  return Object.fromEntries(Object.entries(wanted.set).filter(([key]) => !persons.has(key)));
}

/** These are known to be valid. */
const OWN_KEYS: ReadonlySet<string> = new Set(Object.values(LABEL_PAIRS).flat());

/** Kubernetes' own label domains are not the cloud's to set. */
function isReserved(key: string): boolean {
  return /(^|\.)(kubernetes|k8s)\.io\//.test(key);
}
