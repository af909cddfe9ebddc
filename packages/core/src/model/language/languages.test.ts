import { expect, it } from "vitest";
import { languageAskedFor } from "./languages.ts";

it.each([
  ["fr", "fr"],
  ["fr-CA, fr;q=0.9, en;q=0.8", "fr"],
  ["zh-TW,zh;q=0.9", "zh"],
  ["de, ja;q=0.3, fr;q=0.7", "fr"],
  ["en-US, fr;q=0.9", "en"],
  ["FR-fr", "fr"],
  ["fr;q=0, ja;q=0.1", "ja"],
  ["de, es", "en"],
  ["*", "en"],
  ["", "en"],
  ["fr;q=much, ;;, ja", "ja"],
])("a browser that asks for %j gets %s", (acceptLanguage, language) => {
  expect(languageAskedFor(acceptLanguage)).toBe(language);
});
