import type { Service } from "../../kube/client.ts";
import type { Plan } from "../../model/plan.ts";
import { factsOf, type Reason } from "../../model/reason.ts";
import { eventMessage } from "../../model/sentence.ts";
import { STUCK_AFTER } from "../../model/state.ts";
import { conditionWrite, isCloudWrite, type ServiceChange } from "./changes.ts";
import type { Trouble } from "./memory.ts";
import type { ServiceObserved } from "./observed.ts";
import {
  conditionOf,
  goesWithUs,
  publishedBy,
  type ReadyCondition,
  type WantedReady,
} from "./service-object.ts";

/** The message for a Service that is served. Other details, such as the number of nodes, change without a write. */
const SERVED_MESSAGE = "The load balancer is as the Service asks.";

/** Returns the condition's message beside its status and reason. */
export function conditionMessage({ status }: WantedReady, reason: Reason): string {
  return status === "True" ? SERVED_MESSAGE : eventMessage(reason);
}

/**
 * Returns the plan with what the Service's condition has to report (spec/30 SW-18), in as few writes as possible: *True* is
 * written together with an address or replaces a *False*, and a failure is reported once it has happened several times in a
 * row.
 */
export function withCondition(
  observed: ServiceObserved,
  service: Service,
  plan: Plan<ServiceChange>,
): Plan<ServiceChange> {
  const { purpose } = observed;
  if (purpose.kind !== "serve" && isOver(plan)) {
    // The controller that serves its class may report in the same condition.
    const isLeft = purpose.why === "class" && !isOutdated(service);
    return isLeft ? plan : withoutCondition(service, plan);
  }
  const wanted = wantedBy(observed, service, plan);
  return wanted === undefined ? plan : withWanted(service, plan, wanted);
}

/** The API server removes the address together with the type, but not the condition that came with the address. */
function isOutdated(service: Service): boolean {
  return isReady(service) && publishedBy(service).ingress.length === 0;
}

/** Reports whether nothing of a load balancer is left, or ever existed. */
function isOver({ changes, next }: Plan<ServiceChange>): boolean {
  return next.kind === "settled" && !changes.some(isCloudWrite);
}

/** For a Service that will be gone with our finalizer, nothing has to be removed. */
function withoutCondition(service: Service, plan: Plan<ServiceChange>): Plan<ServiceChange> {
  if (conditionOf(service) === null || goesWithUs(service)) return plan;
  const removal = conditionWrite(service, null, plan.next.reason);
  return { ...plan, changes: [removal, ...plan.changes] };
}

interface Wanted {
  readonly condition: WantedReady;
  readonly reason: Reason;
}

function wantedBy(
  observed: ServiceObserved,
  service: Service,
  plan: Plan<ServiceChange>,
): Wanted | undefined {
  const { comparison, trouble, requested } = observed;
  const { next } = plan;
  // The plan shown to a user must not change only because of one more failure meanwhile.
  if (plan.again === true) return requested === undefined ? failing(trouble, 0) : undefined;
  switch (next.kind) {
    case "blocked":
      return notReady(next.reason);
    case "failed": {
      const { reason } = next;
      const isUnseen = comparison?.kind === "failed" && isReady(service);
      return isUnseen ? undefined : failing({ reason, times: trouble?.times ?? 0 }, 1);
    }
    case "waiting":
      return provisioning(service, next.reason) ?? publishing(observed, service, plan);
    case "settled":
      return settled(observed, service, plan);
  }
}

function isReady(service: Service): boolean {
  return conditionOf(service)?.status === "True";
}

function failing(trouble: Trouble | undefined, more: number): Wanted | undefined {
  if (trouble?.reason === undefined || trouble.times + more < STUCK_AFTER.failures)
    return undefined;
  return notReady(trouble.reason);
}

/** A previous problem is being worked on now; a load balancer that serves keeps serving while it is changed. */
function provisioning(service: Service, reason: Reason): Wanted | undefined {
  const isReported = conditionOf(service)?.status === "False";
  return isReported && factsOf(reason.code).isCloudAtWork === true ? notReady(reason) : undefined;
}

/** Later there may be no other write to set it with. */
function publishing(
  observed: ServiceObserved,
  service: Service,
  plan: Plan<ServiceChange>,
): Wanted | undefined {
  const isFirst = conditionOf(service) === null && isPublishing(plan);
  if (!isFirst || isWithoutMembers(observed)) return undefined;
  return { condition: { status: "True", reason: "BalancerInStep" }, reason: plan.next.reason };
}

function isPublishing({ changes }: Plan<ServiceChange>): boolean {
  return changes.some(({ kind }) => kind === "service.status.write");
}

function isWithoutMembers({ desired }: ServiceObserved): boolean {
  return desired?.kind === "spec" && desired.spec.members.length === 0;
}

function settled(
  observed: ServiceObserved,
  service: Service,
  plan: Plan<ServiceChange>,
): Wanted | undefined {
  const { reason } = plan.next;
  const { serves } = factsOf(reason.code);
  if (serves === undefined) return undefined;
  if (serves === "nothing" || isWithoutMembers(observed)) return notReady(reason);
  if (conditionOf(service) === null && !isPublishing(plan)) return undefined;
  return { condition: { status: "True", reason: "BalancerInStep" }, reason };
}

function notReady(reason: Reason): Wanted {
  return { condition: { status: "False", reason: reason.code }, reason };
}

function withWanted(
  service: Service,
  plan: Plan<ServiceChange>,
  { condition, reason }: Wanted,
): Plan<ServiceChange> {
  if (isSame(conditionOf(service), condition)) return plan;
  const { changes } = plan;
  const address = changes.findIndex(({ kind }) => kind === "service.status.write");
  // Written with the address if possible, otherwise first, as what follows may fail.
  if (address === -1 || condition.status === "False") {
    return { ...plan, changes: [conditionWrite(service, condition, reason), ...changes] };
  }
  return {
    ...plan,
    changes: changes.map((change) => {
      if (change.kind !== "service.status.write") return change;
      const { ingress, annotations } = change.after;
      const named = annotations === undefined ? {} : { annotations };
      return { ...change, after: { ingress, ...named, condition } };
    }),
  };
}

/** Compares neither message nor time. */
function isSame(before: ReadyCondition, wanted: WantedReady): boolean {
  return before?.status === wanted.status && before.reason === wanted.reason;
}
