import type { Plan } from "../../model/plan.ts";
import type { ServiceChange } from "./changes.ts";
import type { Observed, ServiceObserved } from "./observed.ts";
import { planOrphan } from "./orphans/plan.ts";
import { planUnasked } from "./plan-unasked.ts";
import { planAdopt, planHold, planReensure, planRelease, refusing } from "./plan-wishes.ts";

/** What a Service's balancer needs, or what a person wishes for it. A retry asks for nothing but that it is done now. */
export function planServiceLoop(observed: Observed, nowMs: number): Plan<ServiceChange> {
  return observed.kind === "orphan" ? planOrphan(observed, nowMs) : planService(observed, nowMs);
}

function planService(observed: ServiceObserved, nowMs: number): Plan<ServiceChange> {
  const { asked } = observed;
  switch (asked?.wish.kind) {
    case "hold":
      return planHold(observed, { ...asked, wish: asked.wish }, nowMs);
    case "release":
      return planRelease(observed, asked, nowMs);
    case "reensure":
      return planReensure(observed, asked, nowMs);
    case "adopt":
      return planAdopt(observed, { ...asked, wish: asked.wish }, nowMs);
    case "override":
    case "remove-orphan": {
      const { kind } = asked.wish;
      const problem = `a ${kind} is not for Services`;
      return refusing(planUnasked(observed, nowMs), kind, { code: "WishRefused", problem });
    }
    case "retry":
    case undefined:
      return planUnasked(observed, nowMs);
  }
}
