import { createManualClock, type ManualClock } from "@cloudwright/core/model/testing/manual-clock";
import { beforeEach, expect, test } from "vitest";
import { createWaiting, type Waiting } from "./waiting.ts";
import { type Yielding, yieldToBursts } from "./yielding.ts";

let clock: ManualClock;
let waiting: Waiting;
let isOn: boolean;
let bytes: number;
let yielding: Yielding;
beforeEach(() => {
  clock = createManualClock();
  waiting = createWaiting(clock);
  isOn = true;
  bytes = 0;
  const stats = () => ({ ...NOTHING_LOST, bytes, maxBytes: 1_000 });
  const burst = { appended: () => undefined, isOn: () => isOn };
  yielding = yieldToBursts({ spool: { stats }, clock, burst, waiting });
});

const NOTHING_LOST = {
  droppedRecords: 0,
  droppedSegments: 0,
  droppedCalls: 0,
  damagedLines: 0,
  lastError: undefined,
};

/** Returns the milliseconds until the next turn; undefined when it has not come within `ms`. */
async function turnWithin(ms: number, urgent = () => false): Promise<number | undefined> {
  const from = clock.monotonic();
  let at: number | undefined;
  void yielding.turn(urgent).then(() => {
    at = clock.monotonic() - from;
  });
  await clock.advance(ms);
  return at;
}

test("without a burst the turn comes at once", async () => {
  isOn = false;
  expect(await turnWithin(0)).toBe(0);
});

test("a burst goes first, for 15 s at most", async () => {
  expect(await turnWithin(14_000)).toBeUndefined();
});

test("after that everything is drained before another burst may go first", async () => {
  expect(await turnWithin(16_000)).toBe(15_000);
  expect(await turnWithin(0)).toBe(0);
  yielding.caughtUp();
  expect(await turnWithin(1_000)).toBeUndefined();
});

test("the turn comes soon after the burst", async () => {
  const turn = turnWithin(1_000);
  isOn = false;
  expect(await turn).toBe(250);
});

test("a spool that is filling up is drained", async () => {
  bytes = 250;
  expect(await turnWithin(0)).toBe(0);
});

test("a process that is ending does not wait, nor continue to wait", async () => {
  expect(await turnWithin(0, () => true)).toBe(0);
  let isEnding = false;
  let came = false;
  void yielding
    .turn(() => isEnding)
    .then(() => {
      came = true;
    });
  await clock.advance(100);
  expect(came).toBe(false);
  isEnding = true;
  waiting.stop();
  await clock.advance(0);
  expect(came).toBe(true);
});
