import { runInThisContext } from "node:vm";
import { LANGUAGES } from "@cloudwright/core/model/language/languages";
import { currentLanguage, speak, textParts } from "@cloudwright/core/model/language/text";
import { afterAll, expect, it } from "vitest";
import { catalogOf } from "./catalogs.ts";
import { messagesScript } from "./messages-script.ts";

afterAll(() => speak({ language: "en", catalogOf: () => undefined }));

/** As the code has it: a template with its values. */
function wordAgain(english: string): () => string {
  const texts = english.split(/\$\{\d+\}/);
  const template = Object.assign(texts, { raw: texts });
  const values = texts.slice(1).map((_, at) => `value ${at}`);
  return () => textParts(template, ...values).join("");
}

it.each(LANGUAGES.filter((language) => language !== "en"))(
  "a page words every message as the server does, in %s",
  (language) => {
    const messages = Object.keys(catalogOf(language) ?? {}).map(wordAgain);
    expect(messages.length).toBeGreaterThan(2_000);
    speak({ language, catalogOf });
    const onServer = messages.map((word) => word());
    runInThisContext(messagesScript(language) ?? "");
    expect(currentLanguage()).toBe(language);
    expect(messages.map((word) => word())).toEqual(onServer);
    const english = Object.keys(catalogOf(language) ?? {});
    const left = onServer.filter((text, at) => text === english[at]);
    expect(left.length).toBeLessThan(messages.length / 10);
  },
);

it("English needs no script", () => {
  expect(messagesScript("en")).toBeUndefined();
});
