import { describe, expect, it } from "vitest";
import type { CallPriority } from "../../model/call-priority.ts";
import { ListingPace, type PacedBatch } from "./listing-pace.ts";

function batch(size: number, openedAt: number, priority: CallPriority = "new"): PacedBatch {
  return { pending: { size }, openedAt, sentAt: openedAt, priority: () => priority };
}

/** Returns the pace after a listing that started at 0 and took this long. */
function after(durationMs: number): ListingPace {
  const pace = new ListingPace();
  const listing = batch(50, 0);
  pace.began(listing);
  pace.ended(listing, durationMs);
  return pace;
}

describe("the pace of listings", () => {
  it("delays nobody who is not part of a wave", () => {
    expect(new ListingPace().waitMs(batch(1, 0), 0)).toBe(0);
    expect(new ListingPace().waitMs(batch(50, 0), 0)).toBe(0);
    expect(after(100).waitMs(batch(1, 6_000), 6_000)).toBe(0);
  });

  it.each([
    ["as long as the last one took", 800, 800],
    ["not less than a quarter of a second", 20, 250],
    ["not more than two seconds", 9_000, 2_000],
  ])("pauses between two for %s", (_how, durationMs, pauseMs) => {
    expect(after(durationMs).waitMs(batch(50, durationMs), durationMs)).toBe(pauseMs);
    expect(after(durationMs).waitMs(batch(50, durationMs), durationMs + pauseMs)).toBe(0);
  });

  it("does not pause when very many wait, nor for a user", () => {
    expect(after(800).waitMs(batch(128, 800), 800)).toBe(0);
    expect(after(800).waitMs(batch(1, 800, "person"), 800)).toBe(0);
  });

  it("gathers a few of a wave for a moment, even while a listing is in progress", () => {
    expect(after(100).waitMs(batch(2, 1_000), 1_010)).toBe(40);
    const pace = new ListingPace();
    pace.began(batch(50, 0));
    expect(pace.waitMs(batch(2, 60_000), 60_000)).toBe(50);
  });

  it("does not mistake a few that were read one by one for a wave", () => {
    const pace = new ListingPace();
    const few = batch(3, 0);
    pace.began(few);
    pace.ended(few, 50);
    expect(pace.waitMs(batch(1, 60), 60)).toBe(0);
  });
});
