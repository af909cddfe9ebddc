import { conformanceCases } from "./conformance-case.ts";
import { volumeFaultCases } from "./volumes/fault-cases.ts";
import type { VolumeNeed, VolumesFixture } from "./volumes/fixture.ts";
import { volumeGrowthCases } from "./volumes/growth-cases.ts";
import { volumeLookupCases } from "./volumes/lookup-cases.ts";

/** What every provider's `volumes` must do (spec/50, spec/60 §7, DESIGN.md "Provider"). */
export const volumeCases = conformanceCases<VolumesFixture, VolumeNeed>(
  [...volumeLookupCases, ...volumeGrowthCases, ...volumeFaultCases],
  (need, fixture) =>
    need === "grow" ? fixture.volumes.grow !== undefined : fixture[need] !== undefined,
);
