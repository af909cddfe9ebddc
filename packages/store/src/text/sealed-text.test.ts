import { expect, it } from "vitest";
import { openText, sealText } from "./sealed-text.ts";

const SEAL = { secret: "s".repeat(32), purpose: "test" };

it("is opened with the same secret, for the same purpose", () => {
  const sealed = sealText("grüße", SEAL);
  expect(openText(sealed, SEAL)).toBe("grüße");
  expect(sealed).not.toContain("gr");
});

it("differs each time", () => {
  expect(sealText("a", SEAL)).not.toBe(sealText("a", SEAL));
});

it.each([
  ["another secret", { ...SEAL, secret: "t".repeat(32) }],
  ["another purpose", { ...SEAL, purpose: "other" }],
])("is not opened with %s", (_, seal) => {
  expect(openText(sealText("a", SEAL), seal)).toBeUndefined();
});

it.each([
  ["nothing", () => ""],
  ["what was never sealed", () => "a".repeat(60)],
  ["what was cut", (sealed: string) => sealed.slice(0, -4)],
  ["what was changed", (sealed: string) => `${sealed.slice(0, -4)}AAAA`],
])("is not %s", (_, change) => {
  expect(openText(change(sealText("a text", SEAL)), SEAL)).toBeUndefined();
});
