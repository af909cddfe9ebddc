import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, type Page } from "@playwright/test";
import type { AxeResults } from "axe-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const SERIOUS = new Set(["serious", "critical"]);

/** What axe asks in each colour scheme: everything once, and what colours decide in the dark as well. */
const SCHEMES = [
  { colorScheme: "light", options: {} },
  { colorScheme: "dark", options: { runOnly: ["color-contrast", "link-in-text-block"] } },
] as const;

/** Runs axe past the content security policy, which rightly lets no foreign script in, in both colour schemes. */
export async function sound(page: Page, where: string): Promise<void> {
  const scheme = await page.evaluate(() => matchMedia("(prefers-color-scheme: dark)").matches);
  for (const { colorScheme, options } of SCHEMES) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", colorScheme);
    expect.soft(await seriousFaults(page, options), `${where}, ${colorScheme}`).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: scheme ? "dark" : "light", reducedMotion: "reduce" });
}

/** No link within a text is known by its colour alone; what axe cannot judge counts as well. */
export async function linksStandOut(page: Page, where: string): Promise<void> {
  for (const { colorScheme } of SCHEMES) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", colorScheme);
    const { violations, incomplete } = await resultsOf(page, { runOnly: ["link-in-text-block"] });
    const at = [...violations, ...incomplete].flatMap(({ nodes }) => nodes.map(({ html }) => html));
    expect.soft(at, `${where}, ${colorScheme}`).toEqual([]);
  }
}

async function resultsOf(page: Page, options: { readonly runOnly?: readonly string[] }) {
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(AXE);
  return page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(options)})`);
}

async function seriousFaults(page: Page, options: (typeof SCHEMES)[number]["options"]) {
  const { violations } = await resultsOf(page, options);
  return violations
    .filter(({ impact }) => SERIOUS.has(impact ?? ""))
    .map(({ id, help, nodes }) => ({ id, help, at: nodes.map(({ target }) => target.join(" ")) }));
}

/** Waits until something shows and nothing loads any more. */
export async function settled(page: Page, shown: ReturnType<Page["getByRole"]>): Promise<void> {
  await expect(shown).toBeVisible();
  await expect(page.getByRole("status", { name: "Loading" })).toHaveCount(0);
}

/** The page needs no scrolling sideways at the width that it has. */
export async function fitsNarrow(page: Page, where: string): Promise<void> {
  const tooWide = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect.soft(tooWide, `px too wide: ${where}`).toBeLessThanOrEqual(0);
}
