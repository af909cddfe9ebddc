// biome-ignore-all lint/suspicious/noTemplateCurlyInString: so catalogs name the values of a message
import { afterEach, describe, expect, it } from "vitest";
import { type Counted, countOf, formatCount, formatDecimal, listed } from "./counts.ts";
import type { Language } from "./languages.ts";
import { type Catalog, speak } from "./text.ts";

const CATALOGS: Partial<Record<Language, Catalog>> = {
  fr: { "1 node": "1 nœud", "${0} nodes": "${0} nœuds" },
  zh: { "1 node": "1 个节点", "${0} nodes": "${0} 个节点" },
};

function speakIn(language: Language): void {
  speak({ language, catalogOf: (asked) => CATALOGS[asked] });
}

afterEach(() => speakIn("en"));

describe("a count", () => {
  it.each([
    ["en", 1, "1 node"],
    ["en", 0, "0 nodes"],
    ["en", 1204, "1,204 nodes"],
    ["fr", 1, "1 nœud"],
    ["fr", 1204, "1\u202f204 nœuds"],
    ["zh", 3, "3 个节点"],
    ["ja", 3, "3 nodes"],
  ] as const)("is worded in the language of its reader: %s, %d", (language, count, text) => {
    speakIn(language);
    expect(countOf(count, "node")).toBe(text);
  });

  it.each([
    ["entry", "1 entry", "2 entries"],
    ["node's routes", "1 node's routes", "2 nodes' routes"],
    ["held deletion", "1 held deletion", "2 held deletions"],
  ] as const satisfies readonly (readonly [Counted, string, string])[])(
    "has texts for one and for several %s",
    (what, one, two) => {
      expect([countOf(1, what), countOf(2, what)]).toEqual([one, two]);
    },
  );
});

describe("a number", () => {
  it.each([
    ["en", "10,000", "4.2"],
    ["fr", "10\u202f000", "4,2"],
    ["zh", "10,000", "4.2"],
    ["en", "10,000", "4.2"],
  ] as const)("is written as %s does, also after another language", (language, count, decimal) => {
    speakIn(language);
    expect([formatCount(10_000), formatDecimal(4.2)]).toEqual([count, decimal]);
  });
});

describe("a list", () => {
  it.each([
    ["en", [], ""],
    ["en", ["a"], "a"],
    ["en", ["a", "b"], "a and b"],
    ["en", ["a", "b", "c"], "a, b and c"],
    ["fr", ["a", "b", "c"], "a, b et c"],
    ["ja", ["a", "b", "c"], "a、b、c"],
  ] as const)("ends as %s does: %j", (language, words, text) => {
    speakIn(language);
    expect(listed(words)).toBe(text);
  });
});
