import { readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { PAGES } from "../../docs/.vitepress/sidebar.ts";
// @ts-expect-error The scripts are plain JavaScript, as they run before anything is installed.
import { inProject } from "../lib/project.mjs";
import { anchorOf } from "./anchors.ts";

describe.each(PAGES)("%s", (page) => {
  it("links to files that exist, and to headings that they have", () => {
    expect(linksOf(page).filter((link) => !leadsSomewhere(page, link))).toEqual([]);
  });
});

it("says of SECURITY.md's defences which tests show them", () => {
  const tests = linksOf("SECURITY.md").filter((link) => /\.(test|spec)\.tsx?$|^e2e\//.test(link));
  expect(tests.length).toBeGreaterThan(30);
});

/** What a page links to within the project; text in fences is no link. */
function linksOf(page: string): readonly string[] {
  const text = readFileSync(inProject(page), "utf8").replaceAll(/```[\s\S]*?```/g, "");
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = ""]) => link)
    .filter((link) => !/^[a-z]+:/.test(link));
}

function leadsSomewhere(page: string, link: string): boolean {
  const [file = "", heading] = link.split("#");
  const target = file === "" ? page : join(dirname(page), file);
  // The site can show a file as text, but no folder.
  if (statSync(inProject(target), { throwIfNoEntry: false })?.isFile() !== true) return false;
  return heading === undefined || !target.endsWith(".md") || headingsOf(target).has(heading);
}

/** The anchors of a page's headings, as they are made where it is shown: of two of one name the second ends with -1. */
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
