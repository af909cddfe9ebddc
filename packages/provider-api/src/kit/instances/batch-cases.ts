import { strict as assert } from "node:assert";
import { instanceKey } from "../../instances.ts";
import { answerOf, type BenchCase, byId, byName, foundIn } from "./bench.ts";

const MANY = 24;

/** What holds for many references at a time. */
export const batchCases: readonly BenchCase[] = [
  {
    name: "asks nothing about nothing",
    check: async (bench) => {
      assert.equal((await bench.ask([], "batch")).size, 0);
      assert.equal(bench.calls.length, 0);
    },
  },
  {
    name: "answers every reference, whatever the others are",
    check: async (bench) => {
      const { provider, create } = bench.fixture;
      const providerID = await create.call(bench.fixture, "w-1");
      await create.call(bench.fixture, "w-2");
      const refs = [
        byId("w-1", providerID),
        byName("w-2"),
        byName("never-there"),
        byId("elsewhere", "some-other-cloud://x"),
        byId("gone", `${provider}://00000000-0000-4000-8000-000000000000`),
      ];
      const answers = await bench.ask(refs, "batch");
      assert.deepEqual(new Set(answers.keys()), new Set(refs.map(instanceKey)));
      foundIn(answerOf(answers, byId("w-1", providerID)), "w-1");
      foundIn(answerOf(answers, byName("w-2")), "w-2");
    },
  },
  {
    name: "looks many up with few calls",
    check: async (bench) => {
      const names = Array.from({ length: MANY }, (_, index) => `w-${index}`);
      for (const name of names) await bench.fixture.create(name);
      const answers = await bench.ask(names.map(byName), "batch");
      for (const name of names) foundIn(answerOf(answers, byName(name)), name);
      const most = MANY / 4;
      const { length } = bench.calls;
      assert.ok(length <= most, `${MANY} lookups took ${length} calls, more than ${most}.`);
    },
  },
  {
    name: "knows another cloud's provider ID without asking",
    check: async (bench) => {
      const ref = byId("elsewhere", "some-other-cloud://x");
      assert.equal(answerOf(await bench.ask([ref], "batch"), ref).kind, "foreign");
      assert.equal(answerOf(await bench.ask([ref], "single"), ref).kind, "foreign");
      assert.equal(bench.calls.length, 0);
    },
  },
  {
    name: "knows a malformed provider ID without asking, and says what form it expects",
    needs: ["malformedProviderID"],
    check: async (bench) => {
      const ref = byId("w-1", bench.fixture.malformedProviderID ?? "");
      const answer = answerOf(await bench.ask([ref], "batch"), ref);
      assert.equal(answer.kind, "malformed");
      assert.ok(answer.kind === "malformed" && answer.expected !== "");
      assert.equal(bench.calls.length, 0);
    },
  },
  {
    name: "ends with its signal",
    check: async (bench) => {
      await bench.fixture.create("w-1");
      const ended = AbortSignal.abort(new Error("the run was ended"));
      await assert.rejects(bench.ask([byName("w-1")], "batch", ended));
    },
  },
];
