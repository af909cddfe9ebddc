import { describe, expect, it } from "vitest";
import { boundedText, LONGEST_NOTE, startOf, visibleData, visibleText } from "./bounded-text.ts";

describe("a text from outside is bounded", () => {
  it("is returned unchanged if it fits", () => {
    expect(boundedText("fits", 4)).toBe("fits");
  });

  it("keeps the beginning, counts the rest, and is no longer than its bound", () => {
    const shown = boundedText("a-".repeat(100_000));
    expect(shown.length).toBeLessThanOrEqual(4_096);
    const [, kept = "", omitted] = /^((?:a-?)+)… \((\d+) more characters\)$/.exec(shown) ?? [];
    expect(kept.length + Number(omitted)).toBe(200_000);
  });

  it("changes nothing the second time", () => {
    const once = boundedText("x".repeat(10_000), 100);
    expect(boundedText(once, 100)).toBe(once);
  });

  it.each([
    [3, "ab"],
    [4, "ab\u{1f600}"],
    [9, "ab\u{1f600}cd"],
  ])("never ends in half a character (%d)", (most, start) => {
    expect(startOf("ab\u{1f600}cd", most)).toBe(start);
    expect(boundedText("\u{1f600}".repeat(999), most + LONGEST_NOTE).isWellFormed()).toBe(true);
  });
});

describe("an invisible character is shown as its escape", () => {
  it.each([
    ["web\u202egnp.exe", "web\\u202egnp.exe"],
    ["a\u2066b\u2069", "a\\u2066b\\u2069"],
    ["\u001b[31mred", "\\u001b[31mred"],
    ["nul\u0000 bell\u0007 c1\u0085", "nul\\u0000 bell\\u0007 c1\\u0085"],
    ["two\u2028lines", "two\\u2028lines"],
    ["ad\u200bmin", "ad\\u200bmin"],
    ["tab\tand\nline end", "tab\tand\nline end"],
    ["Düsseldorf 東京 مرحبا 👩‍💻", "Düsseldorf 東京 مرحبا 👩‍💻"],
  ])("%j", (text, shown) => {
    expect(visibleText(text)).toBe(shown);
  });

  it("and JSON text keeps its value", () => {
    const value = { name: 'a\\\u202e"b', list: ["\u2028", "\u009b"] };
    expect(JSON.parse(visibleText(JSON.stringify(value)))).toEqual(value);
  });

  it("in every text within data, which is copied only where it changes", () => {
    const date = new Date(0);
    const same = { deep: ["a"] };
    const data = { same, at: date, list: [{ name: "x\u202ey" }], "k\u200f": 1, none: null };
    const shown = visibleData(data) as typeof data;
    expect(shown).toEqual({
      same,
      at: date,
      list: [{ name: "x\\u202ey" }],
      "k\\u200f": 1,
      none: null,
    });
    expect([shown.same, shown.at, visibleData(same)]).toEqual([same, date, same]);
    expect(shown.same).toBe(same);
  });
});
