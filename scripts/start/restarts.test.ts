import { expect, it } from "vitest";
// @ts-expect-error The scripts are plain JavaScript, as they run before anything is installed.
import { createRestarts } from "./restarts.mjs";

const MINUTE_MS = 60_000;

it("restarts immediately, then later and later, at most half a minute apart", () => {
  const restarts = createRestarts({ now: () => 0 });
  const delays = Array.from({ length: 8 }, () => restarts.next("controller").delayMs);
  expect(delays).toEqual([0, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
});

it("reports how often it happened recently, and forgets what is older than ten minutes", () => {
  let now = 0;
  const restarts = createRestarts({ now: () => now });
  const sentences = [0, 4, 9, 10.5, 30].map((minute) => {
    now = minute * MINUTE_MS;
    return restarts.next("controller").sentence;
  });
  const lost = "The controller lost its Lease and is started anew";
  expect(sentences).toEqual([
    `${lost}.`,
    `${lost} in 1 s (2nd time in 10 min).`,
    `${lost} in 2 s (3rd time in 10 min).`,
    `${lost} in 2 s (3rd time in 10 min).`,
    `${lost}.`,
  ]);
});

it("uses the right plural", () => {
  const restarts = createRestarts({ now: () => 0 });
  const counts = Array.from({ length: 23 }, () => restarts.next("controller").sentence).map(
    (sentence) => /\((\S+) time/.exec(sentence)?.[1],
  );
  expect([10, 11, 12, 20, 21, 22].map((index) => counts[index])).toEqual([
    ...["11th", "12th", "13th", "21st", "22nd", "23rd"],
  ]);
});
