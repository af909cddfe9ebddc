// biome-ignore-all lint/suspicious/noTemplateCurlyInString: so catalogs name the values of a message
import { expect, it } from "vitest";
import { byKey, messageKey } from "./message-key.ts";

it.each(["", "Held", "An object was held.", "节点"])("the key of %j is short", (text) => {
  expect(messageKey(text)).toMatch(/^[0-9a-z]{6}$/);
});

it("texts that differ in their order or in one letter have other keys", () => {
  const texts = ["ab", "ba", "a", "b", "${0} of ${1}", "${1} of ${0}"];
  expect(new Set(texts.map(messageKey)).size).toBe(texts.length);
});

it("a catalog has each translation under the key of its English text", () => {
  expect(byKey({ Held: "Gelé" })).toEqual({ [messageKey("Held")]: "Gelé" });
});
