import type { InstanceFacts, Lookup } from "@cloudwright/provider-api";
import type { TimelineStep } from "../../model/records/node-record.ts";
import type { Moment } from "../../reconcile/reconciler.ts";

/** What we know of a node beside what the API server keeps; lost with the process, and then learnt anew. */
export interface NodeMemory {
  /** The last answer of the cloud, and when it came. */
  readonly lookup?: Lookup;
  readonly answeredAt?: Moment;
  /** The facts last seen; older than `lookup` when that one failed. */
  readonly facts?: InstanceFacts | undefined;
  /** The resource version that the last run has left the node with, if nothing more was to be done. */
  readonly settledAt?: string | undefined;
  readonly timeline?: readonly TimelineStep[];
  readonly initialisedAt?: number;
}

export const NO_MEMORY: NodeMemory = {};
