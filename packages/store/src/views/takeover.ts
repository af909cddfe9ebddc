import type { IntentState } from "@cloudwright/core/model/actions/intent";
import type { AdoptionReason } from "@cloudwright/core/model/reasons/adoption-refusal";
import type { Unread } from "./unread.ts";

/** An object that waits for consent: for a load balancer that may be a Service's, or a route that may be a Node's. */
export interface WaitingAdoption {
  readonly kind: "Service" | "Node";
  /** `namespace/name` of a Service. */
  readonly name: string;
  readonly uid: string;
  readonly reason: AdoptionReason;
  /** Since when the object is in its state, milliseconds since the epoch. */
  readonly since: number;
}

/** The same with the page's other fields. */
export interface WaitingRow extends WaitingAdoption {
  /** Why consent alone is not enough, as a sentence. */
  readonly refusal: string | undefined;
  /** Its requested adoption that has not ended. */
  readonly open: OpenAdoption | undefined;
}

export interface OpenAdoption {
  readonly id: string;
  readonly actor: string;
  readonly state: IntentState;
}

/** The basis of an adoption: two proofs, a user's consent, or the flag `--adopt-consent`. */
export type AdoptedBy = "proofs" | "consent" | "flag";

/** An adopted load balancer of a Service, or route of a Node adopted by consent. */
export interface DoneAdoption {
  readonly kind: "Service" | "Node";
  /** `namespace/name` of a Service. */
  readonly name: string;
  /** The cloud's id of the load balancer or route. */
  readonly id: string;
  readonly by: AdoptedBy;
  /** The user who gave consent, else the controller. */
  readonly actor: string;
  readonly why: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly runId: string | undefined;
}

/** A Node with unowned routes that two proofs show to be its own: they are kept unchanged, or only reported. */
export interface ProvenRoutes {
  readonly name: string;
  readonly uid: string;
  readonly routes: readonly { readonly id: string; readonly destination: string }[];
  /** When the cloud was last observed to have them, milliseconds since the epoch. */
  readonly asOf: number | undefined;
  readonly runId: string;
}

/** How many objects wait for consent to adopt a load balancer or a route. */
export interface WaitingCounts {
  readonly balancers: number;
  readonly routes: number;
}

/** The optional parts of the page: pending adoptions, what was adopted, and what is only reported. */
export const TAKEOVER_PARTS = ["open", "adopted", "reported"] as const;
export type TakeoverPart = (typeof TAKEOVER_PARTS)[number];

/** Lists of at most 500 each, with the counts of all. */
export interface TakeoverView extends Unread<TakeoverPart> {
  /** Services first, each kind by name. */
  readonly waiting: readonly WaitingRow[];
  /** Newest first. */
  readonly adopted: readonly DoneAdoption[];
  /** Nodes with routes that two proofs show to be theirs; by name. */
  readonly proven: readonly ProvenRoutes[];
  /** Nodes with routes that `--adopt=report` leaves unchanged; by name. */
  readonly reported: readonly ProvenRoutes[];
  readonly counts: {
    readonly waiting: WaitingCounts;
    readonly adopted: Readonly<Record<AdoptedBy, number>>;
    readonly proven: number;
    readonly reported: number;
  };
}
