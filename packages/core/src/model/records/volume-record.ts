import { z } from "zod";

const topologySchema = z
  .object({ zone: z.string().optional(), region: z.string().optional() })
  .readonly();

export const volumeDetailSchema = z
  .object({
    kind: z.literal("volume"),
    /** The disk's id in the cloud. */
    volumeId: z.string(),
    storageClass: z.string().optional(),
    /** `namespace/name` of the claim that is bound to it. */
    claim: z.string().optional(),
    labels: z.object({ wanted: topologySchema, has: topologySchema }).readonly(),
    /** Whether its node affinity lets pods run only where the disk is; `foreign` is one that was there and is not ours to change. */
    affinity: z.enum(["set", "missing", "foreign", "conflict", "notNeeded"]),
    sizeGiB: z
      .object({
        cloud: z.number().optional(),
        volume: z.number(),
        claimed: z.number().optional(),
      })
      .readonly(),
    /** When the cloud was last looked at, milliseconds since the epoch. */
    asOf: z.number().optional(),
    changedAt: z.number().optional(),
  })
  .readonly();
/** What the pages show of a PersistentVolume: the `detail` of its state. */
export type VolumeDetail = z.infer<typeof volumeDetailSchema>;
