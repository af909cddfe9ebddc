import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, type Page } from "@playwright/test";
import type { AxeResults } from "axe-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const SERIOUS = new Set(["serious", "critical"]);

/** Runs axe past the content security policy, which rightly lets no foreign script in. */
export async function sound(page: Page, where: string): Promise<void> {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate<AxeResults>("axe.run(document)");
  const serious = violations
    .filter(({ impact }) => SERIOUS.has(impact ?? ""))
    .map(({ id, help, nodes }) => ({ id, help, at: nodes.map(({ target }) => target.join(" ")) }));
  expect.soft(serious, where).toEqual([]);
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
