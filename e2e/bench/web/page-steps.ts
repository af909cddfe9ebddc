import type { Page } from "@playwright/test";
import { CLUSTER, nodeName, touchFleet } from "../fleet-rows.ts";

/** What a user does on the Nodes page with a long list, in this order: each step begins where the previous one ended. */
export interface PageStep {
  readonly title: string;
  readonly run: (fixture: PageFixture) => Promise<unknown>;
}

export interface PageFixture {
  readonly page: Page;
  readonly databaseUrl: string;
  readonly nodes: number;
}

const NODES = `/c/${CLUSTER}/nodes?sort=name`;

export const PAGE_STEPS: readonly PageStep[] = [
  { title: "open the page", run: open },
  { title: "scroll to the end, pages load", run: (fixture) => wheel(fixture, 1) },
  { title: "scroll to the top, all loaded", run: (fixture) => wheel(fixture, -1) },
  { title: "drag the scroll bar", run: drag },
  { title: "scroll while the fleet changes", run: scrollWhileChanging },
  { title: "select all rows, and none", run: selectAll },
  { title: "go from row to row with keys", run: goByKeys },
  { title: "open a row beside the list", run: peek },
  { title: "sort by another column and back", run: sort },
  { title: "type a filter and clear it", run: filter },
  { title: "toggle states", run: toggleStates },
  { title: "open a node and come back", run: openNode },
];

async function open({ page, nodes }: PageFixture) {
  await page.goto(NODES);
  await rowOf(page, nodeName(1)).waitFor();
  await footer(page, nodes).waitFor();
}

/** Turns the wheel until the first or the last row is visible. */
async function wheel({ page, nodes }: PageFixture, direction: 1 | -1) {
  const goal = rowOf(page, nodeName(direction > 0 ? nodes : 1));
  await page.mouse.move(720, 600);
  while (!(await goal.isVisible())) {
    for (let turn = 0; turn < 8; turn += 1) {
      await page.mouse.wheel(0, direction * 600);
      await frame(page);
    }
  }
}

/** Scrolls from one end to the other in forty jumps, like a dragged scroll bar. */
async function drag({ page, nodes }: PageFixture) {
  for (const end of [1, 0]) {
    for (let jump = 1; jump <= 40; jump += 1) {
      const part = end === 1 ? jump / 40 : 1 - jump / 40;
      await scroller(page).evaluate((list, to) => list.scrollTo(0, list.scrollHeight * to), part);
      await frame(page);
    }
    await rowOf(page, nodeName(end === 1 ? nodes : 1)).waitFor();
  }
}

/** One node in ten changes, twice; the whole list is requested again each time. */
async function scrollWhileChanging({ page, databaseUrl }: PageFixture) {
  const firstRun = page.locator('tbody tr[aria-rowindex="2"] a').last();
  for (const word of ["No change", "Changed"]) {
    await touchFleet(databaseUrl, 10);
    do await upAndDown(page);
    while ((await firstRun.textContent()) !== word);
  }
}

/** Ends at the top. */
async function upAndDown(page: Page) {
  for (const direction of [1, -1]) {
    for (let turn = 0; turn < 40; turn += 1) {
      await page.mouse.wheel(0, direction * 300);
      await frame(page);
    }
  }
}

async function selectAll({ page, nodes }: PageFixture) {
  const all = page.getByRole("checkbox", { name: "Select all rows that are loaded" });
  await all.click();
  await page.getByText(`${nodes.toLocaleString("en-GB")} nodes selected`).waitFor();
  await all.click();
}

async function goByKeys({ page }: PageFixture) {
  await scroller(page).focus();
  for (const key of ["j", "k"]) {
    for (let press = 0; press < 30; press += 1) {
      await page.keyboard.press(key);
      await frame(page);
    }
  }
}

async function peek({ page }: PageFixture) {
  await page.keyboard.press("x");
  const panel = page.getByRole("complementary", { name: `Beside the list: ${nodeName(1)}` });
  await panel.waitFor();
  await page.keyboard.press("j");
  await page.getByRole("complementary", { name: `Beside the list: ${nodeName(2)}` }).waitFor();
  await page.keyboard.press("x");
}

async function sort({ page, nodes }: PageFixture) {
  for (const column of ["State", "Name"]) {
    await page.getByRole("columnheader", { name: column }).getByRole("button").click();
    await footer(page, nodes).waitFor();
    await page.locator('table[data-stale="false"]').waitFor();
  }
}

async function filter({ page, nodes }: PageFixture) {
  await page.keyboard.press("/");
  await page.keyboard.type("node-01", { delay: 150 });
  await page.getByText(/\d nodes match/).waitFor();
  await page.locator('table[data-stale="false"]').waitFor();
  await page.keyboard.press("Escape");
  await footer(page, nodes).waitFor();
  await page.keyboard.press("Escape");
}

async function toggleStates({ page, nodes }: PageFixture) {
  const states = page.getByRole("group", { name: "Filter by state" });
  for (const state of ["Stuck", "Waiting", "OK"]) {
    await states.getByRole("button", { name: new RegExp(`^${state}`) }).click();
    await page.locator('table[data-stale="false"]').waitFor();
  }
  await page.getByRole("button", { name: "Clear filters" }).click();
  await footer(page, nodes).waitFor();
}

async function openNode({ page, nodes }: PageFixture) {
  await page.getByRole("link", { name: nodeName(3), exact: true }).click();
  await page.getByRole("heading", { name: nodeName(3) }).waitFor();
  await page.goBack();
  await footer(page, nodes).waitFor();
}

function rowOf(page: Page, name: string) {
  return page.getByRole("link", { name, exact: true });
}

function scroller(page: Page) {
  return page.getByRole("group", { name: "Nodes", exact: true });
}

/** Returns the line below the list once it counts the whole fleet. */
function footer(page: Page, nodes: number) {
  return page.getByText(`${nodes.toLocaleString("en-GB")} nodes`, { exact: true });
}

/** Waits for the browser to draw a frame. */
export function frame(page: Page) {
  return page.evaluate(() => new Promise<void>((drawn) => requestAnimationFrame(() => drawn())));
}
