import {
  admittedVolumeSchema,
  admitVolume,
  type VolumeAdmissionOptions,
} from "@cloudwright/core/controllers/volume/admit-volume";
import type { AdmissionRequest, AdmissionVerdict, Webhook } from "./webhook.ts";

/** The webhook that lets new volumes say where their disks are (spec/50 §6). */
export function createVolumeWebhook(options: VolumeAdmissionOptions): Webhook {
  return {
    name: "pvlabel",
    path: "/admit",
    admit: async (request, signal) => {
      if (!isOfVolume(request)) {
        const { kind } = request.kind;
        return { kind: "malformed", problem: `it is asked for a ${kind}, and knows volumes alone` };
      }
      if (request.operation !== "CREATE") return UNCHANGED;
      const volume = admittedVolumeSchema.safeParse(request.object);
      if (!volume.success) return { kind: "malformed", problem: "its object is no volume" };
      return await admitVolume(options, volume.data, signal);
    },
  };
}

const UNCHANGED: AdmissionVerdict = { kind: "allowed", patch: [], warnings: [] };

function isOfVolume({ kind: { group, version, kind } }: AdmissionRequest): boolean {
  return group === "" && version === "v1" && kind === "PersistentVolume";
}
