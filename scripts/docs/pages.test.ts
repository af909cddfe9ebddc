import { readdirSync, readFileSync } from "node:fs";
import { EVENTS } from "@cloudwright/core/model/events";
import { REASON_CODES } from "@cloudwright/core/model/reason";
import { expect, it } from "vitest";
import { eventsPage } from "./events-page.ts";
import { namesPage } from "./names-page.ts";
import { WRITTEN_PAGES } from "./pages.ts";

const PROJECT = new URL("../../", import.meta.url);
const CORE = new URL("packages/core/src/", PROJECT);

it.each(Object.entries(WRITTEN_PAGES))("%s shows what the source says", async (file, page) => {
  // If this fails after a change of the source, run `npx tsx scripts/docs/write-pages.ts`.
  expect(readFileSync(new URL(file, PROJECT), "utf8")).toBe(await page());
});

const SOURCES = readdirSync(CORE, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts") && !/\.test\.ts$|testing\//.test(file))
  .map((file) => readFileSync(new URL(file, CORE), "utf8"));

it("docs/names.md lists every annotation, label, taint, finalizer and condition in the source", () => {
  const named = SOURCES.flatMap((text) =>
    [...text.matchAll(/const \w*(?:ANNOTATION|LABEL|TAINT|FINALIZER|CONDITION) = "([^"]+)"/g)].map(
      ([, name]) => name,
    ),
  );
  expect(named.length).toBeGreaterThan(15);
  expect(named.filter((name) => !namesPage().includes(`\`${name}\``))).toEqual([]);
});

it("docs/events.md lists every Event once: as a reason, or under a name of its own", () => {
  const own = Object.keys(EVENTS);
  expect(own.filter((name) => !eventsPage().includes(`| \`${name}\` |`))).toEqual([]);
  const both = REASON_CODES.filter((code) => own.includes(code));
  // That the guard holds and what it holds are different things, each with its own Event.
  expect(both).toEqual(["DeletionGuardHeld", "ControllerPaused"]);
});

it("every Event comes from the list", () => {
  const texts = SOURCES.flatMap((text) => text.match(/reason: "\w+",?\s+message/g) ?? []);
  expect(texts).toEqual([]);
});
