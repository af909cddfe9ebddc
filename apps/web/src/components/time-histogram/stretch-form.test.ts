import { expect, it } from "vitest";
import { momentText, readMoments } from "./stretch-form.tsx";

const AT = Date.UTC(2026, 10, 24, 14, 2, 9);

it.each(["UTC", "local", "Asia/Kolkata"])(
  "a moment in %s survives a round trip through a field",
  (zone) => {
    const [from, to] = [momentText(AT, zone), momentText(AT + 60_000, zone)];
    expect(readMoments({ from, to, zone })).toEqual({ stretch: { from: AT, to: AT + 60_000 } });
  },
);

it("a moment in UTC is taken as written", () => {
  expect(momentText(AT, "UTC")).toBe("2026-11-24T14:02:09");
});

it.each([
  ["", "2026-11-24T14:02:09", /both times/],
  ["2026-11-24T14:02:09", "2026-11-24T14:02:09", /before the end/],
])("from %j to %j is not a stretch", (from, to, problem) => {
  expect(readMoments({ from, to, zone: "UTC" })).toEqual({
    problem: expect.stringMatching(problem),
  });
});
