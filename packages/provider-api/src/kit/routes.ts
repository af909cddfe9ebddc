import { contextsOfBench } from "./contexts-of-bench.ts";
import { routeFaultCases } from "./routes/fault-cases.ts";
import type { RouteNeed, RoutesFixture } from "./routes/fixture.ts";
import { routeLifeCases } from "./routes/life-cases.ts";
import { routeOwnerCases } from "./routes/owner-cases.ts";

export interface RouteConformanceCase {
  readonly name: string;
  /** What the fixture must be able to do; a case whose need is not met is to be skipped visibly. `marks`: that routes carry them. */
  readonly needs: readonly (RouteNeed | "marks")[];
  /** Rejects with an AssertionError, or with what the provider threw, when the provider does wrong. */
  run(fixture: RoutesFixture): Promise<void>;
}

/** What every provider's `routes` must do (spec/60 §5 and §8, DESIGN.md "Provider"). Knows no test framework. */
export const routeCases: readonly RouteConformanceCase[] = [
  ...routeLifeCases,
  ...routeOwnerCases,
  ...routeFaultCases,
].map(({ name, needs = [], ofMarks, check }) => ({
  name,
  needs: ofMarks === true ? [...needs, "marks"] : needs,
  run: (fixture) => check({ fixture, ...contextsOfBench(fixture) }),
}));

/** Which of a case's needs the fixture does not meet. */
export function unmetRouteNeeds(
  { needs }: RouteConformanceCase,
  fixture: RoutesFixture,
): RouteConformanceCase["needs"] {
  return needs.filter((need) =>
    need === "marks" ? !fixture.routes.abilities.marks : fixture[need] === undefined,
  );
}
