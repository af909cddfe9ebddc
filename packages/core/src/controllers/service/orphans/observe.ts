import type { LoadBalancerOwner, LoadBalancers } from "@cloudwright/provider-api";
import type { Service } from "../../../kube/client.ts";
import type { Informer } from "../../../kube/informer/informer-port.ts";
import { type Comparison, compare, isCleared, isOfOtherController } from "../desired/compare.ts";
import type { ObservePorts } from "../observe.ts";
import { isCarriedOut, type OrphanObserved, type ServiceContext } from "../observed.ts";
import { refOfKey } from "../service-object.ts";
import type { Orphan } from "./orphans.ts";

export interface ObserveOrphanPorts
  extends Pick<ObservePorts, "orphans" | "cluster" | "directory" | "policy" | "provider"> {
  readonly loadBalancers: Pick<LoadBalancers, "plan">;
  /** The Service informer, created with `SERVICE_INDEXES`. */
  readonly services: Pick<Informer<Service>, "byIndex">;
}

/** Indexes that the service loop needs of the service informer. */
export const SERVICES_BY_UID = "uid";
export const SERVICE_INDEXES: Readonly<Record<string, (service: Service) => readonly string[]>> = {
  [SERVICES_BY_UID]: ({ metadata }) => (metadata?.uid === undefined ? [] : [metadata.uid]),
};

/**
 * Returns what the last listing said of an orphan. Only if it is to be removed is the cloud asked, right before that:
 * its mark is read again. Undefined if it is no longer an orphan.
 */
export async function observeOrphan(
  ports: ObserveOrphanPorts,
  id: string,
  run: ServiceContext,
): Promise<OrphanObserved | undefined> {
  const { orphans, services, provider, policy } = ports;
  const orphan = orphans.get(id);
  if (orphan === undefined) return undefined;
  if (services.byIndex(SERVICES_BY_UID, orphan.owned.owner.objectUid).length > 0) return undefined;
  const comparison = isToGo(ports, orphan, run) ? await observe(ports, orphan, run) : undefined;
  if (comparison !== undefined && isNoneOfOurs(comparison, policy)) return undefined;
  return {
    kind: "orphan",
    orphan,
    provider,
    requested: run.requested,
    isCarriedOut: isCarriedOut(run),
    policy,
    comparison,
  };
}

/** Nothing of it is left, or another controller of this cluster owns it. */
function isNoneOfOurs(comparison: Comparison, policy: ObserveOrphanPorts["policy"]): boolean {
  return isCleared(comparison) || isOfOtherController(comparison, policy);
}

function isToGo(
  { policy }: ObserveOrphanPorts,
  { owned, firstSeenAt }: Orphan,
  { requested, memory, nowMs }: ServiceContext,
): boolean {
  const action = requested?.action;
  const isRequested = action?.kind === "remove-orphan" && action.balancer === owned.facts.id;
  const isOver = policy.graceMs > 0 && nowMs >= firstSeenAt + policy.graceMs;
  return isRequested || memory.isBeingRemoved || isOver;
}

async function observe(
  { cluster, loadBalancers, directory, policy }: ObserveOrphanPorts,
  { owned }: Orphan,
  run: ServiceContext,
): Promise<Comparison> {
  const { objectUid } = owned.owner;
  const { namespace = "", name } = refOfKey(owned.service ?? "/");
  const owner: LoadBalancerOwner = { ...cluster, objectUid, namespace, name };
  // The results of this run's own writes are known; everything else is read again.
  const maxAgeMs = isCarriedOut(run) ? policy.driftPeriodMs : 0;
  const priority = run.priority === "person" ? "person" : "deletion";
  const observation = await run.cloud(directory).observe(owner, { maxAgeMs, priority });
  return await compare(loadBalancers, { owner, observation, spec: undefined });
}
