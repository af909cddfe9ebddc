import { readdirSync, readFileSync } from "node:fs";
import { CONTROLLERS, type ControllerFolder } from "@cloudwright/core/model/controller-names";
import { factsOf, REASON_CODES, type ReasonCode } from "@cloudwright/core/model/reason";
import { expect, it } from "vitest";
import { reasonsPage } from "./reasons-page.ts";

const PROJECT = new URL("../../", import.meta.url);

it("has a row for each reason, without a missing field", () => {
  const page = reasonsPage();
  expect(REASON_CODES.filter((code) => !page.includes(`| \`${code}\` |`))).toEqual([]);
  expect(page).not.toMatch(/undefined|\[object|NaN/);
});

it("is the only page with a table of reasons", () => {
  const pages = readdirSync(new URL("docs/", PROJECT)).filter((name) => name.endsWith(".md"));
  // Events are described on their own page, including those with the name of a reason.
  const others = pages.filter((name) => name !== "reasons.md" && name !== "events.md");
  expect(others.length).toBeGreaterThan(5);
  const rows = others.flatMap((name) =>
    rowsOfReasons(readFileSync(new URL(`docs/${name}`, PROJECT), "utf8")).map(
      (row) => `${name}: ${row}`,
    ),
  );
  expect(rows).toEqual([]);
  expect(rowsOfReasons(reasonsPage())).toHaveLength(REASON_CODES.length);
});

/** Returns rows of tables that begin with one or several reason codes. */
function rowsOfReasons(page: string): readonly string[] {
  const codes = new Set<string>(REASON_CODES);
  return page
    .split("\n")
    .filter((line) => codes.has(/^\| *`(\w+)`/.exec(line)?.[1] ?? ""))
    .map((line) => line.slice(0, 60));
}

const FOLDERS = Object.values(CONTROLLERS).map(({ folder }) => folder);

it.each(FOLDERS)("names %s as giving each reason that its source gives", (folder) => {
  expect(codesIn(folder).filter((code) => !isGivenBy(code, folder))).toEqual([]);
});

function isGivenBy(code: ReasonCode, folder: ControllerFolder): boolean {
  const { appearsIn } = factsOf(code);
  return appearsIn === "all" || appearsIn.includes(folder);
}

function codesIn(folder: string): readonly ReasonCode[] {
  const room = new URL(`packages/core/src/controllers/${folder}/`, PROJECT);
  const sources = readdirSync(room, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !/\.test\.ts$|testing/.test(file))
    .map((file) => readFileSync(new URL(file, room), "utf8"));
  const given = sources.flatMap((text) => [...text.matchAll(/\bcode: "(\w+)"/g)]);
  const codes = new Set(given.map(([, code]) => code));
  expect(codes.size).toBeGreaterThan(0);
  return REASON_CODES.filter((code) => codes.has(code));
}
