import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { currentLanguage, speak, t } from "@cloudwright/core/model/language/text";
import { afterAll, expect, it } from "vitest";
import { messagesAddress } from "./messages-script.ts";
import { inEnglish, inLanguageOf, languageOf, speakLanguages } from "./serve-languages.ts";

afterAll(() => speak({ language: "en", catalogOf: () => undefined }));

it.each([
  ["/c/a/nodes", {}, "en"],
  ["/c/a/nodes", { "accept-language": "fr-FR,fr;q=0.9" }, "fr"],
  ["/c/a/nodes", { "accept-language": "fr", cookie: "a=b; cloudwright.language=ja" }, "ja"],
  ["/c/a/nodes", { "accept-language": "fr", cookie: "cloudwright.language=xx" }, "fr"],
  ["/api/trpc/nodes.list", { "accept-language": "zh" }, "zh"],
  ["/api/v1/nodes", { "accept-language": "zh", cookie: "cloudwright.language=ja" }, "en"],
  ["/api/export?list=nodes", { cookie: "cloudwright.language=ja" }, "en"],
])("%s with %j is answered in %s", (url, headers, language) => {
  expect(languageOf({ url, headers })).toBe(language);
});

it("work without a request is worded in English", () => {
  speakLanguages();
  expect(currentLanguage()).toBe("en");
});

it("what is stored during a request is worded in English, also across an await", async () => {
  speakLanguages();
  const request = new IncomingMessage(new Socket());
  Object.assign(request, {
    url: "/api/trpc/incidents.share",
    headers: { "accept-language": "ja" },
  });
  const worded = () => t`You are not signed in.`;
  await inLanguageOf(request, async () => {
    expect(worded()).not.toBe("You are not signed in.");
    const kept = inEnglish(async () => {
      await Promise.resolve();
      return worded();
    });
    expect(await kept).toBe("You are not signed in.");
    expect(currentLanguage()).toBe("ja");
  });
});

it("English needs no messages, and the addresses of other languages' messages change with them", () => {
  expect(messagesAddress("en")).toBeUndefined();
  expect(messagesAddress("fr")).toMatch(/^\/messages\/fr\?v=[0-9a-f]{12}$/);
});
