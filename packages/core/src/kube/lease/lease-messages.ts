import type { HandedAccess } from "../access/handed-access.ts";
import type { KubeCallReport } from "../calls/call.ts";
import type { NameLookup } from "../calls/kube-client.ts";
import type { EventTarget, EventText } from "../events/event-object.ts";
import type { ElectionOptions, Renewal, StoppedReason, Term } from "./election.ts";

/** The data with which the thread that renews a Lease is started. */
export interface LeaseThreadData
  extends Pick<ElectionOptions, "namespace" | "name" | "identity" | "timings"> {
  /** The buffer of a TermMemory. */
  readonly memory: SharedArrayBuffer;
}

/** The thread's access to the cluster, by connections of its own. */
export interface LeaseThreadAccess {
  readonly kubeconfig: string;
  readonly master: string;
  readonly userAgent: string;
  /** What the starting thread already knows; without it the kubeconfig is read first. */
  readonly handed?: HandedAccess | undefined;
}

/** The thread's reports, in order. */
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
  /** It has done what `stop` requested. */
  | { readonly kind: "over" };

/** The only request to the thread: to release the Lease. */
export interface LeaseRequest {
  readonly kind: "stop";
}
