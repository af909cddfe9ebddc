import { runInNewContext } from "node:vm";
import { messageKey } from "@cloudwright/core/model/language/message-key";
import { expect, it } from "vitest";
import { catalogOf } from "../../../server/language/catalogs.ts";
import { textsOnPages } from "../../../server/language/messages-script.ts";
import { GET } from "./route.ts";

function get(language: string): Promise<Response> {
  const params = Promise.resolve({ language });
  return GET(new Request(`http://dashboard/messages/${language}`), { params });
}

it("a page that runs the script has the language and its messages", async () => {
  const answer = await get("fr");
  expect(answer.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
  const read = `${await answer.text()}
    const source = globalThis[Symbol.for("cloudwright.language")];
    JSON.stringify([source.language, source.seed, source.catalogOf("fr")])`;
  const [language, seed, messages] = JSON.parse(runInNewContext(read));
  expect(language).toBe("fr");
  const catalog = catalogOf("fr") ?? {};
  const wanted = textsOnPages(catalog);
  expect(wanted.length).toBeGreaterThan(2_000);
  expect(messages).toEqual(
    Object.fromEntries(wanted.map((text) => [messageKey(text, seed), catalog[text]])),
  );
  expect(Object.keys(messages)).toHaveLength(wanted.length);
});

it.each(["en", "de", "constructor"])("there are no messages of %s", async (language) => {
  expect((await get(language)).status).toBe(404);
});
