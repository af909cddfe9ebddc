import type { Page } from "@playwright/test";
import { expect, test, untilFleetIsOk } from "../fixtures/dashboard.ts";

test.beforeEach(async ({ page, cluster, fleet }) => {
  await untilFleetIsOk(page, cluster, fleet);
  await page.goto(`${cluster}/runs?q=key:node-5+outcome:changed`);
  await page.getByRole("link", { name: "Changed" }).first().click();
  await expect(page.getByRole("tab", { name: "Waterfall" })).toBeVisible();
});

test("a run is compared with another run of its node, which the address keeps", async ({
  page,
}) => {
  await page.getByRole("tab", { name: "Compare" }).click();
  await expect(page).toHaveURL(/view=compare$/);
  const other = page.getByLabel("Compare with");
  await expect(
    page.getByText(/^(\d+ of \d+ lines differ|The two runs do not differ)\.$/),
  ).toBeVisible();
  await page.getByRole("button", { name: "Show all lines" }).click();
  await expect(page).toHaveURL(/all=1/);
  const outcome = page.getByRole("row", { name: /Outcome/ });
  await expect(outcome.getByRole("cell").first()).toHaveText("Changed");

  const ids = await other
    .locator("option")
    .evaluateAll((options) => options.map((option) => option.getAttribute("value") ?? ""));
  expect(ids, "not with itself").not.toContain(page.url().split("/").at(-1)?.split("?")[0]);
  const last = ids.at(-1) ?? "";
  await other.selectOption(last);
  await expect(page).toHaveURL(new RegExp(`with=${last}`));
  await page.reload();
  await expect(other).toHaveValue(last);
  await page.getByRole("link", { name: "Open that run" }).click();
  await expect(page).toHaveURL(new RegExp(`/runs/${last}$`));
});

test("a part of the timeline is selected by dragging or by buttons", async ({ page }) => {
  const part = page.getByText(/^(The whole run is shown\.|.+ to \+.+)$/);
  await expect(part).toHaveText("The whole run is shown.");
  await brush(page);
  await expect(page).toHaveURL(/zoom=-?\d+\.\.\d+/);
  await expect(part).toHaveText(/ to \+/);
  const brushed = (await part.textContent()) ?? "";
  await page.reload();
  await expect(part).toHaveText(brushed);

  const whole = page.getByRole("button", { name: "Whole run" });
  await whole.focus();
  await page.keyboard.press("Enter");
  await expect(page).not.toHaveURL(/zoom=/);
  await expect(whole).toBeFocused();
  await page.getByRole("button", { name: "Zoom in" }).focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/zoom=/);
  const before = page.url();
  await page.getByRole("button", { name: "Earlier" }).focus();
  await page.keyboard.press("Enter");
  await expect(page).not.toHaveURL(before);
  await page.getByRole("button", { name: "Zoom out" }).focus();
  await page.keyboard.press("Enter");
  await expect(page).not.toHaveURL(/zoom=/);
});

test("each call shows its object, and the chart has a time axis", async ({ page }) => {
  const chart = page.getByRole("tabpanel");
  const read = chart.getByRole("button", { name: /kube.*PATCH nodes/ }).first();
  await expect(read).toContainText("node-5");
  const axis = chart.getByText(/^(0|\+[\d.]+ (ms|s))$/);
  await expect(axis.first()).toBeVisible();
  const whole = await axis.allTextContents();
  await page.getByRole("button", { name: "Zoom in" }).click();
  await expect(page).toHaveURL(/zoom=/);
  await expect.poll(() => axis.allTextContents(), "of the part that is shown").not.toEqual(whole);
});

/** Selects the second half of the run by dragging. */
async function brush(page: Page): Promise<void> {
  const strip = page.getByTitle("Drag over a part to zoom in on it");
  await strip.scrollIntoViewIfNeeded();
  const box = await strip.boundingBox();
  if (box === null) throw new Error("The time line in small is not shown.");
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width * 0.5, y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.95, y, { steps: 5 });
  await page.mouse.up();
}
