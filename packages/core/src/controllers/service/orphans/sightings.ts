import { z } from "zod";
import { readKept } from "../../../reconcile/controls/control-record.ts";
import type { KeptText } from "../../../reconcile/controls/open-controls.ts";

/** Since when a load balancer of this cluster is seen without its Service. */
export type OrphanSighting = z.infer<typeof sightingSchema>;

/** Remembers sightings over fail-overs and restarts, so that `--orphan-grace` does not begin anew with each leader. */
export interface OrphanSightings {
  /** As they are known now; of earlier leaders, too. */
  readonly known: readonly OrphanSighting[];
  /** Takes the place of all that was known. Does not throw: what could not be written is written with a later one. */
  keep(sightings: readonly OrphanSighting[]): void;
}

/** Its key in the control record, where sightings outlive every leader, with a database or without. */
export const SIGHTINGS_KEY = "orphaned-load-balancers";

/** `onProblem` gets a sentence about content that cannot be read, once for each. */
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

/** A ConfigMap takes 1 MiB. Who is left out is found anew when the cloud is looked at. */
const MOST_KEPT = 1_000;

const sightingSchema = z
  .object({
    /** The load balancer's id in the cloud. */
    id: z.string(),
    /** Of the Service that its mark names: another one under the same id is another load balancer. */
    serviceUid: z.string(),
    /** Milliseconds since the epoch. */
    since: z.number(),
  })
  .readonly();
const schema: z.ZodType<readonly OrphanSighting[]> = z.array(sightingSchema);

/** Those that have stood for longest, in an order that depends on nothing else. */
function packedText(sightings: readonly OrphanSighting[]): string {
  const inOrder = sightings.toSorted(
    (one, other) => one.since - other.since || (one.id < other.id ? -1 : 1),
  );
  const kept = inOrder.slice(0, MOST_KEPT);
  return JSON.stringify(kept.map(({ id, serviceUid, since }) => ({ id, serviceUid, since })));
}
