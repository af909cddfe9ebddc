import { describe, expect, it } from "vitest";
import { createManualClock } from "../../model/testing/manual-clock.ts";
import { StartThrottle } from "./start-throttle.ts";

describe("turns of the event loop", () => {
  it("start a burst sixteen at a time, in order", async () => {
    const clock = createManualClock();
    const startThrottle = new StartThrottle(clock);
    const begun: number[] = [];
    for (let run = 0; run < 40; run++) void startThrottle.next().then(() => begun.push(run));
    await Promise.resolve();
    expect(begun).toHaveLength(16);
    await clock.advance(0);
    expect(begun).toEqual(Array.from({ length: 40 }, (_, run) => run));
  });

  it("delay nothing that comes after the burst", async () => {
    const clock = createManualClock();
    const startThrottle = new StartThrottle(clock);
    const burst = Array.from({ length: 17 }, () => startThrottle.next());
    await clock.advance(0);
    await Promise.all(burst);
    await clock.advance(0);
    let begun = false;
    void startThrottle.next().then(() => {
      begun = true;
    });
    await Promise.resolve();
    expect(begun).toBe(true);
  });
});
