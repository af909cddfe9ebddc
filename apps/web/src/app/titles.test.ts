import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const ROUTES = fileURLToPath(new URL(".", import.meta.url));
/** The list of clusters is the dashboard itself; the others lead on to another page. */
const WITHOUT_TITLE = [".", "incidents/[id]", "settings"];

/** Whoever has ten tabs open, or goes through them by ear, knows a page by its title (WCAG 2.4.2). */
it("every page has a title, and no two pages have the same", () => {
  const pages = readdirSync(ROUTES, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith("page.tsx"))
    .map((file) => ({ route: dirname(file), title: titleOf(file) }));
  expect(pages.length).toBeGreaterThan(20);
  const untitled = pages.filter(({ title }) => title === undefined).map(({ route }) => route);
  expect(untitled.toSorted()).toEqual(WITHOUT_TITLE);
  const titles = pages.flatMap(({ title }) => title ?? []);
  expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
});

/** As the route says it before the page itself knows what it shows. */
function titleOf(file: string): string | undefined {
  const [, title] = /\btitle: (.+) \};?$/m.exec(readFileSync(join(ROUTES, file), "utf8")) ?? [];
  return title;
}
