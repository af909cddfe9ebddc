import type { Node } from "../../kube/client.ts";
import type { Reason } from "../../model/reason.ts";
import type { Offer, PoolUse } from "./allocations.ts";

/** Everything from which an IPAM plan is made. */
export interface IpamObserved {
  readonly node: Node;
  /** What is wrong with its pod ranges; empty if nothing is, or if it has none. */
  readonly problems: readonly Reason[];
  /** The cluster's ranges from which it has no block; empty while it has no pod ranges at all. */
  readonly lacking: readonly string[];
  /** What it can have; undefined if it has pod ranges or is being deleted. */
  readonly offer: Offer | undefined;
  /** How full the cluster's ranges were. */
  readonly pools: readonly PoolUse[];
}

/** The memory of a Node. */
export interface IpamMemory {
  /** Its pod ranges when the last run found nothing to report about them. */
  readonly settledRanges?: string | undefined;
}

export const NO_MEMORY: IpamMemory = {};
