import { expect, it } from "vitest";
import { createManualClock } from "../../model/testing/manual-clock.ts";
import { MemberChanges } from "./member-changes.ts";

function changes() {
  const clock = createManualClock();
  const acts: number[] = [];
  const gathering = new MemberChanges({ clock, act: () => void acts.push(clock.monotonic()) });
  return { clock, acts, gathering };
}

it("acts upon a lone change within 100 ms", async () => {
  const { clock, acts, gathering } = changes();
  gathering.note();
  await clock.advance(10_000);
  expect(acts).toEqual([100]);
});

it.each<[string, number, number, readonly number[]]>([
  ["500 changes within 10 s", 20, 500, [100, 1_100, 3_100, 7_100, 10_480]],
  ["a burst within 90 ms", 1, 90, [100]],
  ["a wave of 300 ms", 10, 30, [100, 790]],
])(
  "acts upon %s at growing gaps, and when it becomes quiet",
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

it("acts upon a change a while after a wave at once again", async () => {
  const { clock, acts, gathering } = changes();
  gathering.note();
  await clock.advance(6_000);
  gathering.note();
  await clock.advance(100);
  expect(acts).toEqual([100, 6_100]);
});

it("acts no more once it is stopped", async () => {
  const { clock, acts, gathering } = changes();
  gathering.note();
  gathering.stop();
  await clock.advance(10_000);
  expect(acts).toEqual([]);
});
