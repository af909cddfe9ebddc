import { describe, expect, it } from "vitest";
import { parseLabelSelector } from "./label-selector.ts";

const LABELS = { app: "web", tier: "front", size: "3", empty: "" };

describe("a label selector", () => {
  it.each([
    ["", true],
    ["app=web", true],
    ["app==web", true],
    ["app=db", false],
    ["app!=db", true],
    ["missing!=db", true],
    ["app", true],
    ["missing", false],
    ["!missing", true],
    ["!app", false],
    ["app in (web, db)", true],
    ["app in (db)", false],
    ["app notin (db)", true],
    ["missing notin (db)", true],
    ["app notin (web)", false],
    ["size > 2", true],
    ["size<3", false],
    ["missing>2", false],
    ["empty=", true],
    ["app=web,tier in (front),!missing", true],
    ["app=web,tier in (back)", false],
  ])("%s selects: %s", (selector, selected) => {
    expect(parseLabelSelector(selector)(LABELS)).toBe(selected);
  });

  it.each(["a=b=c", "a b", "=b", "a in b", "a in (b", "a>x", "a,,b"])("refuses %s", (selector) => {
    expect(() => parseLabelSelector(selector)).toThrow();
  });
});
