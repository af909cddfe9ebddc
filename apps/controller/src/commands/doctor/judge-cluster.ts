import { isIP } from "node:net";
import { formatDuration } from "@cloudwright/core/model/language/duration";
import { type Judged, ok, problem, unknown, warning } from "./finding.ts";

/** The API server's time, to the second, and this machine's clock before and after the request; milliseconds since the epoch. */
export interface ClockReading {
  readonly serverAt: number;
  readonly askedAt: number;
  readonly answeredAt: number;
}

const SECOND_MS = 1_000;
const NOTABLE_MS = 2_000;
const HARMFUL_MS = 30_000;

/** Judges whether this machine's clock and the API server's agree: certificates, tokens and the audit trail depend on it. */
export function judgeClock({ serverAt, askedAt, answeredAt }: ClockReading): Judged {
  // The server answered within the second that begins at `serverAt`, and between the two moments here.
  const ahead = Math.max(0, serverAt - answeredAt);
  const behind = Math.max(0, askedAt - (serverAt + SECOND_MS));
  const offMs = Math.max(ahead, behind);
  if (offMs < NOTABLE_MS) return ok("This machine's clock agrees with the API server's.");
  const says = `This machine's clock is ${ahead > 0 ? "behind" : "ahead of"} the API server's by at least ${formatDuration(offMs)}.`;
  const advice = "Synchronise both clocks (chrony, systemd-timesyncd).";
  return offMs < HARMFUL_MS ? warning(says, advice) : problem(says, advice);
}

export type NameLookup =
  | { readonly kind: "found"; readonly addresses: readonly string[] }
  | { readonly kind: "failed"; readonly why: string };

/**
 * Judges whether the API server's name can be resolved before there is a cluster DNS, whose pods wait for initialised nodes,
 * which wait for this controller.
 */
export function judgeServerName(host: string, lookup: NameLookup): Judged {
  if (isIP(host) !== 0 || host === "localhost") {
    return ok("The API server is reached by its address: no DNS is needed.");
  }
  if (/\.svc$|\.cluster\.local$/.test(host)) {
    return warning(
      `The API server is reached by the name ${host}, which only the cluster's own DNS knows.`,
      "Use its address or an outside name: cluster DNS runs on initialised nodes only, and they wait for this controller.",
    );
  }
  return lookup.kind === "found"
    ? ok(`${host} resolves to ${lookup.addresses.join(", ")}.`)
    : problem(
        `The API server's name ${host} cannot be resolved here (${lookup.why}).`,
        "Check the machine's DNS, or use an address in the kubeconfig.",
      );
}

export interface LeaseReading {
  /** Namespace and name: `kube-system/cloud-controller-manager`. */
  readonly place: string;
  readonly holder: string;
  /** Milliseconds since the epoch. */
  readonly renewedAt: number | undefined;
  readonly durationMs: number;
}

/** Judges who is the leader according to the Lease. */
export function judgeLease(lease: LeaseReading | undefined, place: string, nowMs: number): Judged {
  if (lease === undefined || lease.holder === "") {
    return ok(`Nobody holds the Lease ${place}: the first controller that starts will lead.`);
  }
  const { holder, renewedAt, durationMs } = lease;
  if (renewedAt === undefined) {
    return unknown(
      `The Lease ${place} is held by ${holder}, and does not say when it was renewed.`,
      "Check what writes this Lease.",
    );
  }
  const agoMs = Math.max(0, nowMs - renewedAt);
  const ago = `${formatDuration(agoMs)} ago`;
  return agoMs <= durationMs
    ? ok(`${holder} leads: it renewed the Lease ${place} ${ago}.`)
    : ok(
        `The last leader, ${holder}, renewed the Lease ${place} ${ago}: the next controller that starts takes over.`,
      );
}
