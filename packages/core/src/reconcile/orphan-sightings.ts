import { z } from "zod";

export const orphanSightingSchema = z
  .object({
    /** The balancer's id in the cloud. */
    id: z.string(),
    /** Of the Service that its mark names: another one under the same id is another load balancer. */
    serviceUid: z.string(),
    /** Milliseconds since the epoch. */
    since: z.number(),
  })
  .readonly();
/** Since when a load balancer of this cluster is seen without its Service. */
export type OrphanSighting = z.infer<typeof orphanSightingSchema>;

/** Remembers sightings over fail-overs and restarts, so that `--orphan-grace` does not begin anew with each leader. */
export interface OrphanSightings {
  /** As they are known now; of earlier leaders, too. */
  readonly known: readonly OrphanSighting[];
  /** Takes the place of all that was known. Does not throw: what could not be written is written with a later one. */
  keep(sightings: readonly OrphanSighting[]): void;
}
