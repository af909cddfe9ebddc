import type { PatchOperation } from "@cloudwright/core/controllers/objects/json-patch";
import {
  admittedVolumeSchema,
  admitVolume,
  type VolumeAdmissionOptions,
} from "@cloudwright/core/controllers/volume/admit-volume";

/** A webhook that this process can host (spec/00 §11). */
export interface Webhook {
  readonly name: string;
  readonly path: string;
  /** Judges one request. Throws if it cannot decide; the signal aborts when the caller no longer waits for an answer. */
  admit(request: AdmissionRequest, signal: AbortSignal): Promise<AdmissionVerdict>;
}

/** The fields of an AdmissionReview's request that are used here. */
export interface AdmissionRequest {
  readonly uid: string;
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  readonly operation: string;
  /** The new object; null for a deletion. */
  readonly object: unknown;
}

export type AdmissionVerdict =
  | {
      readonly kind: "allowed";
      readonly patch: readonly PatchOperation[];
      readonly warnings: readonly string[];
    }
  | { readonly kind: "refused"; readonly message: string }
  /** The webhook does not handle such a request. */
  | { readonly kind: "malformed"; readonly problem: string };

/** The webhook that labels new volumes with the location of their disks (spec/50 §6). */
export function createVolumeWebhook(options: VolumeAdmissionOptions): Webhook {
  return {
    name: "pvlabel",
    path: "/admit",
    admit: async (request, signal) => {
      if (!isOfVolume(request)) {
        const { kind } = request.kind;
        return {
          kind: "malformed",
          problem: `it was called for a ${kind}, but it handles only volumes`,
        };
      }
      if (request.operation !== "CREATE") return UNCHANGED;
      const volume = admittedVolumeSchema.safeParse(request.object);
      if (!volume.success) return { kind: "malformed", problem: "its object is not a volume" };
      return await admitVolume(options, volume.data, signal);
    },
  };
}

const UNCHANGED: AdmissionVerdict = { kind: "allowed", patch: [], warnings: [] };

function isOfVolume({ kind: { group, version, kind } }: AdmissionRequest): boolean {
  return group === "" && version === "v1" && kind === "PersistentVolume";
}
