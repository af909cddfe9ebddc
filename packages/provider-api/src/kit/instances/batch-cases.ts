import { strict as assert } from "node:assert";
import { instanceKey } from "../../instances.ts";
import { answerOf, ask, byId, byName, foundIn, type InstancesCase } from "./steps.ts";

const MANY = 24;

/** Rules for lookups of many references at once. */
export const batchCases: readonly InstancesCase[] = [
  {
    name: "asks nothing about nothing",
    check: async (subject) => {
      assert.equal((await ask(subject, [], "batch")).size, 0);
      assert.equal(subject.calls.length, 0);
    },
  },
  {
    name: "answers every reference, whatever the others are",
    check: async (subject) => {
      const { provider, create } = subject.fixture;
      const providerID = await create.call(subject.fixture, "w-1");
      await create.call(subject.fixture, "w-2");
      const refs = [
        byId("w-1", providerID),
        byName("w-2"),
        byName("never-there"),
        byId("elsewhere", "some-other-cloud://x"),
        byId("gone", `${provider}://00000000-0000-4000-8000-000000000000`),
      ];
      const answers = await ask(subject, refs, "batch");
      assert.deepEqual(new Set(answers.keys()), new Set(refs.map(instanceKey)));
      foundIn(answerOf(answers, byId("w-1", providerID)), "w-1");
      foundIn(answerOf(answers, byName("w-2")), "w-2");
    },
  },
  {
    name: "looks many up with few calls",
    check: async (subject) => {
      const names = Array.from({ length: MANY }, (_, index) => `w-${index}`);
      for (const name of names) await subject.fixture.create(name);
      const answers = await ask(subject, names.map(byName), "batch");
      for (const name of names) foundIn(answerOf(answers, byName(name)), name);
      const most = MANY / 4;
      const { length } = subject.calls;
      assert.ok(length <= most, `${MANY} lookups took ${length} calls, more than ${most}.`);
    },
  },
  {
    name: "knows another cloud's provider ID without asking",
    check: async (subject) => {
      const ref = byId("elsewhere", "some-other-cloud://x");
      assert.equal(answerOf(await ask(subject, [ref], "batch"), ref).kind, "foreign");
      assert.equal(answerOf(await ask(subject, [ref], "single"), ref).kind, "foreign");
      assert.equal(subject.calls.length, 0);
    },
  },
  {
    name: "knows a malformed provider ID without asking, and says what form it expects",
    needs: ["malformedProviderID"],
    check: async (subject) => {
      const ref = byId("w-1", subject.fixture.malformedProviderID ?? "");
      const answer = answerOf(await ask(subject, [ref], "batch"), ref);
      assert.equal(answer.kind, "malformed");
      assert.ok(answer.kind === "malformed" && answer.expected !== "");
      assert.equal(subject.calls.length, 0);
    },
  },
  {
    name: "ends with its signal",
    check: async (subject) => {
      await subject.fixture.create("w-1");
      const ended = AbortSignal.abort(new Error("the run was ended"));
      await assert.rejects(ask(subject, [byName("w-1")], "batch", ended));
    },
  },
];
