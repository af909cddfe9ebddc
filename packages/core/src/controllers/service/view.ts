import type { LoadBalancerAbilities, LoadBalancerPlan } from "@cloudwright/provider-api";
import type { Service } from "../../kube/client.ts";
import type { Plan } from "../../model/plan.ts";
import { holdIn } from "../../model/reason.ts";
import type { LoadBalancerDetail, OrphanDetail } from "../../model/records/load-balancer-record.ts";
import type { Drift } from "../../model/state.ts";
import type { Projection, RunResult } from "../../reconcile/reconciler.ts";
import { createdAtOf } from "../objects/object-meta.ts";
import { isCloudWrite, type ServiceChange } from "./changes.ts";
import { memberVerdicts } from "./members/members.ts";
import type { ServiceMemory } from "./memory.ts";
import type { OrphanObserved, ServiceObserved } from "./observed.ts";
import { removeAtOf } from "./orphans/plan.ts";
import { planByPurpose } from "./plan-unrequested.ts";
import { publishedBy } from "./service-object.ts";

export interface ServiceShown {
  readonly observed: ServiceObserved;
  readonly plan: Plan<ServiceChange>;
  readonly result: Pick<RunResult, "applied">;
  /** The Service after the run's writes. */
  readonly service: Service;
  readonly memory: Pick<ServiceMemory, "lookedAt" | "changedAt">;
}

/** What a comparison does not cover, as the provider says. */
export type ComparisonLimits = Pick<LoadBalancerAbilities, "ignoredFields" | "unseen">;

/** Returns what the pages show of a Service, including its load balancer only if the cloud could be compared. */
export function viewOfService(
  run: ServiceShown,
  limits: ComparisonLimits,
): Pick<Projection, "drift" | "createdAt" | "detail"> {
  const { comparison } = run.observed;
  const createdAt = createdAtOf(run.service);
  if (comparison === undefined || comparison.kind === "failed") {
    return { drift: "notChecked", createdAt };
  }
  return { drift: driftOf(run), createdAt, detail: detailOf(run, comparison.plan, limits) };
}

/** For a held Service, what would be done if it were not held. */
function driftOf({ observed, plan, result, service }: ServiceShown): Drift {
  if (plan.next.kind === "blocked" || observed.purpose.kind !== "serve") return "notChecked";
  const isHeld = holdIn(plan.next.reason) !== undefined;
  const left = isHeld
    ? planByPurpose(observed, service).changes
    : plan.changes.slice(result.applied);
  const isLacking = observed.set.members.some(({ providerID }) => observed.refused.has(providerID));
  return isLacking || left.some(isDifference) ? "drifted" : "inStep";
}

function isDifference(change: ServiceChange): boolean {
  return isCloudWrite(change) || change.kind === "service.status.write";
}

function detailOf(
  { observed, service, memory: { lookedAt, changedAt } }: ServiceShown,
  plan: LoadBalancerPlan,
  { ignoredFields, unseen }: ComparisonLimits,
): LoadBalancerDetail {
  const refused = new Map(
    [...observed.refused].map(([providerID, { message }]) => [
      providerID,
      { message, isWithoutMachine: observed.withoutMachine.has(providerID) },
    ]),
  );
  const isServed = observed.purpose.kind === "serve";
  const verdicts = memberVerdicts(observed.set, plan.members, refused);
  // Behind a load balancer that is removed no node is awaited any more.
  const members = isServed ? verdicts : verdicts.filter(({ verdict }) => verdict !== "soon");
  return {
    kind: "balancer",
    ...(plan.actual === undefined ? {} : { actual: plan.actual }),
    aspects: plan.aspects,
    ignored: ignoredFields,
    ...(unseen === undefined ? {} : { unseen }),
    members,
    membersIn: members.filter(({ verdict }) => verdict === "in").length,
    membersWanted: isServed ? observed.set.members.length : 0,
    published: publishedBy(service).ingress.map(({ ip, hostname }) => ({
      ...(ip === undefined ? {} : { ip }),
      ...(hostname === undefined ? {} : { hostname }),
    })),
    ports: (service.spec?.ports ?? []).map(({ name, protocol, port, nodePort }) => ({
      name: name ?? "",
      protocol: protocol ?? "TCP",
      port,
      nodePort: nodePort ?? 0,
    })),
    ...(lookedAt === undefined ? {} : { asOf: lookedAt }),
    ...(changedAt === undefined ? {} : { changedAt }),
  };
}

export function viewOfOrphan(observed: OrphanObserved): Projection {
  const { owned, firstSeenAt } = observed.orphan;
  const { id } = owned.facts;
  const removeAt = removeAtOf(observed);
  const detail: OrphanDetail = {
    kind: "orphan",
    actual: owned.facts,
    serviceUid: owned.owner.objectUid,
    ...(owned.service === undefined ? {} : { service: owned.service }),
    ...(owned.costHint === undefined ? {} : { costHint: owned.costHint }),
    firstSeenAt,
    ...(removeAt === undefined ? {} : { removeAt }),
  };
  return { name: id, uid: id, drift: "notChecked", detail };
}
