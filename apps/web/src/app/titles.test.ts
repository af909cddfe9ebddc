import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { titlesNaming } from "../components/page/window-title.ts";

const ROUTES = fileURLToPath(new URL(".", import.meta.url));
/** The list of clusters is the dashboard itself; the others redirect to another page. */
const WITHOUT_TITLE = [".", "incidents/[id]", "settings"];

/** Users with ten tabs open, or with a screen reader, recognise a page by its title (WCAG 2.4.2). */
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

it("the same page of two clusters has two titles", () => {
  const titled = (name: string | undefined) => titlesNaming(name).template.replace("%s", "Nodes");
  expect(titled("prod-eu")).toBe("Nodes · prod-eu · Cloudwright");
  expect(titled("prod-us")).toBe("Nodes · prod-us · Cloudwright");
  expect(titled(undefined)).toBe("Nodes · Cloudwright");
});

it("a cluster's routes have titles from their layout, and what a page found is titled in the same words", () => {
  const layout = readFileSync(join(ROUTES, "c/[cluster]/layout.tsx"), "utf8");
  expect(layout).toMatch(/title: await clusterTitles\(/);
});

/** Returns the route's title, before the page itself knows what it shows. */
function titleOf(file: string): string | undefined {
  const [, title] = /\btitle: (.+) \};?$/m.exec(readFileSync(join(ROUTES, file), "utf8")) ?? [];
  return title;
}
