import { z } from "zod";
import { readKept } from "../../../reconcile/controls/control-record.ts";
import type { KeptText } from "../../../reconcile/controls/open-controls.ts";

/** Since when a load balancer of this cluster has been without its Service. */
export type OrphanSighting = z.infer<typeof sightingSchema>;

/** Remembers sightings across failovers and restarts, so that `--orphan-grace` does not restart with each leader. */
export interface OrphanSightings {
  /** The sightings known now, including those of earlier leaders. */
  readonly known: readonly OrphanSighting[];
  /** Replaces everything that was known. Does not throw: what could not be written is written with a later change. */
  keep(sightings: readonly OrphanSighting[]): void;
}

/** The key in the control record, where sightings outlive every leader, with or without a database. */
export const SIGHTINGS_KEY = "orphaned-load-balancers";

/** `onProblem` receives a sentence about unreadable content, once for each. */
export function createOrphanSightings(
  text: KeptText,
  onProblem: (sentence: string) => void,
): OrphanSightings {
  let read: { readonly text: string | undefined; readonly known: readonly OrphanSighting[] } = {
    text: undefined,
    known: [],
  };
  const known = () => {
    const now = text.read();
    if (now !== read.text) {
      const kept = { key: SIGHTINGS_KEY, text: now };
      read = { text: now, known: readKept(kept, { schema, absent: [], onProblem }) };
    }
    return read.known;
  };
  return {
    get known() {
      return known();
    },
    keep: (sightings) => {
      const packed = packedText(sightings);
      if (packed !== packedText(known())) text.keep(packed);
    },
  };
}

/** A ConfigMap holds at most 1 MiB. An orphan that is left out is found again by a listing. */
const MOST_KEPT = 1_000;

const sightingSchema = z
  .object({
    /** The load balancer's id in the cloud. */
    id: z.string(),
    /** The UID of the Service in its mark: with another one, the same id is another load balancer. */
    serviceUid: z.string(),
    /** Milliseconds since the epoch. */
    since: z.number(),
  })
  .readonly();
const schema: z.ZodType<readonly OrphanSighting[]> = z.array(sightingSchema);

/** Keeps the oldest, in an order that depends on nothing else. */
function packedText(sightings: readonly OrphanSighting[]): string {
  const inOrder = sightings.toSorted(
    (one, other) => one.since - other.since || (one.id < other.id ? -1 : 1),
  );
  const kept = inOrder.slice(0, MOST_KEPT);
  return JSON.stringify(kept.map(({ id, serviceUid, since }) => ({ id, serviceUid, since })));
}
