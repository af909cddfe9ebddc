/** What the service loop reports of itself: upstream's metrics (spec/30 §8), then ours. */
export interface ServiceMetrics {
  /** One update of the members of one balancer, seconds. */
  observeMemberUpdate(seconds: number): void;
  countMemberUpdateFailed(): void;
  /** How long all balancers took to follow a change of nodes, seconds. */
  observeNodeSync(seconds: number): void;
  /** A write that brought a balancer back to what it should be, found by the periodic comparison. */
  countDriftCorrected(change: string): void;
}
