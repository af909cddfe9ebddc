import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { PAGES } from "../../docs/.vitepress/sidebar.ts";
// @ts-expect-error The scripts are plain JavaScript, as they run before anything is installed.
import { inProject } from "../lib/project.mjs";

const EXISTING = [
  ...["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"],
  ...readdirSync(inProject("docs"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md"))
    .map((file) => join("docs", file)),
];

it("lists every page once", () => {
  expect([...PAGES].sort()).toEqual([...EXISTING].sort());
});

it("every page can be reached from the README", () => {
  const reached = new Set(["README.md"]);
  for (const page of reached) for (const linked of pagesLinkedFrom(page)) reached.add(linked);
  expect(EXISTING.filter((page) => !reached.has(page))).toEqual([]);
});

function pagesLinkedFrom(page: string): readonly string[] {
  const text = readFileSync(inProject(page), "utf8").replaceAll(/```[\s\S]*?```/g, "");
  return [...text.matchAll(/\]\(([^)#:\s]+\.md)[^)]*\)/g)].map(([, link = ""]) =>
    join(dirname(page), link),
  );
}
