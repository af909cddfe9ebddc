import { z } from "zod/mini";

const topologySchema = z.readonly(
  z.object({ zone: z.optional(z.string()), region: z.optional(z.string()) }),
);

export const volumeDetailSchema = z.readonly(
  z.object({
    kind: z.literal("volume"),
    /** The disk's id in the cloud. */
    volumeId: z.string(),
    storageClass: z.optional(z.string()),
    /** `namespace/name` of the bound claim. */
    claim: z.optional(z.string()),
    labels: z.readonly(z.object({ wanted: topologySchema, has: topologySchema })),
    /** Whether its node affinity lets pods run only where the disk is; `foreign` is an existing one that is not ours to change. */
    affinity: z.enum(["set", "missing", "foreign", "conflict", "notNeeded"]),
    sizeGiB: z.readonly(
      z.object({
        cloud: z.optional(z.number()),
        volume: z.number(),
        claimed: z.optional(z.number()),
      }),
    ),
    /** When the cloud was last observed, in milliseconds since the epoch. */
    asOf: z.optional(z.number()),
    changedAt: z.optional(z.number()),
  }),
);
/** What the pages show of a PersistentVolume: the `detail` of its state. */
export type VolumeDetail = z.infer<typeof volumeDetailSchema>;
