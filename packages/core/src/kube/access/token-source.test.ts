import { describe, expect, it } from "vitest";
import { KubeError } from "../errors.ts";
import { createManualClock, type ManualClock } from "../testing/manual-clock.ts";
import { createTokenSource, type IssuedToken, type TokenSource } from "./token-source.ts";

const HOUR_MS = 3_600_000;

interface Fixture {
  readonly clock: ManualClock;
  readonly source: TokenSource;
  readonly asked: number[];
  readonly errors: unknown[];
  /** The error of the next requests; undefined lets them through. */
  failure: KubeError | undefined;
  lifeMs: number;
}

function fixture(): Fixture {
  const clock = createManualClock();
  const start = clock.now();
  const asked: number[] = [];
  const errors: unknown[] = [];
  const issue = async (): Promise<IssuedToken> => {
    asked.push(clock.now() - start);
    if (made.failure !== undefined) throw made.failure;
    return { token: `token-${asked.length}`, expiresAt: clock.now() + made.lifeMs };
  };
  const source = createTokenSource({ issue, clock, onError: (error) => errors.push(error) });
  const made: Fixture = { clock, source, asked, errors, failure: undefined, lifeMs: HOUR_MS };
  return made;
}

function refusal(): KubeError {
  return new KubeError("Unavailable", "down", { verb: "create", resource: "token" });
}

describe("a token source", () => {
  it("requests once for many callers that want a token at the same time", async () => {
    const { source, asked } = fixture();
    const tokens = await Promise.all([source.get(), source.get(), source.get()]);
    expect(tokens).toEqual(["token-1", "token-1", "token-1"]);
    expect(asked).toHaveLength(1);
  });

  it("keeps a token until a fifth of its lifetime is left, then renews it while calls go on", async () => {
    const { source, asked, clock } = fixture();
    await source.get();
    await clock.advance(0.8 * HOUR_MS - 1);
    expect(await source.get()).toBe("token-1");
    expect(asked).toHaveLength(1);
    await clock.advance(1);
    expect(await source.get()).toBe("token-1");
    await clock.advance(0);
    expect(asked).toHaveLength(2);
    expect(await source.get()).toBe("token-2");
  });

  it("waits for a new token when the old one has expired", async () => {
    const { source, clock } = fixture();
    await source.get();
    await clock.jump(HOUR_MS);
    expect(await source.get()).toBe("token-2");
  });

  it.each([1, 60_000, 599_999, -HOUR_MS])(
    "treats a lifetime of %i ms as ten minutes, as only a wrong clock makes it so short",
    async (lifeMs) => {
      const made = fixture();
      made.lifeMs = lifeMs;
      await made.source.get();
      await made.clock.advance(480_000 - 1);
      await made.source.get();
      expect(made.asked).toHaveLength(1);
      await made.clock.advance(1);
      await made.source.get();
      expect(made.asked).toHaveLength(2);
    },
  );

  it("tries four times, half a second, one and two seconds apart, and then reports why", async () => {
    const made = fixture();
    made.failure = refusal();
    const refused = expect(made.source.get()).rejects.toBe(made.failure);
    await made.clock.advance(10_000);
    await refused;
    expect(made.asked).toEqual([0, 500, 1_500, 3_500]);
  });

  it("has a token as soon as one attempt succeeds", async () => {
    const made = fixture();
    made.failure = refusal();
    const got = made.source.get();
    await made.clock.advance(400);
    made.failure = undefined;
    await made.clock.advance(100);
    expect(await got).toBe("token-2");
  });

  it("goes on with the old token while a renewal fails, and renews again after a while", async () => {
    const made = fixture();
    await made.source.get();
    await made.clock.advance(0.8 * HOUR_MS);
    made.failure = refusal();
    await made.source.get();
    await made.clock.advance(3_500);
    expect(made.errors).toEqual([made.failure]);
    expect(made.asked).toHaveLength(5);
    expect(await made.source.get()).toBe("token-1");
    await made.clock.advance(9_999);
    await made.source.get();
    expect(made.asked).toHaveLength(5);
    made.failure = undefined;
    await made.clock.advance(1);
    await made.source.get();
    await made.clock.advance(0);
    expect(await made.source.get()).toBe("token-6");
  });

  it("requests a new token when the old one was refused, as that of a recreated account is", async () => {
    const { source, clock } = fixture();
    await source.get();
    await clock.advance(5_000);
    source.forget();
    expect(await source.get()).toBe("token-2");
  });

  it("attributes a refusal right after a new token to the token before", async () => {
    const { source, clock, asked } = fixture();
    await source.get();
    await clock.advance(5_000);
    source.forget();
    await source.get();
    for (let late = 0; late < 20; late += 1) source.forget();
    expect(await source.get()).toBe("token-2");
    expect(asked).toHaveLength(2);
  });
});
