import { isProviderError } from "@cloudwright/provider-api";
import { reasonOfProviderError } from "../../cloud/calls/provider-reason.ts";
import type { Service } from "../../kube/client.ts";
import { objectName } from "../../model/object-ref.ts";
import type { Plan } from "../../model/plan.ts";
import { factsOf } from "../../model/reason.ts";
import type { Effect } from "../../reconcile/effects.ts";
import type {
  Announcement,
  Concluded,
  Conclusion,
  FailedAttempt,
} from "../../reconcile/reconciler.ts";
import { uidOf } from "../objects/object-meta.ts";
import { isCloudWrite, type ServiceChange } from "./changes.ts";
import { type Comparison, isCleared, leftBehind } from "./desired/compare.ts";
import {
  eventOfAction,
  eventOfAdoption,
  eventOfLeft,
  eventOn,
  memberUpdateFailed,
  newNotices,
  SERVICE_EVENTS,
} from "./events.ts";
import { healthCounts } from "./members/members.ts";
import {
  type HealthCounts,
  NO_MEMORY,
  type ServiceMemory,
  type Trouble,
  withRefusals,
} from "./memory.ts";
import { attemptsOf, isFailedUpdate, metricsOf } from "./metrics.ts";
import type { Observed, ServiceObserved } from "./observed.ts";
import { type ComparisonLimits, viewOfOrphan, viewOfService } from "./view.ts";

type Run = Concluded<Observed, ServiceChange, ServiceMemory, Service | undefined>;
type ServiceRun = Run & { readonly observed: ServiceObserved };

export function concludeServiceLoop(run: Run, limits: ComparisonLimits): Conclusion<ServiceMemory> {
  const { observed, memory } = run;
  const effects = metricsOf(run.result);
  if (observed.kind === "orphan") return { memory, effects, view: viewOfOrphan(observed) };
  return concludeService({ ...run, observed }, limits, effects);
}

function concludeService(
  run: ServiceRun,
  limits: ComparisonLimits,
  metrics: readonly Effect[],
): Conclusion<ServiceMemory> {
  const { observed, plan, result } = run;
  const { service, object } = observed;
  const learnt = learn(run);
  const settled = result.isDone
    ? settle({ ...run, memory: learnt })
    : { memory: learnt, effects: [] };
  const news = newNotices(observed, run.memory.announced);
  const effects = [
    ...metrics,
    ...news.events.map((event) => eventOn(object, event)),
    ...eventsOfWrites(run),
    ...observed.remains.filter(isCleared).map(eventOfCleared),
    ...settled.effects,
  ];
  const name = objectName(object);
  const { detail: known } = run.memory;
  const kept = known === undefined ? {} : { detail: known };
  if (service === undefined) {
    const view = { name, uid: object.uid ?? "", drift: "notChecked", ...kept } as const;
    return { memory: settled.memory, effects, view };
  }
  const shown = viewOfService(
    { observed, plan, result, service: afterWrites(run, service), memory: learnt },
    limits,
  );
  const view = { name, uid: uidOf(service), ...kept, ...shown };
  const { memory } = settled;
  const isOver = result.isDone && isNothingLeft(plan);
  return { memory: isOver ? memory : { ...memory, detail: view.detail }, effects, view };
}

/** Returns the Service as the last plan's writes left it. */
function afterWrites({ result: { applied, written } }: ServiceRun, service: Service): Service {
  const ofLastPlan = applied === 0 ? [] : written.slice(-applied);
  return ofLastPlan.findLast(({ answer }) => answer !== undefined)?.answer ?? service;
}

/** Returns what was observed, and what the writes revealed. */
function learn(run: ServiceRun): ServiceMemory {
  const { observed, result, memory } = run;
  const { written, failed, observedAt } = result;
  const isTried = [...written, ...failed].some(
    ({ change }) => isCloudWrite(change) && change.target.uid === observed.object.uid,
  );
  const lastWrite = written.findLast(({ change }) => isCloudWrite(change));
  const cleared = observed.remains.filter(isCleared).map(({ owner }) => owner.objectUid);
  const deleting = memory.announced.deleting.filter((uid) => !cleared.includes(uid));
  return {
    ...memory,
    mayHaveLoadBalancer: observed.mayHaveLoadBalancer || isTried,
    places: observed.places,
    lookedAt: observed.isFresh ? observedAt.nowMs : memory.lookedAt,
    refused: withRefusals(observed.refused, failed),
    followed: observed.service === undefined ? memory.followed : observed.set,
    health: healthSeen(observed) ?? memory.health,
    announced: {
      ...memory.announced,
      deleting,
      withoutMembers: isWithoutMembers(run) ?? memory.announced.withoutMembers,
      notices: newNotices(observed, memory.announced).notices,
    },
    trouble: troubleAfter(run),
    changedAt: lastWrite?.at ?? memory.changedAt,
    cleared,
  };
}

