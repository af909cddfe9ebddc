import { runInThisContext } from "node:vm";
import { LANGUAGES } from "@cloudwright/core/model/language/languages";
import { currentLanguage, speak, textParts } from "@cloudwright/core/model/language/text";
import { afterAll, expect, it } from "vitest";
import { catalogOf } from "./catalogs.ts";
import { messagesScript, textsOnPages } from "./messages-script.ts";

afterAll(() => speak({ language: "en", catalogOf: () => undefined }));

/** Returns the message as in the code: a template with its values. */
function wordAgain(english: string): () => string {
  const texts = english.split(/\$\{\d+\}/);
  const template = Object.assign(texts, { raw: texts });
  const values = texts.slice(1).map((_, at) => `value ${at}`);
  return () => textParts(template, ...values).join("");
}

it.each(LANGUAGES.filter((language) => language !== "en"))(
  "a page words every message that it may say as the server does, in %s",
  (language) => {
    const english = textsOnPages(catalogOf(language) ?? {});
    const messages = english.map(wordAgain);
    expect(messages.length).toBeGreaterThan(2_000);
    speak({ language, catalogOf });
    const onServer = messages.map((word) => word());
    runInThisContext(messagesScript(language) ?? "");
    expect(currentLanguage()).toBe(language);
    expect(messages.map((word) => word())).toEqual(onServer);
    const left = onServer.filter((text, at) => text === english[at]);
    expect(left.length).toBeLessThan(messages.length / 10);
  },
);

it("English needs no script", () => {
  expect(messagesScript("en")).toBeUndefined();
});

it("messages that only the server uses are not sent", () => {
  const catalog = catalogOf("fr") ?? {};
  const kept = Object.keys(catalog).length - textsOnPages(catalog).length;
  expect(kept).toBeGreaterThan(100);
  expect(messagesScript("fr")).not.toContain(catalog["Signed in with a sign-in link"]);
});
