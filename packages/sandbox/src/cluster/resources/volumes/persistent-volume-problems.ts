import { labelValueProblems, qualifiedNameProblems, subdomainProblems } from "../../rules/names.ts";
import {
  forbiddenValue,
  invalidValue,
  type Problem,
  required,
  ruleProblems,
  unsupportedValue,
} from "../../rules/problem.ts";
import { nanosOf } from "../../schema/quantity.ts";
import {
  accessModeProblems,
  classNameProblems,
  immutableProblems,
  volumeModeProblems,
} from "./access-modes.ts";
import {
  type NodeSelectorRequirement,
  type NodeSelectorTerm,
  type PersistentVolume,
  SOURCES,
} from "./persistent-volume-schema.ts";

type Spec = PersistentVolume["spec"];

const POLICIES = ["Delete", "Recycle", "Retain"];

export function persistentVolumeProblems(
  volume: PersistentVolume,
  before?: PersistentVolume,
): readonly Problem[] {
  const { spec } = volume;
  const { accessModes = [], persistentVolumeReclaimPolicy: policy = "" } = spec;
  return [
    ...(accessModes.length === 0
      ? [required("spec.accessModes")]
      : accessModeProblems(accessModes)),
    ...capacityProblems(spec.capacity ?? {}),
    ...(POLICIES.includes(policy)
      ? []
      : [unsupportedValue("spec.persistentVolumeReclaimPolicy", policy, POLICIES)]),
    ...affinityProblems(spec),
    ...sourceProblems(spec),
    ...classNameProblems(spec.storageClassName),
    ...volumeModeProblems(spec.volumeMode),
    ...(before === undefined ? [] : changeProblems(spec, before.spec)),
  ];
}

function capacityProblems(capacity: Readonly<Record<string, string>>): readonly Problem[] {
  const entries = Object.entries(capacity);
  const isStorage = entries.length === 1 && "storage" in capacity;
  return [
    ...(entries.length === 0 ? [required("spec.capacity")] : []),
    ...(isStorage
      ? []
      : [unsupportedValue("spec.capacity", entries.length === 0 ? null : capacity, ["storage"])]),
    ...entries
      .filter(([, amount]) => (nanosOf(amount) ?? 0n) <= 0n)
      .map(([name, amount]) =>
        invalidValue(`spec.capacity[${name}]`, amount, "must be greater than zero"),
      ),
  ];
}

const AFFINITY = "spec.nodeAffinity";

function affinityProblems({ nodeAffinity }: Spec): readonly Problem[] {
  if (nodeAffinity === undefined) return [];
  if (nodeAffinity.required === undefined) {
    return [required(`${AFFINITY}.required`, "must specify required node constraints")];
  }
  const field = `${AFFINITY}.required.nodeSelectorTerms`;
  const terms = nodeAffinity.required.nodeSelectorTerms ?? [];
  if (terms.length === 0) return [required(field, "must have at least one node selector term")];
  return terms.flatMap(({ matchExpressions = [] }, index) =>
    matchExpressions.flatMap((item, place) =>
      requirementProblems(item, `${field}[${index}].matchExpressions[${place}]`),
    ),
  );
}

function requirementProblems(item: NodeSelectorRequirement, field: string): readonly Problem[] {
  const { key, values = [] } = item;
  return [
    ...operatorProblems(item, field),
    ...ruleProblems(qualifiedNameProblems, `${field}.key`, key),
    ...values.flatMap((value, index) =>
      ruleProblems(labelValueProblems, `${field}.values[${index}]`, value),
    ),
  ];
}

function operatorProblems(item: NodeSelectorRequirement, field: string): readonly Problem[] {
  const { operator, values = [] } = item;
  const place = `${field}.values`;
  switch (operator) {
    case "In":
    case "NotIn":
      return values.length > 0
        ? []
        : [required(place, "must be specified when `operator` is 'In' or 'NotIn'")];
    case "Exists":
    case "DoesNotExist":
      return values.length === 0
        ? []
        : [
            forbiddenValue(
              place,
              "may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
            ),
          ];
    case "Gt":
    case "Lt":
      return values.length === 1
        ? []
        : [required(place, "must be specified single value when `operator` is 'Lt' or 'Gt'")];
    default:
      return [invalidValue(`${field}.operator`, operator, "not a valid selector operator")];
  }
}

function sourceProblems(spec: Spec): readonly Problem[] {
  const given = SOURCES.filter((name) => spec[name] !== undefined);
  return [
    ...given
      .slice(1)
      .map((name) => forbiddenValue(`spec.${name}`, "may not specify more than 1 volume type")),
    ...(given.length === 0 ? [required("spec", "must specify a volume type")] : []),
    ...pathProblems(spec),
    ...csiProblems(spec.csi),
  ];
}

function pathProblems({ hostPath, local, nfs, nodeAffinity }: Spec): readonly Problem[] {
  return [
    ...(hostPath?.path === "" ? [required("spec.hostPath.path")] : []),
    ...(nfs?.server === "" ? [required("spec.nfs.server")] : []),
    ...(nfs?.path === "" ? [required("spec.nfs.path")] : []),
    ...(local?.path === "" ? [required("spec.local.path")] : []),
    ...(local !== undefined && nodeAffinity === undefined
      ? [required(AFFINITY, "Local volume requires node affinity")]
      : []),
  ];
}

function csiProblems(csi: Spec["csi"]): readonly Problem[] {
  if (csi === undefined) return [];
  const { driver, volumeHandle } = csi;
  return [
    ...(driver === ""
      ? [required("spec.csi.driver")]
      : subdomainProblems(driver.toLowerCase()).map((why) =>
          invalidValue("spec.csi.driver", driver, why),
        )),
    ...(volumeHandle === "" ? [required("spec.csi.volumeHandle")] : []),
  ];
}

/** A volume's source is immutable; its node affinity may be set once. */
function changeProblems(spec: Spec, before: Spec): readonly Problem[] {
  const sourceOf = (one: Spec) => JSON.stringify(SOURCES.map((name) => one[name]));
  const affinity = termsText(spec);
  return [
    ...(sourceOf(spec) === sourceOf(before)
      ? []
      : [
          forbiddenValue(
            "spec.persistentvolumesource",
            "spec.persistentvolumesource is immutable after creation",
          ),
        ]),
    ...immutableProblems("volumeMode", spec.volumeMode, before.volumeMode),
    ...(before.nodeAffinity === undefined || affinity === termsText(before)
      ? []
      : [
          invalidValue(
            "nodeAffinity",
            spec.nodeAffinity ?? null,
            "field is immutable, except for updating from beta label to GA",
          ),
        ]),
  ];
}

const RENAMED: Readonly<Record<string, string>> = {
  "failure-domain.beta.kubernetes.io/zone": "topology.kubernetes.io/zone",
  "failure-domain.beta.kubernetes.io/region": "topology.kubernetes.io/region",
  "beta.kubernetes.io/os": "kubernetes.io/os",
  "beta.kubernetes.io/arch": "kubernetes.io/arch",
  "beta.kubernetes.io/instance-type": "node.kubernetes.io/instance-type",
};

/** Returns the affinity with labels by their newer names. */
function termsText({ nodeAffinity }: Spec): string {
  const renamed = ({ matchExpressions = [], ...others }: NodeSelectorTerm) => ({
    ...others,
    matchExpressions: matchExpressions.map((item) => ({
      ...item,
      key: RENAMED[item.key] ?? item.key,
    })),
  });
  return JSON.stringify((nodeAffinity?.required?.nodeSelectorTerms ?? []).map(renamed));
}
