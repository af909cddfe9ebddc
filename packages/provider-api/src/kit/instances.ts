import { contextsOfBench } from "./contexts-of-bench.ts";
import { absenceCases } from "./instances/absence-cases.ts";
import { batchCases } from "./instances/batch-cases.ts";
import type { InstancesBench } from "./instances/bench.ts";
import { boundsCases } from "./instances/bounds-cases.ts";
import { factsCases } from "./instances/facts-cases.ts";
import { faultCases } from "./instances/fault-cases.ts";
import type { InstancesFixture, Need } from "./instances/fixture.ts";

export interface ConformanceCase {
  readonly name: string;
  /** What the fixture must be able to do; a case whose need is not met is to be skipped visibly. */
  readonly needs: readonly Need[];
  /** Rejects with an AssertionError that says what the provider did wrong. */
  run(fixture: InstancesFixture): Promise<void>;
}

/** What every provider's `instances` must do (spec/60 §3 and §8, DESIGN.md "Provider"). Knows no test framework. */
export const instancesCases: readonly ConformanceCase[] = [
  ...factsCases,
  ...batchCases,
  ...absenceCases,
  ...faultCases,
  ...boundsCases,
].map(({ name, needs, check }) => ({
  name,
  needs: needs ?? [],
  run: (fixture) => check(benchOf(fixture)),
}));

/** Which of a case's needs the fixture does not meet. */
export function unmetNeeds({ needs }: ConformanceCase, fixture: InstancesFixture): readonly Need[] {
  const meets = (need: Need) => {
    if (need === "stop") return fixture.stop !== undefined;
    if (need === "malformedProviderID") return fixture.malformedProviderID !== undefined;
    return fixture.faults[need] !== undefined;
  };
  return needs.filter((need) => !meets(need));
}

function benchOf(fixture: InstancesFixture): InstancesBench {
  const { calls, context } = contextsOfBench(fixture);
  return {
    fixture,
    calls,
    ask: (refs, mode, signal) => fixture.instances.describe(refs, { mode }, context(signal)),
  };
}
