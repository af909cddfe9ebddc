import { describe, expect, it } from "vitest";
import { type SignInDelays, signInDelays } from "./sign-in-delays.ts";

const ANA = "ana@example.org";
const HERE = { address: "192.0.2.1", email: ANA };
const QUARTER_HOUR_MS = 15 * 60_000;

/** Returns the delays of `count` wrong passwords in a row. */
function wrongOnes(delays: SignInDelays, count: number, attempt = HERE): readonly unknown[] {
  return Array.from({ length: count }, () => {
    const delay = delays.begin(attempt, 0);
    delays.end(attempt, { outcome: "refused", now: 0 });
    return delay;
  });
}

describe("repeated wrong passwords", () => {
  it("are free at first, then delayed twice as long each time, up to ten seconds", () => {
    expect(wrongOnes(signInDelays(), 9)).toEqual([
      0, 0, 0, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000,
    ]);
  });

  it("delay the same account from another address, but never lock it out", () => {
    const delays = signInDelays();
    for (let address = 0; address < 500; address += 1) {
      wrongOnes(delays, 1, { address: `198.51.100.${address}`, email: ANA });
    }
    expect(delays.begin(HERE, 0)).toBe(10_000);
  });

  it("delay other accounts from the same address", () => {
    const delays = signInDelays();
    for (let one = 0; one < 5; one += 1) {
      wrongOnes(delays, 1, { ...HERE, email: `${one}@example.org` });
    }
    expect(delays.begin({ ...HERE, email: "bo@example.org" }, 0)).toBe(4_000);
    expect(delays.begin({ address: "203.0.113.9", email: "cy@example.org" }, 0)).toBe(0);
  });

  it("are forgotten after a quarter of an hour without any", () => {
    const delays = signInDelays();
    wrongOnes(delays, 9);
    expect(delays.begin(HERE, QUARTER_HOUR_MS - 1)).toBe(10_000);
    delays.end(HERE, { outcome: "signed-in", now: 0 });
    expect(delays.begin(HERE, QUARTER_HOUR_MS)).toBe(0);
  });

  it("are cleared for the account by the right one, but not for the address", () => {
    const delays = signInDelays();
    wrongOnes(delays, 9);
    delays.begin(HERE, 0);
    delays.end(HERE, { outcome: "signed-in", now: 0 });
    expect(delays.begin({ ...HERE, address: "203.0.113.9" }, 0)).toBe(0);
    expect(delays.begin({ ...HERE, email: "bo@example.org" }, 0)).toBe(10_000);
  });
});

describe("wrong codes", () => {
  const CODE = { ...HERE, step: "code" } as const;

  it("are delayed together with wrong passwords", () => {
    const delays = signInDelays();
    wrongOnes(delays, 2);
    expect(wrongOnes(delays, 3, CODE)).toEqual([0, 1_000, 2_000]);
  });

  it("are not cleared by the password alone, which anyone guessing codes has", () => {
    const delays = signInDelays();
    wrongOnes(delays, 9, CODE);
    delays.begin(HERE, 0);
    delays.end(HERE, { outcome: "code", now: 0 });
    expect(delays.begin(CODE, 0)).toBe(10_000);
    delays.end(CODE, { outcome: "signed-in", now: 0 });
    expect(delays.begin({ ...CODE, address: "203.0.113.9" }, 0)).toBe(0);
  });

  it("wait at most two at once per account, from whatever address", () => {
    const delays = signInDelays();
    const from = (address: string) => delays.begin({ ...CODE, address }, 0);
    expect(["1", "2", "3", "4"].map(from)).toEqual([0, 0, undefined, undefined]);
    expect(delays.begin({ ...CODE, email: "bo@example.org" }, 0)).toBe(0);
  });
});

describe("waiting attempts", () => {
  it("are at most two per address and account, ten per address, and a hundred in total", () => {
    const delays = signInDelays();
    const first = (count: number, attempt: (index: number) => typeof HERE) =>
      Array.from({ length: count }, (_, index) => delays.begin(attempt(index), 0)).filter(
        (delay) => delay !== undefined,
      ).length;
    expect(first(3, () => HERE)).toBe(2);
    expect(first(20, (index) => ({ ...HERE, email: `${index}@example.org` }))).toBe(8);
    expect(first(200, (index) => ({ address: `${index}`, email: `${index}` }))).toBe(90);
    delays.end(HERE, { outcome: "signed-in", now: 0 });
    expect(delays.begin(HERE, 0)).toBe(0);
  });
});
