import { strict as assert } from "node:assert";
import type { VolumeFacts, VolumeLookup } from "../../volumes.ts";
import type { KitCase, Subject } from "../conformance-case.ts";
import type { NewVolume, VolumeNeed, VolumesFixture } from "./fixture.ts";

export type VolumesSubject = Subject<VolumesFixture>;
export type VolumeCase = KitCase<VolumesFixture, VolumeNeed>;

export function createVolume(
  { fixture }: VolumesSubject,
  more: Partial<NewVolume> = {},
): Promise<string> {
  return fixture.createVolume({ zone: "zone-1", region: "region-1", sizeGiB: 10, ...more });
}

export async function lookUp(subject: VolumesSubject, ids: readonly string[]) {
  return await subject.fixture.volumes.describe(ids, subject.context());
}

export async function lookUpOne(subject: VolumesSubject, id: string): Promise<VolumeLookup> {
  return answerOf(await lookUp(subject, [id]), id);
}

/** Returns the answer for one id; fails when there is none. */
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

export async function grow(
  subject: VolumesSubject,
  id: string,
  sizeGiB: number,
): Promise<VolumeFacts> {
  const { volumes } = subject.fixture;
  assert.ok(volumes.grow, "The provider's disks do not grow.");
  return await volumes.grow(id, sizeGiB, subject.context());
}
