import type { Allocations } from "../allocations/allocations.ts";
import type { ObjectStore } from "../state/object-store.ts";

/** What rules may ask of the cluster beyond the object itself. */
export interface ClusterState {
  readonly store: ObjectStore;
  /** The addresses and node ports of services. */
  readonly allocations: Allocations;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** What admission is asked with. */
export interface Admission extends ClusterState {
  /** Whether the write is only tried. */
  readonly dryRun: boolean;
}

/** Now, as objects spell it. */
export function timestamp({ now }: Pick<ClusterState, "now">): string {
  return `${new Date(now()).toISOString().slice(0, 19)}Z`;
}
