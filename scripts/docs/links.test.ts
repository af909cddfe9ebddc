import { readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { PAGES } from "../../docs/.vitepress/sidebar.ts";
// @ts-expect-error The scripts are plain JavaScript, as they run before anything is installed.
import { inProject } from "../lib/project.mjs";
import { anchorOf } from "./anchors.ts";

describe.each(PAGES)("%s", (page) => {
  it("links to existing files and headings", () => {
    expect(linksOf(page).filter((link) => !leadsSomewhere(page, link))).toEqual([]);
  });
});

it("names the tests for each of the defences in SECURITY.md", () => {
  const tests = linksOf("SECURITY.md").filter((link) => /\.(test|spec)\.tsx?$|^e2e\//.test(link));
  expect(tests.length).toBeGreaterThan(30);
});

/** Returns the links of a page within the project; text in fences does not count. */
function linksOf(page: string): readonly string[] {
  const text = readFileSync(inProject(page), "utf8").replaceAll(/```[\s\S]*?```/g, "");
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = ""]) => link)
    .filter((link) => !/^[a-z]+:/.test(link));
}

function leadsSomewhere(page: string, link: string): boolean {
  const [file = "", heading] = link.split("#");
  const target = file === "" ? page : join(dirname(page), file);
  // The site can show a file as text, but not a folder.
  if (statSync(inProject(target), { throwIfNoEntry: false })?.isFile() !== true) return false;
  return heading === undefined || !target.endsWith(".md") || headingsOf(target).has(heading);
}

/** Returns the anchors of a page's headings as the site makes them: of two with the same name, the second ends with -1. */
function headingsOf(page: string): ReadonlySet<string> {
  const text = readFileSync(inProject(page), "utf8").replaceAll(/```[\s\S]*?```/g, "");
  const seen = new Map<string, number>();
  for (const [, heading = ""] of text.matchAll(/^#{1,6} +(.*)$/gm)) {
    const anchor = anchorOf(heading);
    seen.set(anchor, (seen.get(anchor) ?? 0) + 1);
  }
  return new Set(
    [...seen].flatMap(([anchor, count]) =>
      Array.from({ length: count }, (_, index) => (index === 0 ? anchor : `${anchor}-${index}`)),
    ),
  );
}
