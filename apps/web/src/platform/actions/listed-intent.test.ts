import { expect, it } from "vitest";
import { speakIn } from "../../testing/speak-in.ts";
import { listedResult, resultLanguage } from "./listed-intent.ts";
import { intent } from "./testing/intents.ts";

const languageOf = (part: Parameters<typeof intent>[0]) => {
  const listed = intent({ state: "failed", ...part });
  return resultLanguage(listedResult(listed), listed);
};

it("marks a result as English if it has no translation", () => {
  const result = "An earlier release said this.";
  expect(languageOf({ result })).toBeUndefined();
  speakIn("fr");
  expect(languageOf({ result })).toBe("en");
  expect(languageOf({})).toBeUndefined();
});
