import { assertFew, ENDLESS_FAULTS } from "../endless.ts";
import {
  answerOf,
  assertFailed,
  type BenchCase,
  byName,
  foundIn,
  type InstancesBench,
} from "./bench.ts";
import type { CloudFault } from "./fixture.ts";

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
    assertFew(bench.calls.length);
  } finally {
    await repair?.();
  }
  const first = byName("w-1");
  foundIn(answerOf(await bench.ask([first], "single"), first), "w-1");
}
