import { strict as assert } from "node:assert";
import type { VolumeLookup } from "../../volumes.ts";
import { endlessCases } from "../endless.ts";
import { failureOf } from "../failure-of.ts";
import {
  answerOf,
  createVolume,
  factsIn,
  grow,
  lookUp,
  lookUpOne,
  type VolumeCase,
  type VolumesSubject,
} from "./steps.ts";

/** A cloud that cannot be reached has not said that a disk is absent. */
export const volumeFaultCases: readonly VolumeCase[] = [
  {
    name: "answers one that cannot be read as failed, and the others as they are",
    needs: ["breakVolume"],
    check: async (subject) => {
      const ids = [
        await createVolume(subject),
        await createVolume(subject),
        await createVolume(subject),
      ];
      const [broken = "", ...well] = ids;
      await subject.fixture.breakVolume?.(broken);
      const answers = await lookUp(subject, ids);
      assert.equal(answerOf(answers, broken).kind, "failed");
      for (const id of well) factsIn(answerOf(answers, id));
      assert.equal((await lookUpOne(subject, broken)).kind, "failed");
    },
  },
  {
    name: "takes a cloud that cannot be asked for no answer, never for absence",
    needs: ["breakCloud"],
    check: async (subject) => {
      const ids = [await createVolume(subject), await createVolume(subject)];
      const repair = await subject.fixture.breakCloud?.();
      await assertAllFailed(subject, [...ids, subject.fixture.unknownVolume]);
      await repair?.();
      for (const id of ids) factsIn(await lookUpOne(subject, id));
    },
  },
  {
    name: "passes on how long a cloud that refuses too many calls wants us to wait",
    needs: ["throttle"],
    check: async (subject) => {
      const ids = [await createVolume(subject), await createVolume(subject)];
      const relent = await subject.fixture.throttle?.(3_000);
      for (const error of await assertAllFailed(subject, ids)) {
        assert.equal(error.code, "Throttled");
        assert.equal(error.call.retryAfterMs, 3_000);
      }
      await relent?.();
      for (const id of ids) factsIn(await lookUpOne(subject, id));
    },
  },
  {
    name: "passes on how long to wait when it grows a disk",
    needs: ["grow", "throttle"],
    check: async (subject) => {
      const id = await createVolume(subject, { sizeGiB: 10 });
      const relent = await subject.fixture.throttle?.(3_000);
      const error = await failureOf(grow(subject, id, 20));
      assert.equal(error.code, "Throttled");
      assert.equal(error.call.retryAfterMs, 3_000);
      await relent?.();
      assert.equal(await subject.fixture.sizeOf(id), 10);
    },
  },
  ...endlessCases<VolumesSubject>({
    read: [
      async (subject) => {
        const ids = [await createVolume(subject), await createVolume(subject)];
        for (const answer of (await lookUp(subject, ids)).values()) throwFailure(answer);
      },
    ],
    readAgain: async (subject) => factsIn(await lookUpOne(subject, await createVolume(subject))),
  }),
  {
    name: "ends with its signal",
    check: async (subject) => {
      const ids = [await createVolume(subject), await createVolume(subject)];
      const ended = AbortSignal.abort(new Error("the run was ended"));
      for (const some of [ids, ids.slice(1)]) {
        await assert.rejects(subject.fixture.volumes.describe(some, subject.context(ended)));
      }
    },
  },
];

/** Looks up all of them together, and the first one alone. */
async function assertAllFailed(subject: VolumesSubject, ids: readonly string[]) {
  const together = await lookUp(subject, ids);
  const answers = [
    ...ids.map((id) => answerOf(together, id)),
    await lookUpOne(subject, ids[0] ?? ""),
  ];
  return answers.map((answer) => {
    assert.equal(answer.kind, "failed", `A failing cloud was taken for the answer ${answer.kind}.`);
    if (answer.kind !== "failed") throw new Error("unreachable");
    return answer.error;
  });
}

function throwFailure(answer: VolumeLookup): void {
  if (answer.kind === "failed") throw answer.error;
}
