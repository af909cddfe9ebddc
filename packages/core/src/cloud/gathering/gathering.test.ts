import { describe, expect, it } from "vitest";
import { createManualClock } from "../../model/testing/manual-clock.ts";
import type { GatheredAnswer, GatheringRequest } from "./gathered-batch.ts";
import { type GatheredBatch, Gathering, type GatheringOptions } from "./gathering.ts";

const NEVER = new AbortController().signal;
const FRESH: GatheringRequest = { maxAgeMs: 0, priority: "new" };

interface Sent extends GatheredBatch<string> {
  readonly answer: (suffix?: string) => Promise<void>;
  readonly fail: (error: unknown) => Promise<void>;
}

function fixture(over: Partial<GatheringOptions<string, string>> = {}) {
  const clock = createManualClock();
  const sent: Sent[] = [];
  const gathering = new Gathering<string, string>({
    clock,
    batches: 2,
    budgetWaitMs: () => 0,
    keyOf: (question) => question,
    known: () => undefined,
    mayShow: () => true,
    servesLate: () => true,
    send: (batch) =>
      new Promise((resolve, reject) => {
        sent.push({
          ...batch,
          answer: async (suffix = "") => {
            resolve(new Map(batch.questions.map((each) => [each, `${each}!${suffix}`])));
            await clock.advance(0);
          },
          fail: async (error) => {
            reject(error);
            await clock.advance(0);
          },
        });
      }),
    ...over,
  });
  const ask = (question: string, request = FRESH, signal = NEVER) =>
    gathering.ask(question, request, signal);
  return {
    ...{ clock, sent, ask },
    asked: () => sent.map(({ questions }) => questions.join(" ")),
    batch: (index: number): Sent => {
      const found = sent[index];
      if (found === undefined) throw new Error(`batch ${index} was not sent`);
      return found;
    },
  };
}

const answerOf = async (gathered: Promise<GatheredAnswer<string>>) => {
  const { outcome, sharedBy } = await gathered;
  return [outcome.kind === "answered" ? outcome.answer : outcome.error, sharedBy];
};

/** Asks this many questions in one turn, without waiting for any. */
function crowd(ask: (question: string) => Promise<unknown>, count: number, prefix: string): void {
  for (let index = 0; index < count; index++) void ask(`${prefix}${index}`);
}

describe("questions to the cloud", () => {
  it("of one turn share one call, equal ones are sent once, and each gets its own answer", async () => {
    const { ask, clock, asked, batch } = fixture();
    const answers = [ask("a"), ask("b"), ask("a")];
    await clock.advance(0);
    expect(asked()).toEqual(["a b"]);
    await batch(0).answer();
    expect(await Promise.all(answers.map(answerOf))).toEqual([
      ["a!", 3],
      ["b!", 3],
      ["a!", 3],
    ]);
  });

  it("that come while a call is in progress share the next one, after a short window", async () => {
    const { ask, clock, asked } = fixture({ mayShow: () => false });
    void ask("a");
    await clock.advance(0);
    void ask("b");
    await clock.advance(4);
    void ask("c");
    expect(asked()).toEqual(["a"]);
    await clock.advance(1);
    expect(asked()).toEqual(["a", "b c"]);
  });

  it("wait while the maximum number of calls is in progress, and are sent when one is back", async () => {
    const { ask, clock, asked, batch } = fixture({ mayShow: () => false });
    for (const question of ["a", "b", "c"]) {
      void ask(question);
      await clock.advance(10);
    }
    expect(asked()).toEqual(["a", "b"]);
    await batch(0).answer();
    await clock.advance(5);
    expect(asked()).toEqual(["a", "b", "c"]);
  });

  it("keep gathering while the budget would make them wait, for at most a second", async () => {
    const { ask, clock, asked } = fixture({ budgetWaitMs: () => 60_000 });
    void ask("a");
    await clock.advance(999);
    void ask("b");
    expect(asked()).toEqual([]);
    await clock.advance(1);
    expect(asked()).toEqual(["a b"]);
  });

  it("have the priority of the most urgent caller", async () => {
    const { ask, clock, batch } = fixture();
    void ask("a", { ...FRESH, priority: "refresh" });
    void ask("b", { ...FRESH, priority: "person" });
    void ask("c", { ...FRESH, priority: "deletion" });
    await clock.advance(0);
    expect(batch(0).priority).toBe("person");
  });

  it("that fail together each fail with the thrown error", async () => {
    const { ask, clock, batch } = fixture();
    const answers = [ask("a"), ask("b")];
    await clock.advance(0);
    const down = new Error("the cloud is down");
    await batch(0).fail(down);
    expect(await Promise.all(answers.map(answerOf))).toEqual([
      [down, 2],
      [down, 2],
    ]);
  });
});

