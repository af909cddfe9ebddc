import type { ReasonOf } from "@cloudwright/core/model/reason";

/** What waits for consent: a load balancer that may be a Service's, or a route that may be a Node's. */
export interface WaitingAdoption {
  readonly kind: "Service" | "Node";
  /** `namespace/name` of a Service. */
  readonly name: string;
  readonly uid: string;
  readonly reason:
    | ReasonOf<"BalancerUnowned">
    | ReasonOf<"BalancerStands">
    | ReasonOf<"RouteUnowned">;
  /** Since when the object is in its state, milliseconds since the epoch. */
  readonly since: number;
}

/** A load balancer that was adopted, newest first. */
export interface DoneAdoption {
  readonly service: string;
  /** The cloud's id of the load balancer. */
  readonly id: string;
  readonly by: string;
  readonly why: string;
  readonly at: number;
  readonly runId: string | undefined;
}

export interface TakeoverView {
  readonly waiting: readonly WaitingAdoption[];
  readonly adopted: readonly DoneAdoption[];
  readonly counts: {
    readonly waiting: number;
    readonly adopted: number;
    /** Nodes that have a route which two proofs and no mark show to be theirs. */
    readonly nodesByProofs: number;
    /** Nodes that have a route which `--adopt=report` leaves as it is. */
    readonly nodesReported: number;
  };
}
