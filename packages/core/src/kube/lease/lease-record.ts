import type { Lease } from "../client.ts";

export interface LeaseClaim {
  readonly namespace: string;
  readonly name: string;
  readonly identity: string;
  readonly leaseDurationMs: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The transitions of the last Lease, in case it was deleted meanwhile. */
  readonly knownTransitions: number;
}

export function holderOf(lease: Lease | undefined): string {
  return lease?.spec?.holderIdentity ?? "";
}

/** Returns the content of a Lease that shows whether its holder is alive: as long as it changes, the holder is. */
export function contentOf(lease: Lease): string {
  const { holderIdentity, leaseDurationSeconds, acquireTime, renewTime, leaseTransitions } =
    lease.spec ?? {};
  return JSON.stringify([
    holderIdentity,
    leaseDurationSeconds,
    acquireTime,
    renewTime,
    leaseTransitions,
  ]);
}

/**
 * Returns the Lease with us as its holder. Taking it from another holder counts as a transition, renewing it does not.
 * A deleted Lease keeps its count, so that a later term always has a higher number (upstream starts again at 0).
 */
export function claimedLease(current: Lease | undefined, claim: LeaseClaim): Lease {
  const { namespace, name, identity } = claim;
  const isRenewal = holderOf(current) === identity;
  const time = microTime(claim.now);
  const transitions = current?.spec?.leaseTransitions ?? claim.knownTransitions;
  const acquireTime = isRenewal ? (current?.spec?.acquireTime ?? time) : time;
  return {
    ...current,
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: { ...current?.metadata, namespace, name },
    spec: {
      ...current?.spec,
      holderIdentity: identity,
      // Rounded up: a process that waited a fraction of a second less than we believe to lead would
      // lead at the same time.
      leaseDurationSeconds: Math.ceil(claim.leaseDurationMs / 1_000),
      acquireTime,
      renewTime: time,
      leaseTransitions: current === undefined || isRenewal ? transitions : transitions + 1,
    },
  };
}

/** Returns the released Lease: free at once, and short in case somebody reads only its duration. */
export function releasedLease(current: Lease, now: number): Lease {
  const time = microTime(now);
  return {
    ...current,
    spec: {
      ...current.spec,
      holderIdentity: "",
      leaseDurationSeconds: 1,
      acquireTime: time,
      renewTime: time,
    },
  };
}

/** Returns RFC 3339 with six digits, the API's MicroTime. */
function microTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 23)}000Z`;
}
