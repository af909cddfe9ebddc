import { strict as assert } from "node:assert";
import type { VolumeFacts, VolumeLookup } from "../../volumes.ts";
import type { BenchContexts } from "../contexts-of-bench.ts";
import type { NewVolume, VolumeNeed, VolumesFixture } from "./fixture.ts";

/** A provider under test and what it sent so far. */
export interface VolumesBench extends BenchContexts {
  readonly fixture: VolumesFixture;
}

export interface VolumeBenchCase {
  readonly name: string;
  readonly needs?: readonly VolumeNeed[];
  check(bench: VolumesBench): Promise<void>;
}

export function createVolume(
  { fixture }: VolumesBench,
  more: Partial<NewVolume> = {},
): Promise<string> {
  return fixture.createVolume({ zone: "zone-1", region: "region-1", sizeGiB: 10, ...more });
}

export async function lookUp(bench: VolumesBench, ids: readonly string[]) {
  return await bench.fixture.volumes.describe(ids, bench.context());
}

export async function lookUpOne(bench: VolumesBench, id: string): Promise<VolumeLookup> {
  return answerOf(await lookUp(bench, [id]), id);
}

/** The answer for one id; fails when there is none. */
export function answerOf(answers: ReadonlyMap<string, VolumeLookup>, id: string): VolumeLookup {
  const answer = answers.get(id);
  assert.ok(answer, `There is no answer under ${JSON.stringify(id)}.`);
  return answer;
}

export function factsIn(lookup: VolumeLookup): VolumeFacts {
  assert.equal(lookup.kind, "found", `A disk that exists was answered as ${lookup.kind}.`);
  if (lookup.kind !== "found") throw new Error("unreachable");
  return lookup.facts;
}

export async function grow(bench: VolumesBench, id: string, sizeGiB: number): Promise<VolumeFacts> {
  const { volumes } = bench.fixture;
  assert.ok(volumes.grow, "The provider's disks do not grow.");
  return await volumes.grow(id, sizeGiB, bench.context());
}
