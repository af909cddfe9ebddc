import { describe, expect, it } from "vitest";
import type { Send } from "../call-context.ts";
import { ProviderError } from "../errors.ts";
import { NotSent } from "./fenced-dispatch.ts";
import { type FencedCall, heldBack, sendFenced } from "./send-fenced.ts";

const READ = { operation: "GET /v1/servers", target: "w-9", mutates: false };
const WRITE = { operation: "POST /v1/servers", target: "w-9", mutates: true };
const REF = { provider: "sandbox", operation: WRITE.operation };

function fixture(over: Partial<FencedCall> = {}) {
  const run = new AbortController();
  const timers = new Set<() => void>();
  const call: FencedCall = {
    provider: "sandbox",
    description: WRITE,
    signal: run.signal,
    deadlineMs: 10_000,
    fence: () => true,
    after: (_ms, callback) => {
      timers.add(callback);
      return () => timers.delete(callback);
    },
    ...over,
  };
  return {
    call,
    run,
    timers,
    passDeadline: () => {
      for (const callback of timers) callback();
    },
  };
}

/** A cloud that never answers; it gives up with the signal. */
const silent: Send<never> = (signal) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });

const failing =
  (error: unknown): Send<never> =>
  () =>
    Promise.reject(error);

describe("a request", () => {
  it("is answered, and leaves no timer behind", async () => {
    const { call, timers } = fixture();
    expect(await sendFenced(call, async () => ({ value: 7, status: 200 }))).toEqual({
      value: 7,
      status: 200,
    });
    expect(timers.size).toBe(0);
  });

  it("whose caller no longer waits is not sent", async () => {
    const { call, run } = fixture();
    run.abort(new Error("the run is over"));
    let isSent = false;
    const sent = sendFenced(call, async () => {
      isSent = true;
      return { value: 1, status: 200 };
    });
    await expect(sent).rejects.toThrow("the run is over");
    expect(isSent).toBe(false);
  });

  it.each([
    ["a read", READ, undefined],
    ["a write, which may have been done", WRITE, true],
  ])("without an answer in time is given up: %s", async (_what, description, mayBeDone) => {
    const { call, passDeadline } = fixture({ description });
    const sent = sendFenced(call, silent);
    passDeadline();
    const thrown = await sent.catch((error: unknown) => error);
    expect(thrown).toMatchObject({ code: "TimedOut", call: { retryAfterMs: 10_000 } });
    expect((thrown as ProviderError).message).toMatch(/^sandbox did not answer .* in time\.$/);
    expect((thrown as ProviderError).call.mayBeDone).toBe(mayBeDone);
  });

  it("is abandoned although the sender ignores its signal", async () => {
    const { call, passDeadline } = fixture({ description: READ });
    const sent = sendFenced<never>(call, () => new Promise(() => undefined));
    passDeadline();
    await expect(sent).rejects.toMatchObject({ code: "TimedOut" });
  });

  it("of a read whose run ended fails with the run's own reason", async () => {
    const { call, run } = fixture({ description: READ });
    const sent = sendFenced(call, silent);
    run.abort(new Error("the run is over"));
    await expect(sent).rejects.toThrow("the run is over");
  });

  it("of a write whose run ended may have been done: the next observation shows it", async () => {
    const { call, run } = fixture();
    const sent = sendFenced(call, silent);
    run.abort(new Error("the run is over"));
    await expect(sent).rejects.toMatchObject({
      code: "Unavailable",
      call: { mayBeDone: true, operation: WRITE.operation, target: "w-9" },
    });
  });
});

describe("the fence", () => {
  it("holds back writes and nothing else", () => {
    const fence = () => false;
    expect(heldBack(fixture({ fence, description: READ }).call)).toBeUndefined();
    expect(heldBack(fixture().call)).toBeUndefined();
    expect(heldBack(fixture({ fence }).call)).toMatchObject({
      code: "Unavailable",
      call: { fenced: true, operation: WRITE.operation },
    });
  });

  it("is checked again as the first byte leaves: the Lease may have been lost while connecting", async () => {
    let leads = true;
    const { call } = fixture({ fence: () => leads });
    const sent = sendFenced(call, async (_signal, mayLeave) => {
      leads = false;
      if (!mayLeave()) throw new NotSent("held back");
      return { value: 1, status: 200 };
    });
    await expect(sent).rejects.toMatchObject({ code: "Unavailable", call: { fenced: true } });
  });

  it("is recognised in an error that a client library wrapped around it", async () => {
    const wrapped = new Error("request failed", { cause: new NotSent("held back") });
    const sent = sendFenced(fixture().call, failing(wrapped));
    await expect(sent).rejects.toMatchObject({ call: { fenced: true } });
  });

  it("that held a write back reports that it was not done", async () => {
    const sent = sendFenced(fixture().call, failing(new NotSent("held back")));
    await expect(sent).rejects.not.toMatchObject({ call: { mayBeDone: true } });
  });
});

describe("a write that failed", () => {
  const refused = { ...REF, status: 503 };
  const nobodyThere = Object.assign(new Error("connect"), { code: "ECONNREFUSED" });
  const reset = Object.assign(new Error("reset"), { code: "ECONNRESET" });

  it.each<[what: string, ProviderError, mayBeDone: boolean | undefined]>([
    ["whose answer was lost", new ProviderError("Unavailable", "x", REF), true],
    [
      "whose connection broke",
      new ProviderError("Unavailable", "x", { ...REF, cause: reset }),
      true,
    ],
    [
      "which never left, as nobody was there",
      new ProviderError("Unavailable", "x", { ...REF, cause: nobodyThere }),
      undefined,
    ],
    ["which the cloud refused", new ProviderError("Unavailable", "x", refused), undefined],
    [
      "whose answer is too large to read, whatever its status",
      new ProviderError("OutOfBounds", "x", { ...REF, status: 200 }),
      true,
    ],
    ["which is in conflict", new ProviderError("Conflict", "x", REF), undefined],
    [
      "of which the provider knows that it was not done",
      new ProviderError("Unavailable", "x", { ...REF, mayBeDone: false }),
      false,
    ],
  ])("%s", async (_what, error, mayBeDone) => {
    const sent = sendFenced(fixture().call, failing(error));
    const thrown: unknown = await sent.catch((caught: unknown) => caught);
    expect(thrown).toMatchObject({ code: error.code, message: "x" });
    expect(thrown).toHaveProperty("call.operation", WRITE.operation);
    expect((thrown as ProviderError).call.mayBeDone).toBe(mayBeDone);
  });

  it("for a cause that is not the cloud's is thrown unchanged", async () => {
    const defect = new TypeError("x is not a function");
    await expect(sendFenced(fixture().call, failing(defect))).rejects.toBe(defect);
  });

  it("that was only a read does not mention it in its error", async () => {
    const lost = new ProviderError("Unavailable", "x", REF);
    await expect(sendFenced(fixture({ description: READ }).call, failing(lost))).rejects.toBe(lost);
  });
});
