import { strict as assert } from "node:assert";
import { failureOf } from "./failure-of.ts";
import type { RecordedContexts } from "./recorded-contexts.ts";

/** Kinds of answers that have no end. */
export const ENDLESS_FAULTS = [
  /** Every answer is larger than the provider accepts. */
  "huge",
  /** Every answer is JSON that is nested 100,000 levels deep. */
  "deep",
  /** Every page of a listing names another one, always with a new cursor. */
  "endlessPages",
  /** Every page of a listing names the same cursor. */
  "sameCursor",
] as const;
export type EndlessFault = (typeof ENDLESS_FAULTS)[number];

/** The part of a fixture whose cloud can be made to answer without end; it still carries out each request. */
export interface EndlessCloud {
  /** Makes every answer endless, until the returned function undoes it. */
  answerWithoutEnd?(fault: EndlessFault): Promise<() => Promise<void>>;
}

/** How many calls a provider may spend on one lookup before it gives up a listing. */
const MOST_CALLS = 1_000;

interface EndlessSubject extends RecordedContexts {
  readonly fixture: EndlessCloud;
}

/** An endless answer says nothing about the cloud, and must not keep the provider busy forever. */
export function endlessCases<Tested extends EndlessSubject>({
  read,
  readAgain,
}: {
  /** Reads that cover everything, each on its own; each throws the failures that the provider reports. */
  readonly read: readonly ((subject: Tested) => Promise<unknown>)[];
  /** Fails unless the cloud, whose answers end again, is read correctly. */
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

/** A change whose answer is larger than the provider accepts may have been made, and must be made only once. */
export function tooLargeAnswerCase<Tested extends EndlessSubject>({
  prepare,
  onlyOne,
}: {
  /** Observes and plans; the returned function sends the creation. */
  readonly prepare: (subject: Tested) => Promise<() => Promise<unknown>>;
  /** Fails unless exactly one exists. */
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
