import type { Page } from "@playwright/test";
import { fitsNarrow } from "../fixtures/axe.ts";
import { expect, test } from "../fixtures/dashboard.ts";
import { translated } from "../fixtures/translated.ts";

const LANGUAGES = [
  { language: "fr", locale: "fr-CA" },
  { language: "zh", locale: "zh-CN" },
  { language: "ja", locale: "ja-JP" },
] as const;

/** What is looked at besides, in the order of the navigation. */
const OTHERS = ["", "/topology", "/changes", "/actions", "/incidents", "/volumes", "/dry-run"];

const SECTIONS = [
  ...["users", "sessions", "tokens", "notifications"],
  ...["approval", "controllers", "flags", "appearance"],
] as const;

/** Pages with a heading that is a message. What the server drew and the browser draws must agree on each: else the page throws. */
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

    test("the pages are in it, and fit a phone", async ({ page, cluster }) => {
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

test.describe("the messages that a browser has loaded", () => {
  test.use({ locale: "fr-FR" });

  test("are all that a page words, as the first one and after another", async ({
    page,
    cluster,
  }) => {
    await noteMisses(page);
    const paths = [...Object.values(PAGES), ...OTHERS].map((path) => `${cluster}${path}`);
    for (const path of [...paths, ...SECTIONS.map((section) => `/settings/${section}`)]) {
      await page.goto(path);
      await isLoaded(page);
      expect(await misses(page), path).toEqual([]);
    }
    await page.goto(`${cluster}/nodes`);
    for (const name of ["Routes", "Runs", "Audit"]) {
      await page
        .getByRole("link", { name: translated("fr", name), exact: true })
        .first()
        .click();
      await expect(heading(page)).toHaveText(translated("fr", name));
      await isLoaded(page);
      expect(await misses(page), `${name} after another page`).toEqual([]);
    }
  });

  test("are those of what is opened as well", async ({ page, cluster }) => {
    await noteMisses(page);
    await page.goto(`${cluster}/nodes`);
    await isLoaded(page);
    await page.getByRole("row").nth(1).click();
    await page.keyboard.press("Control+k");
    await expect(page.getByRole("dialog")).toBeVisible();
    await page.keyboard.press("Escape");
    await page.keyboard.press("?");
    await expect(page.getByRole("dialog")).toBeVisible();
    expect(await misses(page)).toEqual([]);
  });
});

test("a language that a user chooses is theirs in every browser", async ({
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

/** From now on pages note the messages that they look for and have not. A message that is missing is shown in English. */
async function noteMisses(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const symbol = Symbol.for("cloudwright.language");
    const missing = new Set<string>();
    let source: { catalogOf: (language: string) => object | undefined } | undefined;
    Reflect.set(globalThis, "missingMessages", missing);
    Object.defineProperty(globalThis, symbol, {
      get: () => source,
      set: (given) => {
        const catalogOf = given.catalogOf.bind(given);
        given.catalogOf = (language: string) =>
          new Proxy(catalogOf(language), {
            get(catalog, key) {
              const found = Reflect.get(catalog, key);
              if (found === undefined) missing.add(String(key));
              return found;
            },
          });
        source = given;
      },
    });
  });
}

/** Their English texts would be better, but a page has only their keys. */
function misses(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => [...(Reflect.get(globalThis, "missingMessages") as Set<string>)]);
}

async function isLoaded(page: Page): Promise<void> {
  const state = new RegExp(`^(${translated("fr", "Live")}|${translated("fr", "Stale")})`);
  await expect(page.getByRole("button").filter({ hasText: state }).first()).toBeVisible();
  await expect(page.locator('[class*="_skeleton"]')).toHaveCount(0);
}
