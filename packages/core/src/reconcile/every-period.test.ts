import { expect, it } from "vitest";
import { createManualClock } from "../model/testing/manual-clock.ts";
import { settable } from "../model/testing/settable.ts";
import { everyPeriod, type Pace } from "./every-period.ts";

it("returns when it is due next, even after it ran and after the period changed, and undefined once it has ended", async () => {
  const clock = createManualClock();
  const began = clock.now();
  const period = settable(1_000);
  const pace: Pace = { nextAt: undefined };
  let done = 0;
  const stop = everyPeriod({ clock, period, pace }, () => {
    done += 1;
  });
  expect(pace.nextAt).toBe(began + 1_000);
  await clock.advance(1_000);
  expect([done, pace.nextAt]).toEqual([1, began + 2_000]);
  await clock.advance(200);
  period.set(5_000);
  expect(pace.nextAt).toBe(began + 6_000);
  period.set(100);
  expect(pace.nextAt).toBe(began + 1_200);
  await clock.advance(0);
  expect([done, pace.nextAt]).toEqual([2, began + 1_300]);
  stop();
  expect(pace.nextAt).toBeUndefined();
});
