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
