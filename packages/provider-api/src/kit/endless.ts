import { strict as assert } from "node:assert";
import { failureOf } from "./failure-of.ts";
import type { RecordedContexts } from "./recorded-contexts.ts";

/** Answers without an end. */
export const ENDLESS_FAULTS = [
  /** Every answer is larger than the provider takes in. */
  "huge",
  /** Every answer is JSON that is nested 100,000 levels deep. */
  "deep",
  /** Every page of a listing names another one, with a cursor that was never named before. */
  "endlessPages",
  /** Every page of a listing names the same cursor. */
  "sameCursor",
] as const;
export type EndlessFault = (typeof ENDLESS_FAULTS)[number];

/** Part of a fixture whose cloud can be made to answer without an end; what it is asked to do it does all the same. */
export interface EndlessCloud {
  /** Every call is answered so, until the answer undoes it. */
  answerWithoutEnd?(fault: EndlessFault): Promise<() => Promise<void>>;
}

/** Calls that a provider may spend on one question before it gives a listing up. */
const MOST_CALLS = 1_000;

interface EndlessSubject extends RecordedContexts {
  readonly fixture: EndlessCloud;
}

/** A cloud whose answers have no end has said nothing, and does not occupy us for ever. */
export function endlessCases<Tested extends EndlessSubject>({
  read,
  readAgain,
}: {
  /** Reads everything there is, each piece by itself; what the provider answers as failed it throws. */
  readonly read: readonly ((subject: Tested) => Promise<unknown>)[];
  /** Fails unless the cloud, whose answers have an end again, is read as it is. */
  readonly readAgain: (subject: Tested) => Promise<unknown>;
}): readonly {
  readonly name: string;
  readonly needs: readonly ["answerWithoutEnd"];
  check(subject: Tested): Promise<void>;
}[] {
  return ENDLESS_FAULTS.map((fault) => ({
    name: `gives up an answer without an end: ${fault}`,
    needs: ["answerWithoutEnd"],
    check: async (subject) => {
      const repair = await subject.fixture.answerWithoutEnd?.(fault);
      try {
        for (const one of read) await assertGivenUp(subject, () => one(subject));
      } finally {
        await repair?.();
      }
      await readAgain(subject);
    },
  }));
}

async function assertGivenUp(subject: EndlessSubject, read: () => Promise<unknown>): Promise<void> {
  const before = subject.calls.length;
  const { code } = await failureOf(read());
  assert.equal(code, "OutOfBounds", `The failure has the code ${code} instead of OutOfBounds.`);
  assertFew(subject.calls.length - before);
}

export function assertFew(calls: number): void {
  assert.ok(calls <= MOST_CALLS, `It made ${calls} calls before it gave up.`);
}

/** A change that was made and whose answer is larger than a provider takes in may be done, and is made once. */
export function tooLargeAnswerCase<Tested extends EndlessSubject>({
  prepare,
  onlyOne,
}: {
  /** Looks and plans; the answer sends the creation. */
  readonly prepare: (subject: Tested) => Promise<() => Promise<unknown>>;
  /** Fails unless there is exactly one. */
  readonly onlyOne: (subject: Tested) => Promise<unknown>;
}) {
  return {
    name: "makes no second one when a creation whose answer was too large is sent once more",
    needs: ["answerWithoutEnd"] as const,
    check: async (subject: Tested) => {
      const create = await prepare(subject);
      const repair = await subject.fixture.answerWithoutEnd?.("huge");
      const { code } = await failureOf(create());
      await repair?.();
      assert.equal(code, "OutOfBounds", `The failure has the code ${code} instead of OutOfBounds.`);
      await create();
      await onlyOne(subject);
    },
  };
}
