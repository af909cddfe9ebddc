import type { BalancerOwner, LoadBalancers } from "@cloudwright/provider-api";
import type { Service } from "../../kube/client.ts";
import type { Informer } from "../../kube/informer/informer-port.ts";
import type { RunContext } from "../../reconcile/reconciler.ts";
import { type Comparison, compare, isCleared, isOfOtherController } from "./compare.ts";
import type { ObservePorts } from "./observe.ts";
import type { OrphanObserved } from "./observed.ts";
import type { Orphan } from "./orphans.ts";
import { refOfKey } from "./service-object.ts";
import { isCarriedOut } from "./wished.ts";

export interface ObserveOrphanPorts
  extends Pick<ObservePorts, "orphans" | "memories" | "clock" | "cluster" | "policy" | "provider"> {
  readonly loadBalancers: Pick<LoadBalancers, "plan">;
  /** Of the Services; declared with `SERVICE_INDEXES`. */
  readonly services: Pick<Informer<Service>, "byIndex">;
}

/** Indexes that the service loop needs of the service informer. */
export const SERVICES_BY_UID = "uid";
export const SERVICE_INDEXES: Readonly<Record<string, (service: Service) => readonly string[]>> = {
  [SERVICES_BY_UID]: ({ metadata }) => (metadata?.uid === undefined ? [] : [metadata.uid]),
};

/**
 * What the last listing said of an orphan. The cloud is asked only when it is to be removed, and then right before: its
 * mark is read again. Undefined when it is none any more.
 */
export async function observeOrphan(
  ports: ObserveOrphanPorts,
  id: string,
  run: RunContext,
): Promise<OrphanObserved | undefined> {
  const { orphans, memories, services, provider, policy } = ports;
  const orphan = orphans.get(id);
  if (orphan === undefined) return undefined;
  if (services.byIndex(SERVICES_BY_UID, orphan.owned.mark.objectUid).length > 0) {
    orphans.forget(id);
    return undefined;
  }
  const comparison = isToGo(ports, orphan, run) ? await look(ports, orphan, run) : undefined;
  if (comparison !== undefined && isCleared(comparison)) {
    orphans.forget(id);
    memories.forget(orphan.owned.mark.objectUid);
    return undefined;
  }
  if (comparison !== undefined && isOfOtherController(comparison, policy)) {
    orphans.forget(id);
    return undefined;
  }
  const isDone = isCarriedOut(run);
  return {
    kind: "orphan",
    orphan,
    provider,
    asked: run.asked,
    isCarriedOut: isDone,
    policy,
    comparison,
  };
}

function isToGo(
  { clock, policy }: ObserveOrphanPorts,
  { owned, firstSeenAt, isBeingRemoved }: Orphan,
  { asked }: RunContext,
): boolean {
  const wish = asked?.wish;
  const isAsked = wish?.kind === "remove-orphan" && wish.balancer === owned.facts.id;
  const isOver = policy.graceMs > 0 && clock.now() >= firstSeenAt + policy.graceMs;
  return isAsked || isBeingRemoved || isOver;
}

async function look(
  { cluster, loadBalancers, policy }: ObserveOrphanPorts,
  { owned }: Orphan,
  run: RunContext,
): Promise<Comparison> {
  const { objectUid } = owned.mark;
  const { namespace = "", name } = refOfKey(owned.service ?? "/");
  const owner: BalancerOwner = { ...cluster, objectUid, namespace, name };
  // What this run has done itself it knows; all else is read anew.
  const maxAgeMs = isCarriedOut(run) ? policy.driftPeriodMs : 0;
  const priority = run.priority === "person" ? "person" : "deletion";
  const observation = await run.balancers.observe(owner, { maxAgeMs, priority });
  return compare(loadBalancers, { owner, observation, spec: undefined });
}
