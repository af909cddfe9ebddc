import { createManualClock, type ManualClock } from "@cloudwright/core/model/testing/manual-clock";
import { beforeEach, expect, test } from "vitest";
import { type Burst, watchBurst } from "./yielding.ts";

let clock: ManualClock;
let waitedMs: number;
let burst: Burst;
beforeEach(() => {
  clock = createManualClock();
  waitedMs = 5_000;
  burst = watchBurst({ clock, processorWaitMs: () => waitedMs });
});

interface Passed {
  readonly seconds: number;
  readonly records: number;
  readonly waited: number;
}

async function pass({ seconds, records, waited }: Passed): Promise<boolean> {
  for (let count = 0; count < records; count += 1) burst.appended();
  waitedMs += waited;
  await clock.advance(seconds * 1_000);
  return burst.isOn();
}

test.each<[string, Passed, boolean]>([
  ["many records in a tenth of waiting", { seconds: 1, records: 100, waited: 100 }, true],
  ["as many where processors are free", { seconds: 1, records: 100, waited: 99 }, false],
  ["few on a machine that has other work", { seconds: 1, records: 99, waited: 900 }, false],
  ["many of long ago", { seconds: 60, records: 5_000, waited: 30_000 }, false],
  ["none in no time", { seconds: 0, records: 0, waited: 0 }, false],
])("%s", async (_what, passed, isOn) => {
  expect(await pass(passed)).toBe(isOn);
});

test("only records since the last check count", async () => {
  expect(await pass({ seconds: 1, records: 1_000, waited: 500 })).toBe(true);
  expect(await pass({ seconds: 1, records: 10, waited: 500 })).toBe(false);
  expect(await pass({ seconds: 1, records: 1_000, waited: 0 })).toBe(false);
  expect(await pass({ seconds: 1, records: 1_000, waited: 500 })).toBe(true);
});
