import { strict as assert } from "node:assert";
import type { Lookup } from "../../instances.ts";
import { answerOf, ask, askOne, byId, byName, foundIn, type InstancesCase } from "./steps.ts";

/** What proves that an instance does not exist: nodes are deleted because of it. */
export const absenceCases: readonly InstancesCase[] = [
  {
    name: "proves by a single read that a removed instance is absent",
    check: async (subject) => {
      const providerID = await subject.fixture.create("w-1");
      await subject.fixture.create("other");
      await subject.fixture.remove("w-1");
      const proof = proofOf(await askOne(subject, byId("w-1", providerID), "single"));
      assert.equal(proof.by, "providerID");
      assert.equal(proof.cloudShowsOthers, true);
    },
  },
  {
    name: "proves by a single read that a name is absent",
    check: async (subject) => {
      await subject.fixture.create("other");
      assert.equal(proofOf(await askOne(subject, byName("never-there"), "single")).by, "name");
    },
  },
  {
    name: "reports a cloud that shows no instance at all",
    check: async (subject) => {
      const providerID = await subject.fixture.create("w-1");
      await subject.fixture.remove("w-1");
      const proof = proofOf(await askOne(subject, byId("w-1", providerID), "single"));
      assert.equal(proof.cloudShowsOthers, false);
    },
  },
  {
    name: "says no more than not listed of what a listing lacks",
    check: async (subject) => {
      const names = ["w-1", "w-2", "w-3"];
      for (const name of names) await subject.fixture.create(name);
      await subject.fixture.remove("w-2");
      const answers = await ask(subject, names.map(byName), "batch");
      assert.equal(answerOf(answers, byName("w-2")).kind, "notListed");
      foundIn(answerOf(answers, byName("w-3")), "w-3");
    },
  },
  {
    name: "finds in a single read what was made a moment ago",
    check: async (subject) => {
      await subject.fixture.create("other");
      proofOf(await askOne(subject, byName("w-1"), "single"));
      await subject.fixture.create("w-1");
      foundIn(await askOne(subject, byName("w-1"), "single"), "w-1");
    },
  },
];

function proofOf(lookup: Lookup) {
  assert.equal(lookup.kind, "absent", `A missing instance was answered as ${lookup.kind}.`);
  if (lookup.kind !== "absent") throw new Error("unreachable");
  return lookup.proof;
}
