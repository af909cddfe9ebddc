import { type Answered, ProviderError } from "@cloudwright/provider-api";
import { NotSent } from "@cloudwright/provider-api/http";
import { describe, expect, it } from "vitest";
import { createManualClock } from "../../model/testing/manual-clock.ts";
import { createCloudBudget } from "./budget.ts";
import { type CloudCall, createCallContexts } from "./call-context.ts";

const READ = { operation: "GET /v1/instances", target: "w-1", mutates: false };
const WRITE = { operation: "POST /v1/routes", target: "r-1", mutates: true };

function fixture({ holdsLease = true, fence = () => holdsLease } = {}) {
  const clock = createManualClock();
  const budget = createCloudBudget({ provider: "sandbox", clock });
  const calls: CloudCall[] = [];
  const forMetrics: CloudCall[] = [];
  const ends = new AbortController();
  const contexts = createCallContexts({
    provider: "sandbox",
    clock,
    budget,
    fence,
    deadlineMs: 1_000,
    onCall: (call) => forMetrics.push(call),
  });
  const context = contexts({
    signal: ends.signal,
    priority: "new",
    onCall: (call) => calls.push(call),
  });
  return { clock, budget, calls, forMetrics, ends, context };
}

/** Answers after this long, unless its signal aborts first. */
function answerAfter(clock: ReturnType<typeof createManualClock>, ms: number) {
  return (signal: AbortSignal) =>
    new Promise<Answered<string>>((resolve, reject) => {
      clock.after(ms, () => resolve({ value: "yes", status: 200, requestId: "r-9" }));
      signal.addEventListener("abort", () => reject(new Error("socket closed")));
    });
}

