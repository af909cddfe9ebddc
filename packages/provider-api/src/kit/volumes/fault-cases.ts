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
  type VolumeBenchCase,
  type VolumesBench,
} from "./bench.ts";

/** A cloud that cannot be asked has not said that a disk is absent. */
export const volumeFaultCases: readonly VolumeBenchCase[] = [
  {
    name: "answers one that cannot be read as failed, and the others as they are",
    needs: ["breakVolume"],
    check: async (bench) => {
      const ids = [await createVolume(bench), await createVolume(bench), await createVolume(bench)];
      const [broken = "", ...well] = ids;
      await bench.fixture.breakVolume?.(broken);
      const answers = await lookUp(bench, ids);
      assert.equal(answerOf(answers, broken).kind, "failed");
      for (const id of well) factsIn(answerOf(answers, id));
      assert.equal((await lookUpOne(bench, broken)).kind, "failed");
    },
  },
  {
    name: "takes a cloud that cannot be asked for no answer, never for absence",
    needs: ["breakCloud"],
    check: async (bench) => {
      const ids = [await createVolume(bench), await createVolume(bench)];
      const repair = await bench.fixture.breakCloud?.();
      await assertAllFailed(bench, [...ids, bench.fixture.unknownVolume]);
      await repair?.();
      for (const id of ids) factsIn(await lookUpOne(bench, id));
    },
  },
  {
    name: "passes on how long a cloud that refuses too many calls wants us to wait",
    needs: ["throttle"],
    check: async (bench) => {
      const ids = [await createVolume(bench), await createVolume(bench)];
      const relent = await bench.fixture.throttle?.(3_000);
      for (const error of await assertAllFailed(bench, ids)) {
        assert.equal(error.code, "Throttled");
        assert.equal(error.call.retryAfterMs, 3_000);
      }
      await relent?.();
      for (const id of ids) factsIn(await lookUpOne(bench, id));
    },
  },
  {
    name: "passes on how long to wait when it grows a disk",
    needs: ["grow", "throttle"],
    check: async (bench) => {
      const id = await createVolume(bench, { sizeGiB: 10 });
      const relent = await bench.fixture.throttle?.(3_000);
      const error = await failureOf(grow(bench, id, 20));
      assert.equal(error.code, "Throttled");
      assert.equal(error.call.retryAfterMs, 3_000);
      await relent?.();
      assert.equal(await bench.fixture.sizeOf(id), 10);
    },
  },
  ...endlessCases<VolumesBench>({
    read: [
      async (bench) => {
        const ids = [await createVolume(bench), await createVolume(bench)];
        for (const answer of (await lookUp(bench, ids)).values()) throwFailure(answer);
      },
    ],
    readAgain: async (bench) => factsIn(await lookUpOne(bench, await createVolume(bench))),
  }),
  {
    name: "ends with its signal",
    check: async (bench) => {
      const ids = [await createVolume(bench), await createVolume(bench)];
      const ended = AbortSignal.abort(new Error("the run was ended"));
      for (const some of [ids, ids.slice(1)]) {
        await assert.rejects(bench.fixture.volumes.describe(some, bench.context(ended)));
      }
    },
  },
];

/** Asks for all together and for the first alone. */
async function assertAllFailed(bench: VolumesBench, ids: readonly string[]) {
  const together = await lookUp(bench, ids);
  const answers = [
    ...ids.map((id) => answerOf(together, id)),
    await lookUpOne(bench, ids[0] ?? ""),
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
