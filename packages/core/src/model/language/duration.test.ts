// biome-ignore-all lint/suspicious/noTemplateCurlyInString: so catalogs name the values of a message
import { afterEach, describe, expect, it } from "vitest";
import { formatDuration } from "./duration.ts";
import type { Language } from "./languages.ts";
import { type Catalog, speak } from "./text.ts";

it.each([
  [0, "0 ms"],
  [840, "840 ms"],
  [4_200, "4.2 s"],
  [5_000, "5 s"],
  [31_400, "31 s"],
  [840_000, "14 min"],
  [12_000_000, "3 h 20 min"],
  [7_200_000, "2 h"],
  [432_000_000, "5 d"],
  [999.6, "1 s"],
  [9_960, "10 s"],
  [59_499, "59 s"],
  [59_700, "1 min"],
  [3_569_000, "59 min"],
  [3_590_000, "1 h"],
  [7_190_000, "2 h"],
  [172_790_000, "2 d"],
])("%d ms reads %s", (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

const CATALOGS: Partial<Record<Language, Catalog>> = {
  fr: { "${0} d": "${0} j" },
  zh: { "${0} s": "${0} 秒", "${0} h": "${0} 小时", "${0} h ${1} min": "${0} 小时 ${1} 分钟" },
};

describe("in another language", () => {
  afterEach(() => speak({ language: "en", catalogOf: () => undefined }));

  it.each([
    ["fr", 4_200, "4,2 s"],
    ["fr", 432_000_000, "5 j"],
    ["zh", 4_200, "4.2 秒"],
    ["zh", 31_400, "31 秒"],
    ["zh", 7_200_000, "2 小时"],
    ["zh", 12_000_000, "3 小时 20 分钟"],
  ] as const)("%s: %d ms reads %s", (language, ms, text) => {
    speak({ language, catalogOf: (asked) => CATALOGS[asked] });
    expect(formatDuration(ms)).toBe(text);
  });
});
