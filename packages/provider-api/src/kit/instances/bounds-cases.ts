import { assertFew, ENDLESS_FAULTS } from "../endless.ts";
import type { CloudFault } from "./fixture.ts";
import {
  answerOf,
  ask,
  assertFailed,
  byName,
  foundIn,
  type InstancesCase,
  type InstancesSubject,
} from "./steps.ts";

/** An endless answer says nothing about the cloud, and must not keep the provider busy forever. */
export const boundsCases: readonly InstancesCase[] = ENDLESS_FAULTS.map((fault) => ({
  name: `gives up an answer without an end: ${fault}`,
  needs: [fault],
  check: (subject) => checkBounds(subject, fault),
}));

async function checkBounds(subject: InstancesSubject, fault: CloudFault): Promise<void> {
  const refs = [byName("w-1"), byName("w-2"), byName("w-3")];
  await subject.fixture.create("w-1");
  const repair = await subject.fixture.faults[fault]?.();
  try {
    const answers = await ask(subject, refs, "batch");
    for (const ref of refs) assertFailed(answerOf(answers, ref), ["OutOfBounds"]);
    const [first = byName("w-1")] = refs;
    assertFailed(answerOf(await ask(subject, [first], "single"), first), ["OutOfBounds"]);
    assertFew(subject.calls.length);
  } finally {
    await repair?.();
  }
  const first = byName("w-1");
  foundIn(answerOf(await ask(subject, [first], "single"), first), "w-1");
}
