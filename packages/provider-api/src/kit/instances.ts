import { absenceCases } from "./conformance/absence-cases.ts";
import { batchCases } from "./conformance/batch-cases.ts";
import { boundsCases } from "./conformance/bounds-cases.ts";
import { contextsOfBench } from "./conformance/contexts-of-bench.ts";
import { factsCases } from "./conformance/facts-cases.ts";
import { faultCases } from "./conformance/fault-cases.ts";
import type { InstancesBench } from "./conformance/instances-bench.ts";
import type { InstancesFixture, Need } from "./conformance/instances-fixture.ts";

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
