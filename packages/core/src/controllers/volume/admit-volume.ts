import {
  isProviderError,
  type ProviderErrorCode,
  type VolumeLookup,
  type Volumes,
} from "@cloudwright/provider-api";
import { z } from "zod";
import { reasonOfProviderError } from "../../cloud/calls/provider-reason.ts";
import type { PersistentVolume } from "../../kube/client.ts";
import type { Reason } from "../../model/reason.ts";
import { cause, eventMessage } from "../../model/sentence.ts";
import { jsonPointer, type PatchOperation } from "../objects/json-patch.ts";
import { labelsOf } from "../objects/object-meta.ts";
import { affinityWith } from "./affinity.ts";
import { type Topology, topologyOfFacts, topologyOfLabels, trustedLabels } from "./topology.ts";
import { diskOf, PLACEHOLDER_ID } from "./volume-object.ts";

/** The decision about a volume that somebody creates. */
export type VolumeVerdict =
  | {
      readonly kind: "allowed";
      /** Empty if the volume is as it should be. */
      readonly patch: readonly PatchOperation[];
      /** For the client that creates it. */
      readonly warnings: readonly string[];
    }
  | { readonly kind: "refused"; readonly message: string };

export interface VolumeAdmissionOptions {
  readonly volumes: Pick<Volumes, "identify">;
  /** The provider's name. */
  readonly provider: string;
  /** Whether the loop later labels volumes that were admitted without labels. */
  readonly isRepaired: boolean;
  /** Rejects only when the signal aborts, with its reason. */
  describe(disk: string, signal: AbortSignal): Promise<VolumeLookup>;
}

const labels = z.record(z.string(), z.string()).nullish();
const expressions = z
  .array(
    z.looseObject({ key: z.string(), operator: z.string(), values: z.array(z.string()).nullish() }),
  )
  .nullish();
const shape = z.looseObject({
  kind: z.literal("PersistentVolume"),
  metadata: z.looseObject({ labels, annotations: labels }),
  spec: z.looseObject({
    nodeAffinity: z
      .looseObject({
        required: z
          .looseObject({
            nodeSelectorTerms: z.array(z.looseObject({ matchExpressions: expressions })).nullish(),
          })
          .nullish(),
      })
      .nullish(),
  }),
});

/** A PersistentVolume as an API server sends it for admission, as far as it is read. */
export const admittedVolumeSchema = z.custom<PersistentVolume>(
  (value) => shape.safeParse(value).success,
  "it is not a PersistentVolume",
);

/**
 * Adds the location of its disk to a new volume, or refuses it (spec/50 §3, §4). While the cloud does not answer, a volume is
 * admitted if the loop will label it, since the creation of volumes must not depend on the cloud (VW-3). This is impossible
 * for a volume with an affinity, to which nothing can be added later.
 */
export async function admitVolume(
  options: VolumeAdmissionOptions,
  volume: PersistentVolume,
  signal: AbortSignal,
): Promise<VolumeVerdict> {
  const disk = diskOf(volume, options.volumes);
  if (disk === undefined || disk === PLACEHOLDER_ID) return UNCHANGED;
  const trusted = trustedLabels(volume);
  if (trusted !== undefined) return verdictOf(volume, topologyOfLabels(trusted, disk));
  const lookup = await lookUp(options, disk, signal);
  switch (lookup.kind) {
    case "found":
      return verdictOf(volume, topologyOfFacts(lookup.facts));
    case "absent": {
      const { provider } = options;
      const { requestId } = lookup;
      return refused({ code: "VolumeNotFound", provider, id: disk, requestId });
    }
    case "failed": {
      const reason = reasonOfProviderError(lookup.error);
      const canWait = options.isRepaired && PASSING.has(lookup.error.code);
      return canWait && !volume.spec?.nodeAffinity ? later(reason) : refused(reason);
    }
  }
}

const UNCHANGED: VolumeVerdict = { kind: "allowed", patch: [], warnings: [] };

/** Errors that say nothing about the disk. */
const PASSING: ReadonlySet<ProviderErrorCode> = new Set([
  "Throttled",
  "Unauthorized",
  "Unavailable",
  "TimedOut",
]);

/** A signal that aborts because no answer came has a ProviderError as its reason. */
async function lookUp(
  { describe }: VolumeAdmissionOptions,
  disk: string,
  signal: AbortSignal,
): Promise<VolumeLookup> {
  try {
    return await describe(disk, signal);
  } catch (error) {
    if (isProviderError(error)) return { kind: "failed", error };
    throw error;
  }
}

function verdictOf(volume: PersistentVolume, topology: Topology): VolumeVerdict {
  if (topology.kind === "unusable") return refused(topology.reason);
  return { kind: "allowed", patch: patchOf(volume, topology), warnings: [] };
}

function patchOf(
  volume: PersistentVolume,
  { labels: wanted, requirements }: Extract<Topology, { kind: "known" }>,
): readonly PatchOperation[] {
  const nodeAffinity = affinityWith(volume, requirements);
  return [
    ...labelOperations(labelsOf(volume), wanted),
    ...(nodeAffinity === undefined
      ? []
      : [{ op: "add", path: "/spec/nodeAffinity", value: nodeAffinity } as const]),
  ];
}

function labelOperations(
  has: Readonly<Record<string, string>>,
  wanted: Readonly<Record<string, string>>,
): readonly PatchOperation[] {
  const differing = Object.entries(wanted).filter(([key, value]) => has[key] !== value);
  if (differing.length === 0) return [];
  if (Object.keys(has).length === 0) {
    return [{ op: "add", path: "/metadata/labels", value: Object.fromEntries(differing) }];
  }
  return differing.map(([key, value]) => ({
    op: "add",
    path: jsonPointer("metadata", "labels", key),
    value,
  }));
}

function refused(reason: Reason): VolumeVerdict {
  return { kind: "refused", message: eventMessage(reason) };
}

function later(reason: Reason): VolumeVerdict {
  const warning = `The volume gets its zone and region as soon as the cloud answers. ${cause(reason)}.`;
  return { kind: "allowed", patch: [], warnings: [warning] };
}