describe("returns the answer and reports the call to its run and to the metrics", () => {
  it("answers and reports the call to its run and to the metrics", async () => {
    const { clock, context, calls, forMetrics } = fixture();
    const answer = context.call(READ, answerAfter(clock, 250));
    await clock.advance(250);
    expect(await answer).toBe("yes");
    expect(calls).toMatchObject([
      { ...READ, durationMs: 250, limiterWaitMs: 0, status: 200, requestId: "r-9" },
    ]);
    expect(forMetrics).toEqual(calls);
  });

  it("gives a call the time that it asks for itself", async () => {
    const { clock, context } = fixture();
    const slow = { ...WRITE, answerTimeoutMs: 600_000 };
    const answer = context.call(slow, answerAfter(clock, 500_000));
    await clock.advance(500_000);
    expect(await answer).toBe("yes");
    const never = context.call(slow, answerAfter(clock, 700_000)).catch((error: unknown) => error);
    await clock.advance(600_000);
    expect(await never).toMatchObject({ code: "TimedOut", call: { mayBeDone: true } });
  });

  it("ends a call without an answer at its deadline", async () => {
    const { clock, context, calls } = fixture();
    const answer = context.call(READ, answerAfter(clock, 5_000)).catch((error: unknown) => error);
    await clock.advance(1_000);
    expect(await answer).toMatchObject({ code: "TimedOut", call: { retryAfterMs: 1_000 } });
    expect(calls).toMatchObject([{ durationMs: 1_000, error: { code: "TimedOut" } }]);
  });

  it.each<[string, number, number | undefined, number]>([
    ["years", 1e300, 600_000, 600_000],
    ["for ever", Number.POSITIVE_INFINITY, 600_000, 600_000],
    ["a little", 3_000, 3_000, 3_000],
    ["less than no time", -5_000, 0, 0],
    ["for what is no number", Number.NaN, undefined, 1_000],
  ])(
    "accepts a requested wait of %s within bounds",
    async (_title, ...[asked, believed, waits]) => {
      const { context, budget } = fixture();
      const call = { provider: "sandbox", operation: "GET /v1/instances", status: 429 };
      const refusal = new ProviderError("Throttled", "Too many.", { ...call, retryAfterMs: asked });
      const answer = context.call(READ, () => Promise.reject(refusal));
      const seen = await answer.catch((error: unknown) => error);
      expect(seen).toMatchObject({ code: "Throttled" });
      expect((seen as ProviderError).call.retryAfterMs).toBe(believed);
      expect(budget.waitMs()).toBe(waits);
    },
  );

  it("bounds the texts of a plug-in's own copy of the error class, and the names of its calls", async () => {
    const { context, calls } = fixture();
    const long = "a-".repeat(75_000);
    const copy = Object.assign(new Error(`token=abc ${long}`), {
      name: "ProviderError",
      code: "Unavailable",
      call: { provider: "sandbox", operation: "GET", requestId: long, retryAfterMs: 1e300 },
    });
    const answer = context.call({ ...READ, target: long }, () => Promise.reject(copy));
    const seen = (await answer.catch((error: unknown) => error)) as ProviderError;
    expect(seen.message).toMatch(/^token=\*\*\* a-a-/);
    expect(seen.message.length).toBeLessThanOrEqual(4_096);
    expect(seen.call).toMatchObject({ provider: "sandbox", retryAfterMs: 600_000 });
    expect([seen.call.requestId?.length, calls[0]?.target.length]).toEqual([
      expect.toSatisfy((length: number) => length <= 1_024),
      expect.toSatisfy((length: number) => length <= 1_024),
    ]);
  });

  it("ends even a call that ignores its signal", async () => {
    const { clock, context } = fixture();
    const deaf = () => new Promise<Answered<string>>(() => undefined);
    const answer = context.call(READ, deaf).catch((error: unknown) => error);
    await clock.advance(1_000);
    expect(await answer).toMatchObject({ code: "TimedOut" });
  });

  it("throws the run's own reason when that ends", async () => {
    const { clock, context, ends } = fixture();
    const answer = context.call(READ, answerAfter(clock, 500)).catch((error: unknown) => error);
    await clock.advance(10);
    ends.abort(new Error("the run was ended"));
    expect(await answer).toMatchObject({ message: "the run was ended" });
  });

  it.each([
    ["comes too late", async ({ clock }: ReturnType<typeof fixture>) => clock.advance(1_000)],
    [
      "would come after the run's end",
      ({ ends }: ReturnType<typeof fixture>) => ends.abort(new Error("the run was ended")),
    ],
  ])("reports that a change may have been made when its answer %s", async (_case, lose) => {
    const all = fixture();
    const answer = all.context.call(WRITE, answerAfter(all.clock, 5_000));
    const failure = answer.catch((error: unknown) => error);
    await all.clock.advance(10);
    await lose(all);
    expect(await failure).toMatchObject({ call: { mayBeDone: true, target: "r-1" } });
  });

  it.each([
    ["the connection broke", { cause: new Error("other side closed") }, true],
    ["nobody listened", { cause: Object.assign(new Error("no"), { code: "ECONNREFUSED" }) }, false],
    ["the cloud answered", { status: 500 }, false],
    ["the provider knows better", { mayBeDone: false }, false],
  ])("reports whether a change may have been made: %s", async (_case, more, mayBeDone) => {
    const { context } = fixture();
    const ref = { provider: "sandbox", operation: WRITE.operation, ...more };
    const lost = new ProviderError("Unavailable", "lost", ref);
    const failureOf = (call: typeof READ) =>
      context.call(call, () => Promise.reject(lost)).catch((error: unknown) => error);
    const failure = await failureOf(WRITE);
    expect(failure).toMatchObject({ code: "Unavailable", message: "lost", cause: lost.cause });
    expect(failure instanceof ProviderError && failure.call.mayBeDone === true).toBe(mayBeDone);
    expect(await failureOf(READ)).toStrictEqual(lost);
  });

  it("holds everything back after a 429 and includes the wait in the duration", async () => {
    const { clock, context, calls } = fixture();
    const refuse = () =>
      Promise.reject(
        new ProviderError("Throttled", "Too many requests.", {
          provider: "sandbox",
          operation: READ.operation,
          status: 429,
          retryAfterMs: 3_000,
        }),
      );
    await expect(context.call(READ, refuse)).rejects.toMatchObject({ code: "Throttled" });
    let sent = false;
    const answer = context.call(READ, (signal) => {
      sent = true;
      return answerAfter(clock, 100)(signal);
    });
    await clock.advance(2_999);
    expect(sent).toBe(false);
    await clock.advance(101);
    expect(await answer).toBe("yes");
    expect(calls[1]).toMatchObject({ durationMs: 3_100, limiterWaitMs: 3_000 });
  });

  it("checks the lease after a write has waited for the budget", async () => {
    let holdsLease = true;
    const { clock, budget, context } = fixture({ fence: () => holdsLease });
    budget.throttled(
      new ProviderError("Throttled", "Too many requests.", {
        provider: "sandbox",
        operation: "POST /v1/routes",
        retryAfterMs: 2_000,
      }),
      clock.monotonic(),
    );
    let sent = 0;
    const write = context.call(WRITE, async () => {
      sent += 1;
      return { value: "done", status: 200 };
    });
    const refusal = expect(write).rejects.toMatchObject({ code: "Unavailable" });
    holdsLease = false;
    await clock.advance(60_000);
    await refusal;
    expect(sent).toBe(0);
  });

  it("sends no write without the lease, but reads", async () => {
    const { clock, context, calls } = fixture({ holdsLease: false });
    await expect(context.call(WRITE, answerAfter(clock, 1))).rejects.toMatchObject({
      code: "Unavailable",
    });
    expect(calls).toEqual([]);
    const answer = context.call(READ, answerAfter(clock, 1));
    await clock.advance(1);
    expect(await answer).toBe("yes");
  });

  it("lets a write check the lease once more when it is sent, and then knows that it had no effect", async () => {
    let holdsLease = true;
    const { context } = fixture({ fence: () => holdsLease });
    const asked: boolean[] = [];
    const leave = (call: typeof WRITE) =>
      context.call(call, async (_signal, mayLeave) => {
        holdsLease = false;
        asked.push(mayLeave());
        if (!mayLeave()) throw new Error("no answer came", { cause: new NotSent("too late") });
        return { value: "done", status: 200 };
      });
    await expect(leave(WRITE)).rejects.toMatchObject({
      code: "Unavailable",
      call: { fenced: true, target: "r-1" },
    });
    expect(await leave(READ)).toBe("done");
    expect(asked).toEqual([false, true]);
  });

  it("counts and adapts to the calls that another process made on its behalf", async () => {
    const { clock, budget, context, calls } = fixture();
    const of = { mutates: false, target: "i-1", startedAt: clock.now(), durationMs: 7 };
    const refusal = {
      provider: "sandbox",
      operation: "Describe",
      status: 429,
      retryAfterMs: 3_000,
    };
    const error = new ProviderError("Throttled", "refused with token=sesame-12345", refusal);
    const made = [
      { ...of, operation: "List", status: 200, requestId: "q-1" },
      { ...of, operation: "Describe", error },
    ];
    const send = async () => ({ value: "yes", status: 200, calls: made });
    expect(await context.call(READ, send)).toBe("yes");
    expect(calls).toMatchObject([
      { operation: "List", target: "i-1", durationMs: 7, status: 200, requestId: "q-1" },
      { operation: "Describe", error: { code: "Throttled", message: "refused with token=***" } },
    ]);
    expect(budget.waitMs()).toBe(3_000);
  });

  it("does not count a request for which another process made no call", async () => {
    const { context, calls } = fixture();
    await context.call(READ, async () => ({ value: "yes", status: 200, calls: [] }));
    expect(calls).toEqual([]);
  });

  it("passes on an unknown error and reports it", async () => {
    const { context, calls } = fixture();
    const defect = () => Promise.reject(new TypeError("x is not a function"));
    await expect(context.call(READ, defect)).rejects.toThrow("x is not a function");
    expect(calls).toMatchObject([{ error: { message: "x is not a function" } }]);
  });

  it("bounds a provider's errors and keeps secrets out of them, whoever created them", async () => {
    const { context, calls } = fixture();
    const call = { provider: "sandbox", operation: "GET /v1/routes", requestId: "r".repeat(5_000) };
    const said = new ProviderError("Unavailable", "refused with token=sesame-12345", call);
    const failure = await context.call(READ, () => Promise.reject(said)).catch((e: unknown) => e);
    expect(failure).toMatchObject({ message: "refused with token=***" });
    expect(calls).toMatchObject([{ error: failure, requestId: expect.stringContaining("more") }]);
    expect(calls[0]?.requestId?.length).toBeLessThanOrEqual(1_024);
  });
});
