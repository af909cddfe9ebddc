import { forbidden } from "../../http/api-error.ts";
import { forbiddenValue, invalidValue, type Problem, required } from "../../rules/problem.ts";
import { nanosOf } from "../../schema/quantity.ts";
import type { ClusterState } from "../cluster-state.ts";
import {
  accessModeProblems,
  classNameProblems,
  immutableProblems,
  volumeModeProblems,
} from "./access-modes.ts";
import type { PersistentVolumeClaim } from "./persistent-volume-claim-schema.ts";
import { defaultClass, type StorageClass, storageClasses } from "./storage-class.ts";

type Spec = PersistentVolumeClaim["spec"];

/**
 * Imitates upstream's admission of claims: one without a class gets the default class, and a bound one grows only if its class allows it.
 * Throws ApiError 403.
 */
export function admitClaim(
  claim: PersistentVolumeClaim,
  before: PersistentVolumeClaim | undefined,
  state: ClusterState,
): PersistentVolumeClaim {
  if (before === undefined) return withDefaultClass(claim, classesIn(state));
  const grows = sizeOf(claim.spec) > sizeOf(before.spec);
  if (grows && before.status.phase === "Bound") refuseGrowth(claim, state);
  return claim;
}

export function claimProblems(
  claim: PersistentVolumeClaim,
  before?: PersistentVolumeClaim,
): readonly Problem[] {
  const { spec } = claim;
  const { accessModes = [] } = spec;
  return [
    ...(accessModes.length === 0
      ? [required("spec.accessModes", "at least 1 access mode is required")]
      : accessModeProblems(accessModes)),
    ...sizeProblems(spec),
    ...classNameProblems(spec.storageClassName),
    ...volumeModeProblems(spec.volumeMode),
    ...(before === undefined ? [] : changeProblems(claim, before)),
  ];
}

function withDefaultClass(
  claim: PersistentVolumeClaim,
  classes: readonly StorageClass[],
): PersistentVolumeClaim {
  const name = defaultClass(classes)?.metadata.name;
  const isOpen = claim.spec.storageClassName === undefined && name !== undefined;
  return isOpen ? { ...claim, spec: { ...claim.spec, storageClassName: name } } : claim;
}

function refuseGrowth(claim: PersistentVolumeClaim, state: ClusterState): void {
  const { storageClassName } = claim.spec;
  const own = classesIn(state).find(({ metadata }) => metadata.name === storageClassName);
  if (own?.allowVolumeExpansion === true) return;
  throw forbidden(
    { group: "", kind: "persistentvolumeclaims", name: claim.metadata.name ?? "" },
    "only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize",
  );
}

function classesIn({ store }: ClusterState): readonly StorageClass[] {
  const range = { storage: storageClasses.storage, prefix: "" };
  // This storage holds only classes decoded by their schema.
  return store.list(range).revisions.map(({ object }) => object as StorageClass);
}

const SIZE_FIELD = "spec.resources[storage]";

function sizeProblems({ resources }: Spec): readonly Problem[] {
  const size = resources.requests?.storage;
  if (size === undefined) return [required(SIZE_FIELD)];
  return (nanosOf(size) ?? 0n) > 0n
    ? []
    : [invalidValue(SIZE_FIELD, size, "must be greater than zero")];
}

function sizeOf({ resources }: Spec): bigint {
  return nanosOf(resources.requests?.storage ?? "0") ?? 0n;
}

/** A claim may set its volume and its class once; a bound one may also request another size. */
function changeProblems(
  claim: PersistentVolumeClaim,
  before: PersistentVolumeClaim,
): readonly Problem[] {
  const { spec } = claim;
  const isBound = claim.status.phase === "Bound";
  const shrinksTooFar =
    sizeOf(spec) < sizeOf(before.spec) &&
    sizeOf(spec) <= (nanosOf(before.status.capacity?.storage ?? "0") ?? 0n);
  return [
    ...(essence(spec, before.spec, isBound) === essence(before.spec, before.spec, isBound)
      ? []
      : [
          forbiddenValue(
            "spec",
            "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims",
          ),
        ]),
    ...(shrinksTooFar
      ? [
          forbiddenValue(
            "spec.resources.requests.storage",
            "field can not be less than status.capacity",
          ),
        ]
      : []),
    ...immutableProblems("volumeMode", spec.volumeMode, before.spec.volumeMode),
  ];
}

/** May be set if they were not before. */
const ONCE = ["volumeName", "storageClassName"] as const;

/** Returns the immutable part of the spec, as text that does not depend on the order of members. */
function essence(spec: Spec, before: Spec, isBound: boolean): string {
  const open: readonly string[] = [
    ...ONCE.filter((field) => before[field] === undefined),
    ...(isBound ? ["volumeAttributesClassName"] : []),
  ];
  const { requests } = spec.resources;
  const resources = isBound
    ? { ...spec.resources, requests: { ...requests, storage: "" } }
    : spec.resources;
  const members = Object.entries({ ...spec, resources })
    .filter(([field]) => !open.includes(field))
    .sort(([left], [right]) => (left < right ? -1 : 1));
  return JSON.stringify(members);
}
