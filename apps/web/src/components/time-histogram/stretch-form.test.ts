import { describe, expect, it } from "vitest";
import { momentText, readMoments } from "./stretch-form.tsx";

const MINUTE = 60_000;
const AT = Date.UTC(2026, 10, 24, 14, 2, 9);

it.each(["UTC", "local", "Asia/Kolkata"])(
  "a moment in %s survives a round trip through a field",
  (zone) => {
    const [from, to] = [momentText(AT, zone), momentText(AT + 60_000, zone)];
    expect(readMoments({ from, to, zone }, undefined)).toEqual({
      stretch: { from: AT, to: AT + 60_000 },
    });
  },
);

it("a moment in UTC is taken as written", () => {
  expect(momentText(AT, "UTC")).toBe("2026-11-24T14:02:09");
});

it.each([
  ["", "2026-11-24T14:02:09", /both times/],
  ["2026-11-24T14:02:09", "2026-11-24T14:02:09", /before the end/],
])("from %j to %j is not a stretch", (from, to, problem) => {
  expect(readMoments({ from, to, zone: "UTC" }, undefined)).toEqual({
    problem: expect.stringMatching(problem),
  });
});

it("fields that were not changed keep their moments to the millisecond", () => {
  const usual = { from: AT + 120, to: AT + 60_990 };
  const fields = { from: momentText(usual.from, "UTC"), to: momentText(usual.to, "UTC") };
  expect(readMoments({ ...fields, zone: "UTC" }, usual)).toEqual({ stretch: usual });
  const changed = { ...fields, to: momentText(AT + 120_000, "UTC"), zone: "UTC" };
  expect(readMoments(changed, usual)).toEqual({ stretch: { from: AT + 120, to: AT + 120_000 } });
});

describe("on the night on which clocks in Berlin are set back from 03:00 to 02:00", () => {
  const zone = "Europe/Berlin";
  const CHANGE = Date.UTC(2026, 9, 25, 1);

  it.each([
    ["over the change", { from: CHANGE - 30 * MINUTE, to: CHANGE + 10 * MINUTE }],
    ["after it", { from: CHANGE + 10 * MINUTE, to: CHANGE + 30 * MINUTE }],
    ["before it", { from: CHANGE - 50 * MINUTE, to: CHANGE - 30 * MINUTE }],
  ])("a stretch %s stays as it is when its form is sent unchanged", (_, usual) => {
    const fields = { from: momentText(usual.from, zone), to: momentText(usual.to, zone) };
    expect(readMoments({ ...fields, zone }, usual)).toEqual({ stretch: usual });
  });

  it("typed times take in both of the hours that they may mean", () => {
    const typed = { from: "2026-10-25T02:10", to: "2026-10-25T02:30", zone };
    expect(readMoments(typed, undefined)).toEqual({
      stretch: { from: CHANGE - 50 * MINUTE, to: CHANGE + 30 * MINUTE },
    });
  });
});
