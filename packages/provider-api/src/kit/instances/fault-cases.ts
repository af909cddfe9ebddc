import {
  answerOf,
  assertFailed,
  type BenchCase,
  byId,
  byName,
  foundIn,
  type InstancesBench,
} from "./bench.ts";
import type { CloudFault } from "./fixture.ts";

const ANY_CODE = ["Unavailable", "Invalid", "NotFound", "TimedOut"];

/** A cloud that cannot be asked has not said that anything is absent. */
export const faultCases: readonly BenchCase[] = [
  faultCase("unavailable", ["Unavailable"]),
  faultCase("unauthorized", ["Unauthorized"]),
  faultCase("throttled", ["Throttled"]),
  faultCase("garbage", ANY_CODE),
  faultCase("nothingFound", ANY_CODE),
];

function faultCase(fault: CloudFault, codes: readonly string[]): BenchCase {
  return {
    name: `answers every reference as failed while the cloud is broken: ${fault}`,
    needs: [fault],
    check: (bench) => checkFault(bench, fault, codes),
  };
}

async function checkFault(
  bench: InstancesBench,
  fault: CloudFault,
  codes: readonly string[],
): Promise<void> {
  const first = byId("w-1", await bench.fixture.create("w-1"));
  const refs = [first, byName("w-2"), byName("w-3")];
  await bench.fixture.create("w-2");
  const repair = await bench.fixture.faults[fault]?.();
  try {
    const answers = await bench.ask(refs, "batch");
    for (const ref of refs) assertFailed(answerOf(answers, ref), codes);
    for (const ref of [first, byName("w-3")]) {
      assertFailed(answerOf(await bench.ask([ref], "single"), ref), codes);
    }
  } finally {
    await repair?.();
  }
  foundIn(answerOf(await bench.ask([first], "single"), first), "w-1");
}
