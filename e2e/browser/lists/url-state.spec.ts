import type { Page } from "@playwright/test";
import { expect, rowOf, stateCounter, test, untilFleetIsOk } from "../fixtures/dashboard.ts";

test("a copied address shows the same view in another browser", async ({
  page,
  openPage,
  admin,
  cluster,
  fleet,
}) => {
  await untilFleetIsOk(page, cluster, fleet);
  await page.getByRole("searchbox", { name: "Filter nodes" }).fill("node-2");
  await chooseZone(page, "region-1b");
  await page.getByRole("columnheader", { name: "Name" }).getByRole("button").click();
  await expect(page).toHaveURL(/q=node-2/);
  await expect(page).toHaveURL(/zone=region-1b/);
  await expect(page).toHaveURL(/sort=-?name/);
  await expect(rowOf(page, "node-2")).toBeVisible();
  await expect(rowOf(page, "node-1")).toHaveCount(0);

  const theirs = await openPage(admin);
  await theirs.goto(page.url());
  await expect(rowOf(theirs, "node-2")).toBeVisible();
  await expect(rowOf(theirs, "node-1")).toHaveCount(0);
  await expect(theirs.getByRole("searchbox", { name: "Filter nodes" })).toHaveValue("node-2");
  await expect(theirs.getByRole("columnheader", { name: "Name" })).toHaveAttribute(
    "aria-sort",
    /ascending|descending/,
  );
});

test("back and forward keep the filter", async ({ page, cluster, fleet }) => {
  await untilFleetIsOk(page, cluster, fleet);
  await stateCounter(page, "OK").click();
  await expect(page).toHaveURL(/state=ok/);
  await chooseZone(page, "region-1a");
  await expect(rowOf(page, "node-2"), "rows move no more").toHaveCount(0);
  await rowOf(page, "node-1").getByRole("link", { name: "node-1", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("node-1");
  await page.getByRole("tab", { name: "JSON" }).click();
  await expect(page).toHaveURL(/tab=json/);

  await page.goBack();
  await expect(page.getByRole("tab", { name: "Timeline", selected: true })).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(/state=ok.*zone=region-1a/);
  await expect(stateCounter(page, "OK")).toHaveAttribute("aria-pressed", "true");
  await expect(rowOf(page, "node-2")).toHaveCount(0);
  await page.goBack();
  await expect(rowOf(page, "node-2")).toBeVisible();
  await page.goForward();
  await expect(rowOf(page, "node-2")).toHaveCount(0);
});

test("two simultaneous choices are both kept", async ({ page, cluster, fleet }) => {
  await untilFleetIsOk(page, cluster, fleet);
  await page.evaluate(() => {
    const counters = [...document.querySelectorAll<HTMLElement>("fieldset button[aria-pressed]")];
    for (const state of ["Held", "OK"]) {
      counters.find((counter) => counter.textContent.startsWith(state))?.click();
    }
  });
  await expect(page).toHaveURL(/state=held,ok/);
  await expect(stateCounter(page, "Held")).toHaveAttribute("aria-pressed", "true");
  await expect(stateCounter(page, "OK")).toHaveAttribute("aria-pressed", "true");
  await page.goBack();
  await expect(page).toHaveURL(/state=held$/);
});

test("invalid parameters of an address are ignored with a note", async ({ page, cluster }) => {
  await page.goto(`${cluster}/nodes?state=ok,asleep&colour=red`);
  await expect(page.getByText(/asleep/)).toBeVisible();
  await expect(page.getByText(/colour/)).toBeVisible();
  await expect(rowOf(page, "node-1")).toBeVisible();
});

test("a filter that finds nothing says so and leads back", async ({ page, cluster }) => {
  await page.goto(`${cluster}/nodes?q=no-such-node`);
  await expect(page.getByText("No node matches this filter")).toBeVisible();
  await page.getByRole("button", { name: "Show all nodes" }).click();
  await expect(rowOf(page, "node-1")).toBeVisible();
});

test("an unknown node, run and cluster each have a page that says so", async ({
  page,
  cluster,
}) => {
  await page.goto(`${cluster}/nodes/nobody`);
  await expect(page.getByText("No node nobody is known in this cluster")).toBeVisible();
  await page.goto(`${cluster}/runs/00000000-0000-7000-8000-000000000000`);
  await expect(page.getByText("No such run is kept in this cluster")).toBeVisible();
  await page.goto("/c/nowhere/nodes");
  await expect(page.getByText("No controller has reported on this cluster")).toBeVisible();
});

async function chooseZone(page: Page, zone: string): Promise<void> {
  await page.locator("button[aria-haspopup=menu]", { hasText: /^Zone/ }).click();
  await page.getByRole("menu", { name: "Zone" }).getByText(zone).click();
  await page.keyboard.press("Escape");
}
