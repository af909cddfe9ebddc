import { conformanceCases } from "./conformance-case.ts";
import { absenceCases } from "./instances/absence-cases.ts";
import { batchCases } from "./instances/batch-cases.ts";
import { boundsCases } from "./instances/bounds-cases.ts";
import { factsCases } from "./instances/facts-cases.ts";
import { faultCases } from "./instances/fault-cases.ts";
import type { InstancesFixture, InstancesNeed } from "./instances/fixture.ts";

/** What every provider's `instances` must do (spec/60 §3 and §8, DESIGN.md "Provider"). */
export const instancesCases = conformanceCases<InstancesFixture, InstancesNeed>(
  [...factsCases, ...batchCases, ...absenceCases, ...faultCases, ...boundsCases],
  (need, fixture) => {
    if (need === "stop" || need === "malformedProviderID") return fixture[need] !== undefined;
    return fixture.faults[need] !== undefined;
  },
);
