import type { VolumeFacts } from "@cloudwright/provider-api";
import { z } from "zod";

export const volumeSchema = z.object({
  id: z.string().min(1),
  zone: z.string(),
  region: z.string(),
  sizeGiB: z.number().int().min(0),
});
/** A disk as the sandbox cloud tells it (spec/70, "Resources"). */
export type Volume = Readonly<z.infer<typeof volumeSchema>>;

export const volumePageSchema = z.object({
  items: z.array(volumeSchema),
  next: z.string().min(1).nullish(),
});

/** This cloud gives its disks no further labels. */
export function factsOfVolume(volume: Volume): VolumeFacts {
  const { id, zone, region, sizeGiB } = volume;
  return { id, zone, region, sizeGiB, additionalLabels: {}, asOf: Date.now() };
}
