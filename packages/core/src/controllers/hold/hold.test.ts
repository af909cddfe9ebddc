import { describe, expect, it } from "vitest";
import { node } from "../testing/node-fixture.ts";
import { HOLD_ANNOTATION, HOLD_UNTIL_ANNOTATION, holdOf, problemOfHold } from "./hold.ts";

const END = Date.parse("2026-11-22T08:00:00Z");

function held(until: string) {
  return node({ annotations: { [HOLD_ANNOTATION]: "racks", [HOLD_UNTIL_ANNOTATION]: until } });
}

describe("the end of a hold that somebody wrote by hand", () => {
  it.each([
    "2026-11-22T08:00:00Z",
    "2026-11-22T08:00:00.000Z",
    "2026-11-22T09:30:00+01:30",
    "2026-11-22T00:00:00-08:00",
    "2026-11-22 08:00:00+00:00",
    "2026-11-22t08:00:00z",
    " 2026-11-22T08:00:00Z ",
  ])("is parsed from %j", (until) => {
    expect(holdOf(held(until))?.untilMs).toBe(END);
    expect(problemOfHold(held(until))).toBeUndefined();
  });

  it.each([
    "",
    "tomorrow",
    "1795334400",
    "2026-11-22",
    "2026-02-30T08:00:00Z",
    "2026-11-22T08:00:00",
  ])("is ignored and reported when it is %j", (until) => {
    expect(holdOf(held(until))).toEqual({ code: "HeldByAnnotation", why: "racks" });
    expect(problemOfHold(held(until))?.problem).toContain("no end");
  });
});
