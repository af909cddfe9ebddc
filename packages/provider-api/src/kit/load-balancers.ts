import { contextsOfBench } from "./contexts-of-bench.ts";
import { balancerAbilityCases } from "./load-balancers/ability-cases.ts";
import { balancerAdoptionCases } from "./load-balancers/adoption-cases.ts";
import { balancerFaultCases } from "./load-balancers/fault-cases.ts";
import type { BalancerNeed, BalancersFixture } from "./load-balancers/fixture.ts";
import { balancerLifeCases } from "./load-balancers/life-cases.ts";
import { balancerOwnerCases } from "./load-balancers/owner-cases.ts";

export interface BalancerConformanceCase {
  readonly name: string;
  /** What the fixture must be able to do; a case whose need is not met is to be skipped visibly. `notWrapped`: no `wrapEnsureStyle`. */
  readonly needs: readonly (BalancerNeed | "notWrapped")[];
  /** Rejects with an AssertionError, or with what the provider threw, when the provider does wrong. */
  run(fixture: BalancersFixture): Promise<void>;
}

/** What every provider's `loadBalancers` must do (spec/60 §4 and §8, DESIGN.md "Provider"). Knows no test framework. */
export const balancerCases: readonly BalancerConformanceCase[] = [
  ...balancerLifeCases,
  ...balancerOwnerCases,
  ...balancerAdoptionCases,
  ...balancerAbilityCases,
  ...balancerFaultCases,
].map(({ name, needs = [], notWrapped, check }) => ({
  name,
  needs: notWrapped === true ? [...needs, "notWrapped"] : needs,
  run: (fixture) => check({ fixture, ...contextsOfBench(fixture) }),
}));

/** Which of a case's needs the fixture does not meet. */
export function unmetBalancerNeeds(
  { needs }: BalancerConformanceCase,
  fixture: BalancersFixture,
): BalancerConformanceCase["needs"] {
  return needs.filter((need) =>
    need === "notWrapped" ? fixture.isWrapped === true : fixture[need] === undefined,
  );
}
