import type { Page } from "@playwright/test";
import { dashboardPages, type ShownObjects, shortAddress } from "../../harness/dashboard-pages.ts";
import { fitsNarrow, hasTargets, settled, soundWithLinks } from "../fixtures/axe.ts";
import { longestLanguage } from "../fixtures/catalogs.ts";
import { speaksNoEnglish } from "../fixtures/english.ts";
import { expect, test } from "../fixtures/filled-ledger.ts";
import {
  readsWhole,
  rowsAreWhole,
  showsCurrent,
  showsItsHeading,
  standsStill,
} from "../fixtures/layout.ts";
import { readsSpaced } from "../fixtures/text-spacing.ts";

// Each page is opened once for all checks, because opening it takes longer than the checks. All pages are in the language with the
// longest texts: axe's rules are the same in each language, and a layout that fits these texts fits all.
const LANGUAGE = longestLanguage();
test.use({ reducedMotion: "reduce", locale: LANGUAGE });
test.setTimeout(600_000);

const WIDE = { width: 1280, height: 800 };
/** The size of that screen at 200 % zoom: half as many CSS pixels in each direction. */
const ZOOMED = { width: 640, height: 400 };
const NARROW = { width: 320, height: 640 };

const GROUPS = {
  "pages of no cluster": (route: string) => !route.startsWith("/c/"),
  lists: (route: string) => /^\/c\/\[cluster\][^[]*$/.test(route),
  "pages of one object": (route: string) => /^\/c\/\[cluster\].*\[/.test(route),
} as const;

for (const [name, isOfGroup] of Object.entries(GROUPS)) {
  test(`${name} have no fault, do not move, and do not scroll sideways at 200 % or 320 px`, async ({
    page,
    shown,
  }) => {
    const routes = Object.entries(dashboardPages(shown)).filter(([route]) => isOfGroup(route));
    const paths = routes.flatMap(([, paths]) => paths);
    expect(paths.length).toBeGreaterThan(5);
    for (const path of paths) await test.step(path, () => lookAt(page, path, shown));
  });
}

async function lookAt(page: Page, path: string, shown: ShownObjects): Promise<void> {
  const where = shortAddress(path, shown);
  await page.setViewportSize(WIDE);
  const served = await page.goto(path);
  // If the server fails to render the page, the browser renders it later, so the failure might go unnoticed.
  expect(served?.status(), `how the server answers ${where}`).toBe(200);
  await settled(page, page.getByRole("heading", { level: 1 }).first());
  await expect(page.locator("html")).toHaveAttribute("lang", LANGUAGE);
  await soundWithLinks(page, where);
  await hasTargets(page, where);
  await standsStill(page, where);
  await speaksNoEnglish(page, where, LANGUAGE);
  await fitsNarrow(page, where);
  await readsWhole(page, where);
  await readsSpaced(page, where);
  await page.setViewportSize(ZOOMED);
  await fitsNarrow(page, `${where} at 200 %`);
  await showsItsHeading(page, `${where} at 200 %`);
  await readsSpaced(page, `${where} at 200 %`);
  await page.setViewportSize(NARROW);
  await fitsNarrow(page, `${where} at 320 px`);
  await readsWhole(page, `${where} at 320 px`);
  await showsCurrent(page, `${where} at 320 px`);
  await rowsAreWhole(page, `${where} at 320 px`);
  await readsSpaced(page, `${where} at 320 px`);
}
