import type { InstanceFacts, Lookup } from "@cloudwright/provider-api";
import type { TimelineStep } from "../../model/records/node-record.ts";
import type { Moment } from "../../reconcile/reconciler.ts";

/** What we know of a node beyond what the API server stores. It is lost with the process, and then learnt again. */
export interface NodeMemory {
  /** The last answer of the cloud, with its time. */
  readonly lookup?: Lookup;
  readonly answeredAt?: Moment;
  /** The facts last seen; older than `lookup` if that one failed. */
  readonly facts?: InstanceFacts | undefined;
  /** The resource version in which the last run left the node, if nothing more had to be done. */
  readonly settledAt?: string | undefined;
  readonly timeline?: readonly TimelineStep[];
  readonly initialisedAt?: number;
}

export const NO_MEMORY: NodeMemory = {};
