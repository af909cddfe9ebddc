import type { Page } from "@playwright/test";
import { CLUSTER } from "../fleet-rows.ts";
import { frame, type PageFixture, type PageStep } from "./page-steps.ts";

/** Scrolls the lists that are filled in addition to the fleet, and the topology of the fleet. */
export const LIST_STEPS: readonly PageStep[] = [
  ...scrolled("load balancers", "/load-balancers?sort=name"),
  ...scrolled("runs", "/runs?from=all"),
  ...scrolled("audit", "/audit?from=all"),
  { title: "topology: open the nodes", run: (fixture) => openTopology(fixture, "nodes") },
  { title: "topology: scroll the nodes", run: upAndDown },
  { title: "topology: open the Services", run: (fixture) => openTopology(fixture, "services") },
  { title: "topology: scroll the Services", run: upAndDown },
];

function scrolled(name: string, path: string): readonly PageStep[] {
  return [
    { title: `${name}: open the list`, run: (fixture) => open(fixture, path) },
    { title: `${name}: scroll to the end, pages load`, run: (fixture) => wheel(fixture, 1) },
    { title: `${name}: scroll to the top, all loaded`, run: (fixture) => wheel(fixture, -1) },
  ];
}

async function open({ page }: PageFixture, path: string) {
  await page.goto(`/c/${CLUSTER}${path}`);
  await rowAt(page, 2).waitFor();
}

/** Turns the wheel until the first row is visible, or until the list ends: the last row of a folded list is not known in advance. */
async function wheel({ page }: PageFixture, direction: 1 | -1) {
  await page.mouse.move(720, 700);
  if (direction < 0) {
    while (!(await rowAt(page, 2).isVisible())) await turn(page, direction);
    return;
  }
  for (let stood = 0; stood < TURNS_AT_THE_END; ) {
    const before = await lastIndex(page);
    await turn(page, direction);
    stood = (await lastIndex(page)) === before ? stood + 1 : 0;
  }
}

/** A page that is loading arrives within this many turns. */
const TURNS_AT_THE_END = 8;

async function lastIndex(page: Page) {
  return page.locator("tbody tr[aria-rowindex]").last().getAttribute("aria-rowindex");
}

async function openTopology({ page }: PageFixture, show: "nodes" | "services") {
  await page.goto(`/c/${CLUSTER}/topology?show=${show}`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.getByRole("status", { name: "Loading" }).waitFor({ state: "detached" });
  // It is drawn after the table beside it, which is not part of scrolling.
  await page.locator("section > svg a").first().waitFor();
  await frame(page);
}

async function upAndDown({ page }: PageFixture) {
  await page.mouse.move(720, 700);
  for (const direction of [1, -1] as const) {
    for (let turned = 0; turned < 5; turned += 1) await turn(page, direction);
  }
}

async function turn(page: Page, direction: 1 | -1) {
  for (let turned = 0; turned < 8; turned += 1) {
    await page.mouse.wheel(0, direction * 600);
    await frame(page);
  }
}

function rowAt(page: Page, index: number) {
  return page.locator(`tbody tr[aria-rowindex="${index}"]`);
}
