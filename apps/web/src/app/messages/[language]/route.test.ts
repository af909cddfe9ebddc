import { createContext, runInContext } from "node:vm";
import { messageKey } from "@cloudwright/core/model/language/message-key";
import { afterEach, expect, it } from "vitest";
import { catalogOf } from "../../../server/language/catalogs.ts";
import { messagesAddress } from "../../../server/language/messages-script.ts";
import { processWide } from "../../../server/process-wide.ts";
import { GET } from "./route.ts";

const BUILT = {
  texts: ["Nodes", "Held"],
  chunks: { nodes: [0], shell: [1] },
  pages: { "/c/[cluster]/nodes": ["nodes", "shell"] },
};

afterEach(() => setBuilt(undefined));

/** As a server has it that was built. */
function setBuilt(built: typeof BUILT | undefined): void {
  Object.assign(
    processWide("page-messages", () => ({})),
    { read: built },
  );
}

function get(address: string): Promise<Response> {
  const { pathname } = new URL(address, "http://dashboard");
  const language = pathname.split("/").at(-1) ?? "";
  const params = Promise.resolve({ language });
  return GET(new Request(new URL(address, "http://dashboard")), { params });
}

/** What a page has once it has run these scripts, in order. */
async function afterRunning(...addresses: readonly string[]): Promise<unknown> {
  const page = createContext({});
  for (const address of addresses) runInContext(await (await get(address)).text(), page);
  const read = `const source = globalThis[Symbol.for("cloudwright.language")];
    JSON.stringify([source.language, source.catalogOf("fr")])`;
  return JSON.parse(runInContext(read, page));
}

function inFrench(...texts: readonly string[]): unknown {
  const catalog = catalogOf("fr") ?? {};
  return Object.fromEntries(texts.map((text) => [messageKey(text), catalog[messageKey(text)]]));
}

it("a page has the language and its messages, and those of what it opens are added", async () => {
  setBuilt(BUILT);
  expect(await afterRunning("/messages/fr?chunks=nodes")).toEqual(["fr", inFrench("Nodes")]);
  expect(await afterRunning("/messages/fr?chunks=nodes", "/messages/fr?chunks=shell")).toEqual([
    "fr",
    inFrench("Nodes", "Held"),
  ]);
});

it("without a script that is known it has all", async () => {
  expect(await afterRunning("/messages/fr")).toEqual(["fr", catalogOf("fr")]);
  setBuilt(BUILT);
  expect(await afterRunning("/messages/fr?chunks=older")).toEqual([
    "fr",
    inFrench("Nodes", "Held"),
  ]);
});

it("it is JavaScript that browsers may keep", async () => {
  const { headers } = await get("/messages/fr");
  expect(headers.get("content-type")).toBe("text/javascript; charset=utf-8");
  expect(headers.get("cache-control")).toContain("immutable");
});

it.each(["en", "de", "constructor"])("there are no messages of %s", async (language) => {
  expect((await get(`/messages/${language}`)).status).toBe(404);
});

it("the address of a page's messages names its scripts, and changes with the translations", () => {
  expect(messagesAddress("en", "/c/a/nodes")).toBeUndefined();
  expect(messagesAddress("fr", "/c/a/nodes")).toMatch(/^\/messages\/fr\?v=[0-9a-f]{12}$/);
  setBuilt(BUILT);
  expect(messagesAddress("fr", "/c/a/nodes")).toMatch(
    /^\/messages\/fr\?chunks=nodes,shell&v=[0-9a-f]{12}$/,
  );
});
