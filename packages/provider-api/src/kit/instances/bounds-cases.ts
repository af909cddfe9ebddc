import { strict as assert } from "node:assert";
import {
  answerOf,
  assertFailed,
  type BenchCase,
  byName,
  foundIn,
  type InstancesBench,
} from "./bench.ts";
import { type CloudFault, ENDLESS_FAULTS } from "./fixture.ts";

/** Calls that a provider may spend on one question before it gives a listing up. */
const MOST_CALLS = 1_000;

/** A cloud whose answers have no end has said nothing, and does not occupy us for ever. */
export const boundsCases: readonly BenchCase[] = ENDLESS_FAULTS.map((fault) => ({
  name: `gives up an answer without an end: ${fault}`,
  needs: [fault],
  check: (bench) => checkBounds(bench, fault),
}));

async function checkBounds(bench: InstancesBench, fault: CloudFault): Promise<void> {
  const refs = [byName("w-1"), byName("w-2"), byName("w-3")];
  await bench.fixture.create("w-1");
  const repair = await bench.fixture.faults[fault]?.();
  try {
    const answers = await bench.ask(refs, "batch");
    for (const ref of refs) assertFailed(answerOf(answers, ref), ["OutOfBounds"]);
    const [first = byName("w-1")] = refs;
    assertFailed(answerOf(await bench.ask([first], "single"), first), ["OutOfBounds"]);
    const { length } = bench.calls;
    assert.ok(length <= MOST_CALLS, `It made ${length} calls before it gave up.`);
  } finally {
    await repair?.();
  }
  const first = byName("w-1");
  foundIn(answerOf(await bench.ask([first], "single"), first), "w-1");
}
