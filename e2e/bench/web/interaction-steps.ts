import type { Page } from "@playwright/test";
import { CLUSTER, nodeName } from "../fleet-rows.ts";
import { type Interactions, takeInteractions } from "./interactions.ts";
import { frame } from "./page-steps.ts";

interface Shown {
  readonly page: string;
  readonly path: string;
  /** The text of the filter. */
  readonly filter?: string;
}

const LISTS: readonly Shown[] = [
  { page: "Nodes", path: "/nodes", filter: "node-01" },
  { page: "Load balancers", path: "/load-balancers", filter: "frontend-01" },
  { page: "Routes", path: "/routes?view=list", filter: "node-01" },
  { page: "Volumes", path: "/volumes", filter: "pv-1" },
  { page: "Runs", path: "/runs?from=all", filter: "outcome:failed" },
  { page: "Audit", path: "/audit?from=all", filter: "outage" },
];

const TABBED: readonly Shown[] = [
  { page: "Node", path: `/nodes/${nodeName(50)}` },
  { page: "Load balancer", path: "/load-balancers/search/frontend-0050" },
  { page: "Topology", path: "/topology" },
];

/** Performs users' actions on each page, one after another, and reports how soon each was painted. */
export async function interact(
  page: Page,
  report: (done: Interactions) => void,
): Promise<readonly Interactions[]> {
  const all: Interactions[] = [];
  for (const [pages, acts] of [[LISTS, ON_LISTS] as const, [TABBED, ON_TABBED] as const]) {
    for (const shown of pages) {
      for await (const done of onPage(page, shown, acts)) {
        report(done);
        all.push(done);
      }
    }
  }
  return all;
}

type Act = (page: Page, shown: Shown) => Promise<unknown>;

async function* onPage(
  page: Page,
  shown: Shown,
  acts: Readonly<Record<string, Act>>,
): AsyncGenerator<Interactions> {
  await page.goto(`/c/${CLUSTER}${shown.path}`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await settled(page);
  await takeInteractions(page);
  for (const [what, act] of Object.entries(acts)) {
    await act(page, shown);
    await settled(page);
    yield { page: shown.page, what, durationsMs: await takeInteractions(page) };
  }
}

async function settled(page: Page) {
  await page.getByRole("status", { name: "Loading" }).waitFor({ state: "detached" });
  await page.locator('table[data-stale="true"]').waitFor({ state: "detached" });
  await frame(page);
}

const ON_LISTS: Readonly<Record<string, Act>> = {
  "type a filter and clear it": typeFilter,
  "sort by two columns": sort,
  "open rows beside the list": peek,
  "select rows, all and none": select,
  "open the menu of columns": openColumns,
};

const ON_TABBED: Readonly<Record<string, Act>> = {
  "go through the tabs": goThroughTabs,
  "open a dialog": openDialog,
  "open the menu of one's account": openAccount,
};

async function typeFilter(page: Page, { filter = "" }: Shown) {
  await page.keyboard.press("/");
  await page.keyboard.type(filter, { delay: 100 });
  await settled(page);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
}

async function sort(page: Page) {
  const heads = page.locator("thead button");
  for (const head of (await heads.all()).slice(0, 2)) {
    await head.click();
    await settled(page);
  }
}

async function peek(page: Page) {
  await page.locator("div:has(> table[aria-rowcount])").first().focus();
  for (const key of ["j", "x", "j", "j", "k", "x"]) {
    await page.keyboard.press(key);
    await frame(page);
  }
}

/** For lists with selectable rows. */
async function select(page: Page) {
  const boxes = page.locator("tbody input[type=checkbox]");
  for (const box of (await boxes.all()).slice(0, 3)) await box.click();
  const all = page.locator("thead input[type=checkbox]");
  if ((await all.count()) === 0) return;
  await all.click();
  await all.click();
}

async function openColumns(page: Page) {
  const button = page.getByRole("button", { name: "Columns", exact: true });
  if ((await button.count()) === 0) return;
  await button.click();
  await page.getByRole("menu").waitFor();
  await page.keyboard.press("Escape");
}

async function goThroughTabs(page: Page) {
  for (const tab of await page.getByRole("tab").all()) {
    await tab.click();
    await settled(page);
  }
}

/** For objects that can be held. */
async function openDialog(page: Page) {
  const button = page.getByRole("button", { name: "Hold…", exact: true }).first();
  if ((await button.count()) === 0) return;
  await button.click();
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
}

async function openAccount(page: Page) {
  const button = page.getByRole("banner").getByRole("button").last();
  await button.click();
  await page.getByRole("menu").waitFor();
  await page.keyboard.press("Escape");
}
