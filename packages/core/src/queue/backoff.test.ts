import { describe, expect, it } from "vitest";
import {
  type Backoff,
  backoffDelay,
  CLEANUP_BACKOFF,
  NODE_BACKOFF,
  ROUTE_BACKOFF,
  SERVICE_BACKOFF,
} from "./backoff.ts";

const middle = () => 0.5;
const PLAIN: Backoff = { baseMs: 1_000, maxMs: 60_000 };

describe("how long a failing key is left alone", () => {
  it.each([
    [1, 1_000],
    [2, 2_000],
    [3, 4_000],
    [6, 32_000],
    [7, 60_000],
    [8, 60_000],
    [2_000, 60_000],
  ])("after %i failures: %i ms", (failures, ms) => {
    expect(backoffDelay(PLAIN, failures, middle)).toBe(ms);
  });

  it("is never less than after the first failure", () => {
    expect(backoffDelay(PLAIN, 0, middle)).toBe(1_000);
    expect(backoffDelay(PLAIN, -3, middle)).toBe(1_000);
  });

  it("spreads to both sides of the delay by its share, and not at all without one", () => {
    const spread = { ...PLAIN, jitter: 0.1 };
    expect(backoffDelay(spread, 1, () => 0)).toBeCloseTo(900);
    expect(backoffDelay(spread, 1, middle)).toBe(1_000);
    expect(backoffDelay(spread, 1, () => 1)).toBeCloseTo(1_100);
    expect(backoffDelay(PLAIN, 1, () => 0)).toBe(1_000);
  });

  it.each([
    ["a node at first 5 ms, at most five minutes", NODE_BACKOFF, 5, 300_000],
    ["a Service as upstream does", SERVICE_BACKOFF, 5_000, 300_000],
    ["a Service that waits for its end, at most half a minute", CLEANUP_BACKOFF, 5_000, 30_000],
    ["a route at most a minute", ROUTE_BACKOFF, 1_000, 60_000],
  ] as const)("leaves %s", (...[_whom, backoff, first, longest]) => {
    expect(backoffDelay(backoff, 1, middle)).toBe(first);
    expect(backoffDelay(backoff, 100, middle)).toBe(longest);
  });

  it("is the same for Services that fail together, so that they share the next observation", () => {
    expect(backoffDelay(SERVICE_BACKOFF, 2, () => 0)).toBe(
      backoffDelay(SERVICE_BACKOFF, 2, () => 1),
    );
  });
});
