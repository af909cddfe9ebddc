import type { OrphanSighting, OrphanSightings } from "../orphan-sightings.ts";
import type { ControlStore } from "./control-store.ts";

export interface OrphanKeeperOptions {
  readonly store: Pick<ControlStore, "record" | "update">;
  /** Told of a write that failed; the next sightings make up for it. */
  onError(error: unknown): void;
}

/** Sightings of orphans upon the control record, so that they outlive every leader, with a database or without. */
export function createOrphanKeeper({ store, onError }: OrphanKeeperOptions): OrphanSightings {
  return {
    get known() {
      return store.record.orphans;
    },
    keep: (sightings) => {
      if (isSame(store.record.orphans, sightings)) return;
      store
        .update((record) => ({ record: { ...record, orphans: sightings }, answer: undefined }))
        .catch(onError);
    },
  };
}

/** In whatever order. */
function isSame(left: readonly OrphanSighting[], right: readonly OrphanSighting[]): boolean {
  if (left.length !== right.length) return false;
  const known = new Set(left.map(textOf));
  return right.every((one) => known.has(textOf(one)));
}

function textOf({ id, serviceUid, since }: OrphanSighting): string {
  return JSON.stringify([id, serviceUid, since]);
}
