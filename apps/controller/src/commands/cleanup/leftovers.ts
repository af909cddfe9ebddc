import type { LookupRun } from "@cloudwright/core/cloud/ports";
import { sleep } from "@cloudwright/core/kube/sleep";
import type { Clock } from "@cloudwright/core/model/time";
import {
  type CloudRoute,
  isProviderError,
  type LoadBalancerOwner,
  type LoadBalancerPlan,
  type LoadBalancers,
  type OwnedLoadBalancer,
  type ProviderErrorCode,
} from "@cloudwright/provider-api";
import { PlainError } from "../../plain-error.ts";
import type { CloudAccess } from "../../wiring/cloud/cloud-access.ts";

/** A resource in the cloud that carries a cluster's mark. */
export type Leftover =
  | { readonly kind: "loadBalancer"; readonly owned: OwnedLoadBalancer }
  | { readonly kind: "route"; readonly route: CloudRoute };

export interface LeftoversOptions {
  readonly cloud: CloudAccess;
  readonly clusterUid: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** The leftovers of one cluster, found by their marks alone, without the cluster or the ledger. */
export class Leftovers {
  readonly #options: LeftoversOptions;

  constructor(options: LeftoversOptions) {
    this.#options = options;
  }

  /** Lists all leftovers, load balancers first, because they keep ports and addresses in use. Throws ProviderError. */
  async list(): Promise<readonly Leftover[]> {
    const { cloud, clusterUid } = this.#options;
    const [owned, routes] = await Promise.all([
      cloud.balancers(clusterUid)?.for(this.#run()).owned("deletion") ?? [],
      cloud.routes?.for(this.#run()).list(FRESH),
    ]);
    const marked = routes?.routes.filter(({ owner }) => owner?.clusterUid === clusterUid) ?? [];
    return [
      ...owned.map((each): Leftover => ({ kind: "loadBalancer", owned: each })),
      ...marked.map((route): Leftover => ({ kind: "route", route })),
    ];
  }

  /**
   * Removes one leftover, and waits until the cloud has done it. Errors that may be temporary are retried until the signal
   * aborts. Throws ProviderError, and PlainError if the cloud refuses.
   */
  async remove(leftover: Leftover): Promise<void> {
    for (;;) {
      try {
        return leftover.kind === "loadBalancer"
          ? await this.#removeLoadBalancer(leftover.owned)
          : await this.#options.cloud.routes?.for(this.#run()).remove(leftover.route, "deletion");
      } catch (error) {
        if (!isProviderError(error) || !HEALS.has(error.code)) throw error;
        await this.#pause(error.call.retryAfterMs ?? RETRY_MS);
      }
    }
  }

  async #removeLoadBalancer(owned: OwnedLoadBalancer): Promise<void> {
    for (;;) {
      const plan = await this.#removeParts(owned);
      if (plan === undefined) return;
      if (plan.changes.length > 0) continue;
      if (plan.next.kind !== "inProgress") return refuseWhatStays(plan);
      await this.#pause(plan.next.dueMs);
    }
  }

  /** Makes the next changes of a removal; returns them with the next step. */
  async #removeParts({
    owner: mark,
    service,
  }: OwnedLoadBalancer): Promise<LoadBalancerPlan | undefined> {
    const { cloud, clusterUid } = this.#options;
    const { loadBalancers } = cloud.provider;
    const port = cloud.balancers(clusterUid)?.for(this.#run());
    if (loadBalancers === undefined || port === undefined) return undefined;
    const [namespace = "", name = ""] = service?.split("/") ?? [];
    const owner: LoadBalancerOwner = { ...mark, namespace, name, clusterName: "" };
    const seen = await port.observe(owner, FRESH);
    if (seen.kind === "failed") throw seen.error;
    const plan = await planRemoval(loadBalancers, owner, seen.observed);
    for (const change of plan.changes) await port.apply(owner, change, "deletion");
    return plan;
  }

  /** Pauses. Throws the signal's reason. */
  async #pause(ms: number): Promise<void> {
    const { clock, signal } = this.#options;
    await sleep(clock, ms, signal);
    signal.throwIfAborted();
  }

  #run(): LookupRun {
    const { clock, signal } = this.#options;
    return { startedAt: clock.now(), signal, step: () => {} };
  }
}

const FRESH = { maxAgeMs: 0, priority: "deletion" } as const;
const RETRY_MS = 2_000;
/** Errors that may go away with time or at another attempt. */
const HEALS: ReadonlySet<ProviderErrorCode> = new Set([
  "NotFound",
  "Throttled",
  "Conflict",
  "Unavailable",
  "TimedOut",
]);

async function planRemoval(
  loadBalancers: Pick<LoadBalancers, "plan">,
  owner: LoadBalancerOwner,
  observed: unknown,
): Promise<LoadBalancerPlan> {
  return await loadBalancers.plan({ owner, spec: undefined, observed, published: { ingress: [] } });
}

function refuseWhatStays({ next }: LoadBalancerPlan): void {
  if (next.kind === "broken") {
    throw new PlainError(`the cloud calls ${next.id} broken: ${next.message}`);
  }
  if (next.kind === "foreign") {
    throw new PlainError(`${next.id} belongs to ${next.owner}`);
  }
}

/** Describes a leftover: `load balancer lb-1 (web) of Service shop/web at 203.0.113.7`. */
export function leftoverText(leftover: Leftover): string {
  if (leftover.kind === "route") {
    const { id, destination, table, owner } = leftover.route;
    return `route ${id} to ${destination} in ${table}, of Node ${owner?.node ?? owner?.objectUid ?? "unknown"}`;
  }
  const { facts, owner, service } = leftover.owned;
  const { addresses, parts } = facts;
  const at = addresses.length === 0 ? "" : ` at ${addresses.join(", ")}`;
  const beside = parts.map(({ kind, id }) => `${kind} ${id}`).join(", ");
  return `load balancer ${facts.id} (${facts.name}) of Service ${service ?? owner.objectUid}${at}${beside === "" ? "" : `, with ${beside}`}`;
}
