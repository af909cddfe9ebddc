import { expect, it } from "vitest";
// @ts-expect-error The scripts are plain JavaScript, as they run before anything is installed.
import { licencePage, licencesOf } from "./licences.mjs";

const component = (name: string, licenses: readonly object[]) => ({ "bom-ref": name, licenses });

it.each([
  ["one licence", [{ license: { id: "MIT" } }], "MIT"],
  ["an expression", [{ expression: "(MIT OR CC0-1.0)" }], "(MIT OR CC0-1.0)"],
  ["a name that is no identifier", [{ license: { name: "MIT and ISC" } }], "MIT and ISC"],
])("allows %s", (_, licenses, licence) => {
  expect(licencesOf([component("a@1.0.0", licenses)])).toEqual([
    { name: "a@1.0.0", licence, problem: undefined },
  ]);
});

it.each([
  ["no licence", [], /a@1\.0\.0 names no licence/],
  ["a licence that is not allowed", [{ license: { id: "AGPL-3.0-only" } }], /under AGPL-3\.0-only/],
  ["a choice of which one is not allowed", [{ expression: "MIT OR SSPL-1.0" }], /under SSPL-1\.0/],
])("names a package with %s", (_, licenses, sentence) => {
  const [found] = licencesOf([component("a@1.0.0", licenses)]);
  expect(found.problem).toMatch(sentence);
});

it("lists packages by licence, the most used first, with its obligations", () => {
  const licences = licencesOf([
    component("c@1.0.0", [{ license: { id: "ISC" } }]),
    component("b@1.0.0", [{ license: { id: "MIT" } }]),
    component("a@1.0.0", [{ license: { id: "MIT" } }]),
  ]);
  expect(licencePage(licences)).toBe(
    [
      "# Licences of what comes with Cloudwright\n",
      "## MIT (2)\n\nMIT: keep the notice.\n\n- a@1.0.0\n- b@1.0.0\n",
      "## ISC (1)\n\nISC: keep the notice.\n\n- c@1.0.0\n",
    ].join("\n"),
  );
});
