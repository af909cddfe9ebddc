import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { catalogOf } from "../../../server/language/catalogs.ts";
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
    JSON.stringify([source.language, source.catalogOf("fr")])`;
  expect(JSON.parse(runInNewContext(read))).toEqual(["fr", catalogOf("fr")]);
});

it.each(["en", "de", "constructor"])("there are no messages of %s", async (language) => {
  expect((await get(language)).status).toBe(404);
});
