import { z } from "zod";

/** The FlexVolume driver that stands for a disk of this cloud: the API server knows no type of its own for it. */
export const DRIVER = "sandbox.cloudwright.io/disk";

const sourceSchema = z.object({
  flexVolume: z.object({
    driver: z.literal(DRIVER),
    options: z.object({ volumeID: z.string().min(1) }),
  }),
});

/** The id of the disk behind a PersistentVolume; undefined for any source that is not this cloud's, CSI included. */
export function diskOf(spec: Readonly<Record<string, unknown>>): string | undefined {
  const parsed = sourceSchema.safeParse(spec);
  return parsed.success ? parsed.data.flexVolume.options.volumeID : undefined;
}