describe("a question that an earlier call may answer", () => {
  const OLD: GatheringRequest = { maxAgeMs: 60_000, priority: "refresh" };

  it("joins a call that started late enough for it, and costs none of its own", async () => {
    const { ask, clock, asked, batch } = fixture();
    const first = ask("a");
    await clock.advance(10);
    const second = ask("a", OLD);
    await clock.advance(10);
    expect(asked()).toEqual(["a"]);
    await batch(0).answer();
    expect([await answerOf(first), await answerOf(second)]).toEqual([
      ["a!", 2],
      ["a!", 2],
    ]);
  });

  it.each<[why: string, GatheringRequest, Partial<GatheringOptions<string, string>>]>([
    ["is too old for it", { ...OLD, maxAgeMs: 5 }, {}],
    ["began before what it has to show", { ...OLD, notBefore: 5 }, {}],
    ["could not see yet what there is", OLD, { mayShow: () => false }],
  ])("is asked again if the call %s", async (_why, request, over) => {
    const { ask, clock, asked } = fixture(over);
    void ask("a");
    await clock.advance(10);
    void ask("a", request);
    await clock.advance(10);
    expect(asked()).toEqual(["a", "a"]);
  });

  it("is asked again if the answer does not serve a late caller", async () => {
    const { ask, clock, asked, batch } = fixture({ servesLate: () => false });
    const first = ask("a");
    await clock.advance(10);
    const second = ask("a", OLD);
    await batch(0).answer(" early");
    await clock.advance(10);
    expect(asked()).toEqual(["a", "a"]);
    await batch(1).answer(" late");
    expect([(await answerOf(first))[0], (await answerOf(second))[0]]).toEqual([
      "a! early",
      "a! late",
    ]);
  });

  it("is not asked at all if it was answered before its batch was sent", async () => {
    const { ask, clock, asked } = fixture({
      known: (question) => (question === "a" ? "known" : undefined),
    });
    const answers = [ask("a"), ask("b")];
    await clock.advance(0);
    expect(asked()).toEqual(["b"]);
    expect(await answerOf(answers[0] ?? ask("a"))).toEqual(["known", 0]);
  });
});

describe("a caller that no longer waits", () => {
  it("gets the reason at once, and the others their answer", async () => {
    const { ask, clock, batch } = fixture();
    const run = new AbortController();
    const left = ask("a", FRESH, run.signal);
    const stays = ask("a");
    await clock.advance(0);
    run.abort(new Error("the run is over"));
    await expect(left).rejects.toThrow("the run is over");
    expect(batch(0).signal.aborted).toBe(false);
    await batch(0).answer();
    expect(await answerOf(stays)).toEqual(["a!", 1]);
  });

  it("ends the call if it was the last one, and the next question does not join that", async () => {
    const { ask, clock, asked, batch } = fixture();
    const run = new AbortController();
    const left = ask("a", FRESH, run.signal);
    await clock.advance(0);
    run.abort(new Error("the run is over"));
    await expect(left).rejects.toThrow();
    expect(batch(0).signal.aborted).toBe(true);
    void ask("a", { maxAgeMs: 60_000, priority: "new" });
    await clock.advance(5);
    expect(asked()).toEqual(["a", "a"]);
  });

  it("causes no call if it left before the batch was sent", async () => {
    const { ask, clock, asked } = fixture();
    const run = new AbortController();
    const left = ask("a", FRESH, run.signal);
    run.abort(new Error("the run is over"));
    await expect(left).rejects.toThrow();
    await clock.advance(10);
    expect(asked()).toEqual([]);
  });
});

describe("many questions while a call is in progress", () => {
  const MANY = 40;

  it("wait for it, as one listing shows all of them, but not for one that seems to hang", async () => {
    const { ask, clock, sent } = fixture({ mayShow: () => false });
    void ask("a");
    await clock.advance(0);
    crowd(ask, MANY, "b");
    await clock.advance(1_499);
    expect(sent).toHaveLength(1);
    await clock.advance(1);
    expect(sent.map(({ questions }) => questions.length)).toEqual([1, MANY]);
  });

  it("wait longer for one that shows signs of life, for at most ten seconds", async () => {
    const { ask, clock, sent, batch } = fixture({ mayShow: () => false });
    void ask("a");
    await clock.advance(0);
    crowd(ask, MANY, "b");
    while (clock.monotonic() < 9_000) {
      await clock.advance(1_000);
      batch(0).onCall({} as never);
    }
    await clock.advance(999);
    expect(sent).toHaveLength(1);
    await clock.advance(1);
    expect(sent).toHaveLength(2);
  });

  it("are sent as soon as it is back", async () => {
    const { ask, clock, sent, batch } = fixture({ mayShow: () => false });
    void ask("a");
    await clock.advance(0);
    crowd(ask, MANY, "b");
    await clock.advance(100);
    await batch(0).answer();
    await clock.advance(0);
    expect(sent).toHaveLength(2);
  });
});
