import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
// @ts-expect-error The scripts are plain JavaScript, as they run before anything is installed.
import { inProject } from "../lib/project.mjs";
// @ts-expect-error The same.
import { dependenciesPage, PAGE, problemsOfReasons } from "./dependencies-page.mjs";

const MANIFESTS = [
  {
    name: "cloudwright",
    devDependencies: { tool: "2.0.0" },
    optionalDependencies: { "for-mac": "3.0.0" },
  },
  { name: "@cloudwright/core", dependencies: { "@cloudwright/store": "0.1.0", library: "1.0.0" } },
  { name: "@cloudwright/web", dependencies: { library: "1.0.0" } },
];
const REASONS = { library: "reads", tool: "builds", "for-mac": "runs there" };

it("has a reason for each dependency of the project, and the page written from them", () => {
  expect(problemsOfReasons()).toEqual([]);
  expect(readFileSync(inProject(PAGE), "utf8")).toBe(dependenciesPage());
});

it("reports a dependency without a reason, and a reason without a dependency", () => {
  expect(problemsOfReasons(MANIFESTS, { ...REASONS, tool: " " })).toEqual([
    expect.stringMatching(/^tool has no reason/),
  ]);
  expect(problemsOfReasons(MANIFESTS, { ...REASONS, gone: "once" })).toEqual([
    expect.stringMatching(/^gone has a reason, but is no longer a dependency/),
  ]);
});

it("lists each dependency once with its version, all packages that use it, and its reason", () => {
  const lines = dependenciesPage(MANIFESTS, REASONS).split("\n");
  expect(lines.filter((line: string) => line.startsWith("| `"))).toEqual([
    "| `library` | 1.0.0 | core, web | reads |",
    "| `for-mac` | 3.0.0 | cloudwright | runs there |",
    "| `tool` | 2.0.0 | cloudwright | builds |",
  ]);
});
