import { conformanceCases } from "./conformance-case.ts";
import { loadBalancerAbilityCases } from "./load-balancers/ability-cases.ts";
import { loadBalancerAdoptionCases } from "./load-balancers/adoption-cases.ts";
import { loadBalancerFaultCases } from "./load-balancers/fault-cases.ts";
import type { LoadBalancerNeed, LoadBalancersFixture } from "./load-balancers/fixture.ts";
import { loadBalancerLifeCases } from "./load-balancers/life-cases.ts";
import { loadBalancerOwnerCases } from "./load-balancers/owner-cases.ts";

/** What every provider's `loadBalancers` must do (spec/60 §4 and §8, DESIGN.md "Provider"). */
export const loadBalancerCases = conformanceCases<LoadBalancersFixture, LoadBalancerNeed>(
  [
    ...loadBalancerLifeCases,
    ...loadBalancerOwnerCases,
    ...loadBalancerAdoptionCases,
    ...loadBalancerAbilityCases,
    ...loadBalancerFaultCases,
  ],
  (need, fixture) =>
    need === "notWrapped" ? fixture.isWrapped !== true : fixture[need] !== undefined,
);
