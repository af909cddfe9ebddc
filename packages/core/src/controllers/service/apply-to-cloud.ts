import { isProviderError, type ProviderError } from "@cloudwright/provider-api";
import { reasonOfProviderError } from "../../cloud/calls/provider-reason.ts";
import type { Clock } from "../../model/time.ts";
import { LookAgain } from "../../reconcile/look-again.ts";
import type { RunContext } from "../../reconcile/reconciler.ts";
import type { Events } from "../objects/node-events.ts";
import type { CloudWrite } from "./changes.ts";
import type { Observed } from "./observed.ts";
import {
  eventBefore,
  eventOfAdoption,
  eventTarget,
  isRemoval,
  memberUpdateFailed,
  SERVICE_EVENTS,
  warningBefore,
} from "./service-events.ts";
import type { ServiceMemories, ServiceMemory } from "./service-memory.ts";
import type { ServiceMetrics } from "./service-metrics.ts";

export interface CloudPorts {
  readonly events: Events;
  readonly metrics: ServiceMetrics;
  readonly memories: ServiceMemories;
  readonly clock: Clock;
}

/**
 * Makes one write to the cloud. Throws ProviderError; LookAgain when the failure has taught something: which member is
 * refused, that the balancer is gone, or that an update of members alone will not do (spec/30 §5).
 */
export async function applyToCloud(
  ports: CloudPorts,
  { change, observed }: { readonly change: CloudWrite; readonly observed: Observed },
  run: RunContext,
): Promise<void> {
  const { owner, change: cloudChange } = change.cloud.value;
  const memory = ports.memories.of(owner.objectUid);
  const tell = teller(ports, change);
  tell(warningBefore(change));
  tell(eventBefore(change, memory));
  memory.mayHaveBalancer = true;
  ports.memories.undone(owner.objectUid);
  const startedAt = ports.clock.monotonic();
  try {
    await run.balancers.apply(owner, cloudChange, priorityOf(change, run));
    memory.changedAt = ports.clock.now();
    if (run.trigger.kind === "period") ports.metrics.countDriftCorrected(change.kind);
    if (change.kind === "balancer.members") tell(eventOfMembers(observed, memory));
    tell(eventOfAdoption(change));
  } catch (error) {
    if (isProviderError(error)) {
      memory.failedCall = { reason: reasonOfProviderError(error), runId: run.runId };
    }
    throw lessonOf({ ports, change, observed, memory, tell }, error);
  } finally {
    countMembers(ports, change, startedAt);
  }
}

/** New balancers go before old ones that are removed; a person goes before both. */
function priorityOf(change: CloudWrite, { priority }: RunContext): RunContext["priority"] {
  return isRemoval(change) && priority === "new" ? "deletion" : priority;
}

type Tell = (event: Parameters<Events["event"]>[1] | undefined) => void;

/** An orphan is no object of the cluster, and has no Events. */
function teller({ events }: CloudPorts, { target }: CloudWrite): Tell {
  return (event) => {
    if (event !== undefined && target.kind === "Service") events.event(eventTarget(target), event);
  };
}

function eventOfMembers(observed: Observed, { told }: ServiceMemory) {
  told.withoutMembers = wantedNodes(observed).length === 0;
  return told.withoutMembers ? SERVICE_EVENTS.unavailable : SERVICE_EVENTS.updated;
}

function wantedNodes(observed: Observed): readonly string[] {
  if (observed.kind === "orphan" || observed.desired?.kind !== "spec") return [];
  return observed.desired.spec.members.map(({ nodeName }) => nodeName);
}

interface FailedCloudWrite {
  readonly ports: CloudPorts;
  readonly change: CloudWrite;
  readonly observed: Observed;
  readonly memory: ServiceMemory;
  readonly tell: Tell;
}

function lessonOf({ ports, change, observed, memory, tell }: FailedCloudWrite, error: unknown) {
  // One that is busy is looked at again by the loop, and is no failure.
  if (!isProviderError(error) || error.code === "Conflict") return error;
  const { member } = error.call;
  if (error.code === "Invalid" && member !== undefined) {
    memory.refused.set(member, { message: error.message, at: ports.clock.now() });
    return new LookAgain(`member ${member}`, error);
  }
  if (change.kind === "balancer.members") {
    ports.metrics.countMemberUpdateFailed();
    tell(memberUpdateFailed(wantedNodes(observed), error));
    return maySendMore(error) ? new LookAgain("the update of members", error) : error;
  }
  return error.code === "NotFound" ? new LookAgain("a part that is gone", error) : error;
}

/** Who is asked to wait, or is refused altogether, sends no more now. */
function maySendMore({ code, call }: ProviderError): boolean {
  return code !== "Throttled" && code !== "Unauthorized" && (call.retryAfterMs ?? 0) === 0;
}

function countMembers(
  { metrics, clock }: CloudPorts,
  { kind }: CloudWrite,
  startedAt: number,
): void {
  if (kind !== "balancer.members") return;
  metrics.observeMemberUpdate((clock.monotonic() - startedAt) / 1_000);
}
