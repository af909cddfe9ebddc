import type { Allocations } from "../allocations/allocations.ts";
import type { ObjectStore } from "../state/object-store.ts";

/** The cluster's state that rules may use beside the object itself. */
export interface ClusterState {
  readonly store: ObjectStore;
  /** The addresses and node ports of services. */
  readonly allocations: Allocations;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** The input of admission. */
export interface Admission extends ClusterState {
  /** Whether the write is a dry run. */
  readonly dryRun: boolean;
}

/** Returns the current time in the objects' format. */
export function timestamp({ now }: Pick<ClusterState, "now">): string {
  return `${new Date(now()).toISOString().slice(0, 19)}Z`;
}
