import type { Clock } from "@cloudwright/core/model/time";
import { expect, it } from "vitest";
import { onceItAnswers } from "./migrate.ts";

const REFUSED = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });

it("waits for a database that does not respond yet", async () => {
  const { attempt, attempts } = failing(3, REFUSED);
  expect(await onceItAnswers(attempt, 10_000, clock())).toBe("migrated");
  expect(attempts()).toBe(4);
});

it("gives up when the time to wait is over", async () => {
  const { attempt, attempts } = failing(100, REFUSED);
  await expect(onceItAnswers(attempt, 5_000, clock())).rejects.toBe(REFUSED);
  expect(attempts()).toBe(6);
});

it("does not wait for a database that refuses", async () => {
  const denied = Object.assign(new Error("password authentication failed"), { code: "28P01" });
  const { attempt, attempts } = failing(1, denied);
  await expect(onceItAnswers(attempt, 10_000, clock())).rejects.toBe(denied);
  expect(attempts()).toBe(1);
});

function failing(times: number, error: Error) {
  let attempts = 0;
  return {
    attempts: () => attempts,
    attempt: async () => {
      attempts += 1;
      if (attempts <= times) throw error;
      return "migrated";
    },
  };
}

function clock(): Clock {
  let at = 0;
  return {
    now: () => at,
    monotonic: () => at,
    after: (delayMs, callback) => {
      at += delayMs;
      queueMicrotask(callback);
      return () => undefined;
    },
  };
}
