import { strict as assert } from "node:assert";
import { failureOf } from "../failure-of.ts";
import { createVolume, factsIn, grow, lookUpOne, type VolumeCase } from "./steps.ts";

/** Disks that are made larger. */
export const volumeGrowthCases: readonly VolumeCase[] = [
  {
    name: "makes a disk as large as it is asked to, and says so",
    needs: ["grow"],
    check: async (subject) => {
      const id = await createVolume(subject, { sizeGiB: 10 });
      const other = await createVolume(subject, { sizeGiB: 10 });
      const facts = await grow(subject, id, 20);
      assert.equal(facts.id, id);
      assert.equal(facts.zone, "zone-1");
      assert.ok(facts.sizeGiB >= 20, `It says ${facts.sizeGiB} GiB instead of 20.`);
      assert.equal(await subject.fixture.sizeOf(id), facts.sizeGiB);
      assert.equal(factsIn(await lookUpOne(subject, id)).sizeGiB, facts.sizeGiB);
      assert.equal(await subject.fixture.sizeOf(other), 10);
    },
  },
  {
    name: "is done when the disk is so large already",
    needs: ["grow"],
    check: async (subject) => {
      const id = await createVolume(subject, { sizeGiB: 10 });
      const { sizeGiB } = await grow(subject, id, 20);
      assert.equal((await grow(subject, id, 20)).sizeGiB, sizeGiB);
      assert.equal(await subject.fixture.sizeOf(id), sizeGiB);
    },
  },
  {
    name: "never makes a disk smaller, and calls that done",
    needs: ["grow"],
    check: async (subject) => {
      const id = await createVolume(subject, { sizeGiB: 10 });
      assert.equal((await grow(subject, id, 5)).sizeGiB, 10);
      assert.equal(await subject.fixture.sizeOf(id), 10);
    },
  },
  {
    name: "grows once though the answer was lost",
    needs: ["grow", "loseNextAnswer"],
    check: async (subject) => {
      const id = await createVolume(subject, { sizeGiB: 10 });
      await subject.fixture.loseNextAnswer?.();
      const error = await failureOf(grow(subject, id, 20));
      assert.equal(error.call.mayBeDone, true, "The error does not set mayBeDone.");
      const { sizeGiB } = await grow(subject, id, 20);
      assert.equal(await subject.fixture.sizeOf(id), sizeGiB);
    },
  },
  {
    name: "calls a disk that is not there NotFound",
    needs: ["grow"],
    check: async (subject) => {
      const error = await failureOf(grow(subject, subject.fixture.unknownVolume, 20));
      assert.equal(error.code, "NotFound");
    },
  },
  {
    name: "grows for many at the same time as for one",
    needs: ["grow"],
    check: async (subject) => {
      const id = await createVolume(subject, { sizeGiB: 10 });
      await Promise.all([grow(subject, id, 20), grow(subject, id, 20), grow(subject, id, 15)]);
      assert.ok((await subject.fixture.sizeOf(id)) >= 20);
    },
  },
];
