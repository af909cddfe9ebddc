import type { Node } from "../../kube/client.ts";
import type { Reason } from "../../model/reason.ts";
import type { Offer, PoolUse } from "./allocations.ts";

/** Everything that an IPAM plan is made of. */
export interface IpamObserved {
  readonly node: Node;
  /** What is wrong with the pod ranges that it has; empty when nothing is, or it has none. */
  readonly problems: readonly Reason[];
  /** The cluster's ranges of which it has no part; empty while it has nothing at all. */
  readonly lacking: readonly string[];
  /** What it can have; undefined when it has pod ranges or is being deleted. */
  readonly offer: Offer | undefined;
  /** How full the cluster's ranges were. */
  readonly pools: readonly PoolUse[];
}

/** What is remembered of a Node. */
export interface IpamMemory {
  /** Its pod ranges when the last run left it with nothing to say about them. */
  readonly settledRanges?: string | undefined;
}

export const NO_MEMORY: IpamMemory = {};