/** Undefined if the cloud was not asked. */
function healthSeen({ comparison }: ServiceObserved): HealthCounts | undefined {
  return comparison?.kind === "compared" ? healthCounts(comparison.plan.members) : undefined;
}

/** For a run that has updated the members, whether there were none; otherwise undefined. */
function isWithoutMembers({ observed, result }: ServiceRun): boolean | undefined {
  const hasUpdated = result.written.some(({ change }) => change.kind === "balancer.members");
  return hasUpdated ? wantedNodes(observed).length === 0 : undefined;
}

/** A plan that waits has its own time; only failures and what waits for a user count as trouble. */
function troubleAfter({ memory: { trouble }, plan, result }: ServiceRun): Trouble | undefined {
  const times = (trouble?.times ?? 0) + 1;
  if (result.applied < plan.changes.length) {
    const error = result.failed.findLast((one) => isProviderError(one.error))?.error;
    return { times, reason: isProviderError(error) ? reasonOfProviderError(error) : undefined };
  }
  // A later observation failed or found it gone: the plan no longer describes the present.
  if (!result.isDone || result.isGone) return trouble;
  const { kind, reason } = plan.next;
  return kind === "failed" || kind === "blocked" ? { times, reason } : undefined;
}

/** Everything in the plan was applied: reports a series of writes that has ended. */
function settle({ observed, plan, memory }: ServiceRun): Announcement<ServiceMemory> {
  const { object, desired } = observed;
  const { code } = plan.next.reason;
  if (isNothingLeft(plan)) {
    const { cleared } = memory;
    return { memory: cleared.length === 0 ? NO_MEMORY : { ...NO_MEMORY, cleared }, effects: [] };
  }
  if (factsOf(code).serves === undefined || plan.again === true || desired?.kind !== "spec") {
    return { memory, effects: [] };
  }
  const { announced } = memory;
  const { members } = desired.spec;
  const withoutMembers = members.length === 0;
  const events = [
    ...(withoutMembers && !announced.withoutMembers ? [SERVICE_EVENTS.unavailable] : []),
    ...(announced.ensuring ? [SERVICE_EVENTS.ensured] : []),
  ];
  return {
    memory: { ...memory, members, announced: { ...announced, withoutMembers, ensuring: false } },
    effects: events.map((event) => eventOn(object, event)),
  };
}

/** For a Service that must have no load balancer. */
function isNothingLeft({ next, again }: Plan<ServiceChange>): boolean {
  return next.reason.code === "ServiceUnwanted" && again === undefined;
}

function eventsOfWrites(run: ServiceRun): readonly Effect[] {
  return attemptsOf(run.result).flatMap((attempt) => {
    const { change } = attempt;
    const event = "error" in attempt ? eventOfFailure(run, attempt) : eventOfWrite(run, change);
    return event === undefined ? [] : [eventOn(change.target, event)];
  });
}

function eventOfWrite({ observed }: ServiceRun, change: ServiceChange) {
  if (change.kind === "service.finalizer.remove") return SERVICE_EVENTS.deleted;
  if (change.kind === "balancer.members") {
    const isWithout = wantedNodes(observed).length === 0;
    return isWithout ? SERVICE_EVENTS.unavailable : SERVICE_EVENTS.updated;
  }
  return isCloudWrite(change) ? eventOfAdoption(change) : eventOfAction(change);
}

function eventOfFailure({ observed }: ServiceRun, { change, error }: FailedAttempt<ServiceChange>) {
  if (!isFailedUpdate(change, error)) return undefined;
  return memberUpdateFailed(wantedNodes(observed), error);
}

function wantedNodes({ desired }: ServiceObserved): readonly string[] {
  return desired?.kind === "spec" ? desired.spec.members.map(({ nodeName }) => nodeName) : [];
}

/**
 * For a Service deleted without our finalizer: either nothing of ours is left, or a load balancer remains without
 * an owner.
 */
function eventOfCleared(comparison: Comparison): Effect {
  const { namespace, name, objectUid: uid } = comparison.owner;
  const left = leftBehind(comparison);
  const event = left === undefined ? SERVICE_EVENTS.deleted : eventOfLeft(left);
  return eventOn({ kind: "Service", namespace, name, uid }, event);
}
