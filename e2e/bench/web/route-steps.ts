import type { Page } from "@playwright/test";
import { CLUSTER, nodeName, touchRoutes } from "../fleet-rows.ts";
import type { PageFixture, PageStep } from "./page-steps.ts";

const ROUTES = `/c/${CLUSTER}/routes`;

/** What a user does on the Routes page with a large fleet, in this order: each step begins where the previous one ended. */
export const ROUTE_STEPS: readonly PageStep[] = [
  { title: "routes: open the list", run: (fixture) => open(fixture, "list") },
  { title: "routes: scroll to the end, pages load", run: (fixture) => wheel(fixture, 1) },
  { title: "routes: scroll to the top, all loaded", run: (fixture) => wheel(fixture, -1) },
  { title: "routes: scroll while they change", run: scrollWhileChanging },
  { title: "routes: choose a table and leave it", run: chooseTable },
  { title: "routes: open the matrix", run: (fixture) => open(fixture, "matrix") },
  { title: "routes: scroll the matrix to its end", run: wheelMatrix },
  { title: "routes: open a cell", run: openCell },
];

async function open({ page }: PageFixture, layout: "list" | "matrix") {
  await page.goto(`${ROUTES}?view=${layout}${layout === "list" ? "&sort=name" : ""}`);
  await page.locator("tbody tr a").first().waitFor();
  await page.locator('table[data-stale="false"]').waitFor();
}

/** Turns the wheel until the first or the last row is visible. */
async function wheel({ page, nodes }: PageFixture, direction: 1 | -1) {
  const goal = page.getByRole("link", { name: nodeName(direction > 0 ? nodes : 1), exact: true });
  await page.mouse.move(720, 700);
  while (!(await goal.isVisible())) await turn(page, direction);
}

/** A matrix is ordered by tables, and the heading of each block is a row as well. */
async function wheelMatrix({ page, nodes }: PageFixture) {
  await page.mouse.move(720, 700);
  const beyond = page.locator(`tbody tr[aria-rowindex="${nodes}"]`);
  while (!(await beyond.isVisible())) await turn(page, 1);
}

async function turn(page: Page, direction: 1 | -1) {
  for (let turned = 0; turned < 8; turned += 1) {
    await page.mouse.wheel(0, direction * 600);
    await page.evaluate(() => new Promise<void>((drawn) => requestAnimationFrame(() => drawn())));
  }
}

/** One node in ten changes, twice; the whole list is requested again each time. */
async function scrollWhileChanging({ page, databaseUrl }: PageFixture) {
  const firstRun = page.locator('tbody tr[aria-rowindex="2"] a').last();
  for (const word of ["Changed", "No change"]) {
    await touchRoutes(databaseUrl, { step: 10, isChanged: word === "Changed" });
    do {
      await turn(page, 1);
      await turn(page, -1);
    } while ((await firstRun.textContent()) !== word);
  }
}

async function chooseTable({ page, nodes }: PageFixture) {
  const table = page.getByRole("region", { name: "Route tables" }).getByText("main rtb-b");
  await table.click();
  await page.getByText(/nodes match$/).waitFor();
  await table.click();
  await page.getByText(`${nodes.toLocaleString("en-GB")} nodes`, { exact: true }).waitFor();
}

async function openCell({ page }: PageFixture) {
  await page.locator("tbody tr button").first().click();
  await page.getByText("Should lead to").first().waitFor();
}
