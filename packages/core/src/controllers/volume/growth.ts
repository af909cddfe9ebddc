import type { PersistentVolumeClaim, StorageClass } from "../../kube/client.ts";
import type { Reason, ReasonOf } from "../../model/reason.ts";
import { phrased } from "../../model/reasons/phrases.ts";
import { nameOf } from "../objects/object-meta.ts";
import { FILE_SYSTEM_PENDING, type VolumeChange } from "./changes.ts";
import type { VolumeObserved } from "./observed.ts";
import { bytesOf, gibibytesOf, quantityOf } from "./quantity.ts";
import { classNameOf, refOf } from "./volume-object.ts";

/** What follows from a claim's request for more capacity. */
export interface Growth {
  readonly changes: readonly VolumeChange[];
  /** Why the request cannot be met. */
  readonly obstacle?: Reason;
  /** What is left to others after all writes. */
  readonly rest?: Reason;
}

/**
 * Returns the writes that make a volume as large as its claim asks for (spec/50 §8): the disk, then the volume, then the
 * claim, each only if necessary, so that a run after a crash continues where the previous one stopped. Nothing ever shrinks.
 */
export function growthOf(observed: VolumeObserved): Growth {
  const { claim, disk, facts } = observed;
  if (claim === undefined || disk === undefined || !asksForMore(claim)) return NONE;
  const obstacle = obstacleTo(observed, claim);
  if (obstacle !== undefined) return { changes: [], obstacle };
  const wantedGiB = gibibytesOf(claim.spec?.resources?.requests?.storage);
  if (wantedGiB === undefined || facts === undefined) return NONE;
  const grown: Grown = { observed, claim, disk, wantedGiB };
  return {
    changes: [
      ...diskGrowth(grown, facts.sizeGiB),
      ...capacityWrite(grown),
      ...claimStatusWrite(grown),
    ],
    ...(isBlock(grown) ? {} : { rest: fileSystemPending(disk, wantedGiB) }),
  };
}

const NONE: Growth = { changes: [] };

/** Reports whether a claim asks for more than it has. */
export function asksForMore({ spec, status }: PersistentVolumeClaim): boolean {
  const wanted = bytesOf(spec?.resources?.requests?.storage);
  const has = bytesOf(status?.capacity?.storage);
  return wanted !== undefined && has !== undefined && wanted > has;
}

/** `namespace/name` */
export function claimName(claim: PersistentVolumeClaim): string {
  return `${claim.metadata?.namespace ?? ""}/${nameOf(claim)}`;
}

interface Grown {
  readonly observed: VolumeObserved;
  readonly claim: PersistentVolumeClaim;
  readonly disk: string;
  readonly wantedGiB: number;
}

function obstacleTo(
  { grows, provider, storageClass }: VolumeObserved,
  claim: PersistentVolumeClaim,
): Reason | undefined {
  const problem = classProblem(claim, storageClass);
  if (problem !== undefined) {
    return { code: "ClaimNotExpandable", claim: claimName(claim), ...problem };
  }
  if (grows) return undefined;
  return { code: "ProviderUnsupported", provider, operation: "grow disks" };
}

function classProblem(
  claim: PersistentVolumeClaim,
  storageClass: StorageClass | undefined,
): Pick<ReasonOf<"ClaimNotExpandable">, "problem" | "phrase"> | undefined {
  const name = classNameOf(claim);
  if (name === "") return phrased("problem", "noStorageClass");
  if (storageClass === undefined) return phrased("problem", "storageClassAbsent", name);
  return storageClass.allowVolumeExpansion === true
    ? undefined
    : phrased("problem", "storageClassForbids", name);
}

function diskGrowth({ observed, disk, wantedGiB }: Grown, hasGiB: number): VolumeChange[] {
  if (hasGiB >= wantedGiB) return [];
  return [
    {
      kind: "volume.grow",
      system: "cloud",
      target: refOf(observed.volume),
      before: { disk, sizeGiB: hasGiB },
      after: { disk, sizeGiB: wantedGiB },
      reason: { code: "VolumeTooSmall", id: disk, hasGiB, wantedGiB },
    },
  ];
}

function capacityWrite({ observed, disk, wantedGiB }: Grown): VolumeChange[] {
  const { volume } = observed;
  const storage = volume.spec?.capacity?.storage;
  const hasGiB = gibibytesOf(storage) ?? 0;
  const wanted = quantityOf(wantedGiB);
  if ((bytesOf(storage) ?? 0n) >= (bytesOf(wanted) ?? 0n)) return [];
  return [
    {
      kind: "volume.capacity.write",
      system: "cluster",
      target: refOf(volume),
      before: { storage: storage ?? null },
      after: { storage: wanted },
      reason: { code: "VolumeTooSmall", id: disk, hasGiB, wantedGiB },
    },
  ];
}

function claimStatusWrite(grown: Grown): VolumeChange[] {
  const { observed, claim, disk, wantedGiB } = grown;
  const isAtOnce = isBlock(grown);
  if (!isAtOnce && isPending(claim)) return [];
  const storage = claim.status?.capacity?.storage;
  const hasGiB = gibibytesOf(storage) ?? 0;
  return [
    {
      kind: "claim.status.write",
      system: "cluster",
      target: refOf(observed.volume),
      before: { claim: claimName(claim), capacity: storage ?? null },
      after: {
        claim: claimName(claim),
        capacity: isAtOnce ? quantityOf(wantedGiB) : null,
        condition: isAtOnce ? null : FILE_SYSTEM_PENDING,
      },
      reason: { code: "VolumeTooSmall", id: disk, hasGiB, wantedGiB },
    },
  ];
}

function isBlock({ observed }: Grown): boolean {
  return observed.volume.spec?.volumeMode === "Block";
}

function isPending({ status }: PersistentVolumeClaim): boolean {
  return (status?.conditions ?? []).some(
    ({ type, status: holds }) => type === FILE_SYSTEM_PENDING && holds === "True",
  );
}

function fileSystemPending(id: string, sizeGiB: number): Reason {
  return { code: "VolumeFileSystemPending", id, sizeGiB };
}
