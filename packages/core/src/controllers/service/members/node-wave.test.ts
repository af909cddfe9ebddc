import { expect, it } from "vitest";
import { createManualClock } from "../../../model/testing/manual-clock.ts";
import { MemberChanges } from "./node-wave.ts";

function changes() {
  const clock = createManualClock();
  const acts: number[] = [];
  const wave = { isGathering: false };
  const act = () => void acts.push(clock.monotonic());
  return { clock, acts, wave, gathering: new MemberChanges({ clock, wave, act }) };
}

it("acts on a lone change within 5 ms", async () => {
  const { clock, acts, gathering } = changes();
  gathering.note();
  await clock.advance(10_000);
  expect(acts).toEqual([5]);
});

it.each<[string, number, number, readonly number[]]>([
  ["500 changes within 10 s", 20, 500, [5, 2_005, 6_005, 11_980]],
  ["20 bursts within 12 s", 600, 20, [5, 1_100, 5_100, 13_100]],
  ["a burst within 4 ms", 1, 4, [5]],
  ["a wave of 300 ms", 10, 30, [5, 790]],
])(
  "acts on %s at growing intervals, and when it becomes quiet",
  async (_, ...[gapMs, count, expected]) => {
    const { clock, acts, gathering } = changes();
    for (let index = 0; index < count; index += 1) {
      gathering.note();
      await clock.advance(gapMs);
    }
    await clock.advance(10_000);
    expect(acts).toEqual(expected);
  },
);

it("acts at once again on a change some time after a wave", async () => {
  const { clock, acts, gathering } = changes();
  gathering.note();
  await clock.advance(6_000);
  gathering.note();
  await clock.advance(5);
  expect(acts).toEqual([5, 6_005]);
});

it("reports that it gathers until it acts", async () => {
  const { clock, wave, gathering } = changes();
  gathering.note();
  expect(wave).toEqual({ isGathering: true });
  await clock.advance(5);
  expect(wave).toEqual({ isGathering: false });
});

it("acts no more once it is stopped", async () => {
  const { clock, acts, gathering } = changes();
  gathering.note();
  gathering.stop();
  await clock.advance(10_000);
  expect(acts).toEqual([]);
});
