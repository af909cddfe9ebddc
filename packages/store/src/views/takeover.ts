import type { IntentState } from "@cloudwright/core/model/actions/intent";
import type { AdoptionReason } from "@cloudwright/core/model/reasons/adoption-refusal";
import type { Unread } from "./unread.ts";

/** What waits for consent: a load balancer that may be a Service's, or a route that may be a Node's. */
export interface WaitingAdoption {
  readonly kind: "Service" | "Node";
  /** `namespace/name` of a Service. */
  readonly name: string;
  readonly uid: string;
  readonly reason: AdoptionReason;
  /** Since when the object is in its state, milliseconds since the epoch. */
  readonly since: number;
}

/** The same with what the page shows of it. */
export interface WaitingRow extends WaitingAdoption {
  /** Why consent alone is not enough, as a sentence. */
  readonly refusal: string | undefined;
  /** Its adoption that is requested already and has not ended. */
  readonly open: OpenAdoption | undefined;
}

export interface OpenAdoption {
  readonly id: string;
  readonly actor: string;
  readonly state: IntentState;
}

/** By what it was adopted: two proofs, a user's consent, or the flag `--adopt-consent`. */
export type AdoptedBy = "proofs" | "consent" | "flag";

/** What was adopted: a load balancer of a Service, or a route of a Node by consent. */
export interface DoneAdoption {
  readonly kind: "Service" | "Node";
  /** `namespace/name` of a Service. */
  readonly name: string;
  /** The cloud's id of the load balancer or route. */
  readonly id: string;
  readonly by: AdoptedBy;
  /** Who gave consent, else the controller. */
  readonly actor: string;
  readonly why: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly runId: string | undefined;
}

/** A Node with routes that have no mark and are known to be its own by two proofs: kept as they are, or only reported. */
export interface ProvenRoutes {
  readonly name: string;
  readonly uid: string;
  readonly routes: readonly { readonly id: string; readonly destination: string }[];
  /** When the cloud was last seen to have them, milliseconds since the epoch. */
  readonly asOf: number | undefined;
  readonly runId: string;
}

/** How many objects wait for consent, by the load balancer or route that they wait for. */
export interface WaitingCounts {
  readonly balancers: number;
  readonly routes: number;
}

/** What the page can do without: whose adoption is under way, what was adopted, and what is only reported. */
export const TAKEOVER_PARTS = ["open", "adopted", "reported"] as const;
export type TakeoverPart = (typeof TAKEOVER_PARTS)[number];

/** Lists of at most 500 each, with the counts of all. */
export interface TakeoverView extends Unread<TakeoverPart> {
  /** Services first, each kind by name. */
  readonly waiting: readonly WaitingRow[];
  /** Newest first. */
  readonly adopted: readonly DoneAdoption[];
  /** Nodes whose routes two proofs show to be theirs; by name. */
  readonly proven: readonly ProvenRoutes[];
  /** Nodes with routes that `--adopt=report` leaves as they are; by name. */
  readonly reported: readonly ProvenRoutes[];
  readonly counts: {
    readonly waiting: WaitingCounts;
    readonly adopted: Readonly<Record<AdoptedBy, number>>;
    readonly proven: number;
    readonly reported: number;
  };
}
