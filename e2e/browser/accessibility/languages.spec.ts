import type { Page } from "@playwright/test";
import { fitsNarrow } from "../fixtures/axe.ts";
import { translated } from "../fixtures/catalogs.ts";
import { expect, test } from "../fixtures/dashboard.ts";

const LANGUAGES = [
  { language: "fr", locale: "fr-CA" },
  { language: "zh", locale: "zh-CN" },
  { language: "ja", locale: "ja-JP" },
] as const;

/** Pages whose heading is a message. On each, server and browser must render the same; otherwise the page throws an error. */
const PAGES = {
  Nodes: "/nodes",
  "Load balancers": "/load-balancers",
  Routes: "/routes",
  Runs: "/runs",
  Audit: "/audit",
  Controllers: "/controllers",
  Budget: "/budget",
} as const;

for (const { language, locale } of LANGUAGES) {
  test.describe(`in a browser that asks for ${locale}`, () => {
    test.use({ locale });

    test("the pages are in that language, and fit a phone", async ({ page, cluster }) => {
      await page.setViewportSize({ width: 320, height: 640 });
      for (const [name, path] of Object.entries(PAGES)) {
        await page.goto(`${cluster}${path}`);
        await expect(page.locator("html")).toHaveAttribute("lang", language);
        await expect(heading(page)).toHaveText(translated(language, name));
        await fitsNarrow(page, `${name} in ${language}`);
      }
    });
  });
}

test("a language that a user chooses follows them to every browser", async ({
  page,
  cluster,
  openPage,
}) => {
  await page.goto("/settings/appearance");
  const kept = page.waitForResponse(
    (response) => response.url().includes("preferences.keep") && response.ok(),
  );
  await expect(async () => {
    await page.getByRole("button", { name: "日本語", exact: true }).click({ timeout: 1_000 });
    await expect(page.locator("html")).toHaveAttribute("lang", "ja", { timeout: 2_000 });
  }).toPass();
  await kept;
  const second = await openPage("admin");
  await second.goto(`${cluster}/nodes`);
  await expect(heading(second)).toHaveText(translated("ja", "Nodes"));
});

function heading(page: Page) {
  return page.getByRole("heading", { level: 1 });
}
