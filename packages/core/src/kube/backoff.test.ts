import { describe, expect, it } from "vitest";
import { createBackoff } from "./backoff.ts";

describe("the backoff", () => {
  it("doubles up to its maximum and starts again after a success", () => {
    const backoff = createBackoff(200, 1_000, () => 1);
    expect([backoff.next(), backoff.next(), backoff.next(), backoff.next()]).toEqual([
      200, 400, 800, 1_000,
    ]);
    backoff.reset();
    expect(backoff.next()).toBe(200);
  });

  it("randomises half of the delay", () => {
    expect(createBackoff(200, 1_000, () => 0).next()).toBe(100);
  });
});
