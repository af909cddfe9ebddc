import type { HandedAccess } from "../access/handed-access.ts";
import type { KubeCallReport } from "../calls/call.ts";
import type { NameLookup } from "../calls/kube-client.ts";
import type { EventTarget, EventText } from "../events/event-object.ts";
import type { ElectionOptions, Renewal, StoppedReason, Term } from "./election.ts";

/** What the thread that renews a Lease is started with. */
export interface LeaseThreadData
  extends Pick<ElectionOptions, "namespace" | "name" | "identity" | "timings"> {
  /** Of a TermMemory. */
  readonly memory: SharedArrayBuffer;
}

/** How it reaches the cluster, by connections of its own. */
export interface LeaseThreadAccess {
  readonly kubeconfig: string;
  readonly master: string;
  readonly userAgent: string;
  /** What the thread that starts it knows already; without it the kubeconfig is read before anything else. */
  readonly handed?: HandedAccess | undefined;
}

/** What it reports, in the order in which it happens. */
export type LeaseReport =
  | { readonly kind: "started"; readonly term: Term }
  | { readonly kind: "stopped"; readonly reason: StoppedReason }
  | { readonly kind: "holder"; readonly identity: string }
  | { readonly kind: "failed"; readonly error: string }
  | { readonly kind: "slowPath" }
  | { readonly kind: "renewed"; readonly renewal: Renewal }
  | { readonly kind: "event"; readonly object: EventTarget; readonly text: EventText }
  | { readonly kind: "called"; readonly call: KubeCallReport }
  | { readonly kind: "lookedUp"; readonly lookup: NameLookup }
  /** It has done what it was asked by `stop`. */
  | { readonly kind: "over" };

/** All that it can be asked for: to give the Lease back. */
export interface LeaseRequest {
  readonly kind: "stop";
}
