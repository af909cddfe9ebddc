import type { Plan } from "../../model/plan.ts";
import { planAsked, refusing } from "../hold/plan-held.ts";
import { holdWrite, release, type ServiceChange } from "./changes.ts";
import type { Observed, ServiceObserved } from "./observed.ts";
import { planOrphan } from "./orphans/plan.ts";
import { planUnasked } from "./plan-unasked.ts";
import { planAdopt, planReensure } from "./plan-wishes.ts";

/** What a Service's balancer needs, or what a person wishes for it. A retry asks for nothing but that it is done now. */
export function planServiceLoop(observed: Observed, nowMs: number): Plan<ServiceChange> {
  return observed.kind === "orphan" ? planOrphan(observed, nowMs) : planService(observed, nowMs);
}

function planService(observed: ServiceObserved, nowMs: number): Plan<ServiceChange> {
  const { asked, service } = observed;
  switch (asked?.wish.kind) {
    case "reensure":
      return planReensure(observed, asked, nowMs);
    case "adopt":
      return planAdopt(observed, { ...asked, wish: asked.wish }, nowMs);
  }
  const unasked = planUnasked(observed, nowMs);
  if (service === undefined) return planGone(unasked, asked);
  return planAsked(
    asked,
    {
      ...{ object: service, name: "the Service", unasked },
      hold: (until, reason) => [holdWrite(service, until, reason)],
      release: (hold, reason) => release(service, hold, reason),
    },
    nowMs,
  );
}

function planGone(
  unasked: Plan<ServiceChange>,
  asked: ServiceObserved["asked"],
): Plan<ServiceChange> {
  if (asked === undefined || asked.wish.kind === "retry") return unasked;
  const problem = "the Service is not in the cluster";
  return refusing(unasked, asked.wish.kind, { code: "WishRefused", problem });
}
