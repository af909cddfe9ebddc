import type { Page } from "@playwright/test";
import { sound } from "../fixtures/axe.ts";
import { expect, test, tray } from "../fixtures/dashboard.ts";
import { snapshot } from "../fixtures/pictures.ts";

/** Time for the leader to answer with a plan. */
const LONG = { timeout: 60_000 };

async function type(page: Page, text: string) {
  await page.keyboard.press("Control+k");
  const box = page.getByRole("textbox", { name: "Search or jump" });
  await box.fill(text);
  return box;
}

test("a typed action opens its dialog with the plan, by keyboard alone", async ({
  page,
  cluster,
}, info) => {
  await page.goto(`${cluster}/nodes`);
  await expect(page.getByRole("heading", { name: "Nodes" })).toBeVisible();
  await type(page, "hold node-2");
  const entry = page.getByRole("button", { name: /^Hold node node-2/ });
  await expect(entry).toHaveAttribute("data-selected", "true", LONG);
  await snapshot(page, info, "palette-hold");
  await sound(page, "palette with an action");
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Hold node node-2" });
  await expect(dialog).toContainText(/nothing is written to it/, LONG);
  // The focus is in the dialog, not where the palette was opened from.
  await expect(dialog.locator(":focus")).toHaveCount(1);
  await snapshot(page, info, "palette-dialog");
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(tray(page)).toHaveCount(0);
});

test("a viewer sees which actions they may not request, and why", async ({ openPage, cluster }) => {
  const page = await openPage("viewer");
  await page.goto(cluster);
  await type(page, "pause service-lb-controller");
  const entry = page.getByRole("button", { name: /^Pause Load balancers/ });
  await expect(entry).toContainText("Needs role admin. You are viewer.", LONG);
  await expect(entry).toHaveAttribute("aria-disabled", "true");
  await page.keyboard.press("Enter");
  await expect(entry).toBeVisible();
  await expect(page.getByRole("dialog", { name: "Pause Load balancers" })).toHaveCount(0);
});

test("a user's own preferences are set immediately", async ({ page, cluster }) => {
  await page.goto(cluster);
  await type(page, "dark");
  await page.keyboard.press("Enter");
  await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", "dark");
  await type(page, "utc");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "UTC", exact: true })).toBeVisible();
});
