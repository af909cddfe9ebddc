import type { CloudFault } from "./fixture.ts";
import {
  answerOf,
  ask,
  assertFailed,
  byId,
  byName,
  foundIn,
  type InstancesCase,
  type InstancesSubject,
} from "./steps.ts";

const ANY_CODE = ["Unavailable", "Invalid", "NotFound", "TimedOut"];

/** A cloud that cannot be reached has not said that anything is absent. */
export const faultCases: readonly InstancesCase[] = [
  faultCase("unavailable", ["Unavailable"]),
  faultCase("unauthorized", ["Unauthorized"]),
  faultCase("throttled", ["Throttled"]),
  faultCase("garbage", ANY_CODE),
  faultCase("nothingFound", ANY_CODE),
];

function faultCase(fault: CloudFault, codes: readonly string[]): InstancesCase {
  return {
    name: `answers every reference as failed while the cloud is broken: ${fault}`,
    needs: [fault],
    check: (subject) => checkFault(subject, fault, codes),
  };
}

async function checkFault(
  subject: InstancesSubject,
  fault: CloudFault,
  codes: readonly string[],
): Promise<void> {
  const first = byId("w-1", await subject.fixture.create("w-1"));
  const refs = [first, byName("w-2"), byName("w-3")];
  await subject.fixture.create("w-2");
  const repair = await subject.fixture.faults[fault]?.();
  try {
    const answers = await ask(subject, refs, "batch");
    for (const ref of refs) assertFailed(answerOf(answers, ref), codes);
    for (const ref of [first, byName("w-3")]) {
      assertFailed(answerOf(await ask(subject, [ref], "single"), ref), codes);
    }
  } finally {
    await repair?.();
  }
  foundIn(answerOf(await ask(subject, [first], "single"), first), "w-1");
}
