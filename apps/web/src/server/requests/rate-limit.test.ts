import { expect, it } from "vitest";
import { rateLimiter } from "./rate-limit.ts";

it("allows a number of attempts per key and window, and again once the window has passed", () => {
  const limiter = rateLimiter({ attempts: 2, withinMs: 1_000 });
  expect(limiter.allow("a", 0)).toBe(true);
  expect(limiter.allow("a", 400)).toBe(true);
  expect(limiter.allow("a", 900)).toBe(false);
  expect(limiter.allow("b", 900)).toBe(true);
  expect(limiter.allow("a", 1_000)).toBe(true);
  expect(limiter.allow("a", 1_100)).toBe(false);
});
