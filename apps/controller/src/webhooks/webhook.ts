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
  /** Judges one request. Throws when it cannot decide; the signal aborts when nobody waits for the answer any more. */
  admit(request: AdmissionRequest, signal: AbortSignal): Promise<AdmissionVerdict>;
}

/** The request of an AdmissionReview, as far as anybody here reads it. */
export interface AdmissionRequest {
  readonly uid: string;
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  readonly operation: string;
  /** The object as it is to be; null when it is to go. */
  readonly object: unknown;
}

export type AdmissionVerdict =
  | {
      readonly kind: "allowed";
      readonly patch: readonly PatchOperation[];
      readonly warnings: readonly string[];
    }
  | { readonly kind: "refused"; readonly message: string }
  /** The request is none that the webhook can be asked. */
  | { readonly kind: "malformed"; readonly problem: string };

/** The webhook that lets new volumes say where their disks are (spec/50 §6). */
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
