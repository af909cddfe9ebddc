import type { Locator } from "@playwright/test";
import { CLUSTER, expect, test } from "../fixtures/ledger.ts";

const WIDE = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

test("on a wide screen Changes is beside Needs you", async ({ page }) => {
  await page.setViewportSize(WIDE);
  await page.goto(`/c/${CLUSTER}`);
  const needs = await boxOf(page.getByRole("region", { name: "Needs you" }));
  const changes = await boxOf(page.getByRole("region", { name: "Changes" }));
  expect(changes.y).toBe(needs.y);
  expect(changes.x).toBeGreaterThanOrEqual(needs.x + needs.width);
  expect(needs.width).toBeGreaterThan(changes.width);
});

test("each controller has one line", async ({ page }) => {
  for (const viewport of [WIDE, PHONE]) {
    await page.setViewportSize(viewport);
    await page.goto(`/c/${CLUSTER}`);
    const lines = page.getByRole("region", { name: "Controllers" }).getByRole("listitem");
    await expect(lines).toHaveCount(4);
    for (const line of await lines.all()) {
      expect((await boxOf(line)).height).toBeLessThanOrEqual(40);
      expect(await linesOf(line.getByRole("link")), "lines of its name").toBe(1);
    }
  }
});

test("on a phone the frame leaves most of the screen free, which shows Needs you", async ({
  page,
}) => {
  await page.setViewportSize(PHONE);
  await page.goto(`/c/${CLUSTER}`);
  const needs = page.getByRole("region", { name: "Needs you" });
  await expect(needs).toBeVisible();
  expect((await boxOf(page.getByRole("main"))).y, "height of the frame").toBeLessThanOrEqual(120);
  expect((await boxOf(needs)).y).toBeLessThanOrEqual(200);
  const live = page.getByRole("button", { name: /updates/ });
  await expect(live).toBeInViewport({ ratio: 1 });
  const last = page.getByRole("navigation", { name: "Pages" }).getByRole("link").last();
  await last.scrollIntoViewIfNeeded();
  const end = await boxOf(last);
  expect(end.x + end.width, "the end of the navigation").toBeLessThanOrEqual((await boxOf(live)).x);
});

/** Returns how many lines the element's text takes. */
function linesOf(locator: Locator): Promise<number> {
  return locator.evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return new Set([...range.getClientRects()].map(({ top }) => top)).size;
  });
}

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox();
  if (box === null) throw new Error(`${locator} is not on the page`);
  return box;
}
