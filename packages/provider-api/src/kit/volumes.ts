import { contextsOfBench } from "./contexts-of-bench.ts";
import { volumeFaultCases } from "./volumes/fault-cases.ts";
import type { VolumeNeed, VolumesFixture } from "./volumes/fixture.ts";
import { volumeGrowthCases } from "./volumes/growth-cases.ts";
import { volumeLookupCases } from "./volumes/lookup-cases.ts";

export interface VolumeConformanceCase {
  readonly name: string;
  /** What the fixture must be able to do; a case whose need is not met is to be skipped visibly. */
  readonly needs: readonly VolumeNeed[];
  /** Rejects with an AssertionError, or with what the provider threw, when the provider does wrong. */
  run(fixture: VolumesFixture): Promise<void>;
}

/** What every provider's `volumes` must do (spec/50, spec/60 §7, DESIGN.md "Provider"). Knows no test framework. */
export const volumeCases: readonly VolumeConformanceCase[] = [
  ...volumeLookupCases,
  ...volumeGrowthCases,
  ...volumeFaultCases,
].map(({ name, needs, check }) => ({
  name,
  needs: needs ?? [],
  run: (fixture) => check({ fixture, ...contextsOfBench(fixture) }),
}));

/** Which of a case's needs the fixture does not meet. */
export function unmetVolumeNeeds(
  { needs }: VolumeConformanceCase,
  fixture: VolumesFixture,
): readonly VolumeNeed[] {
  return needs.filter((need) =>
    need === "grow" ? fixture.volumes.grow === undefined : fixture[need] === undefined,
  );
}
