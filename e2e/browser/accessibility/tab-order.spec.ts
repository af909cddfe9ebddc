import type { Locator, Page } from "@playwright/test";
import { settled } from "../fixtures/axe.ts";
import { expect, test } from "../fixtures/filled-ledger.ts";

test.use({ reducedMotion: "reduce" });

const SHELL = [
  'link "Skip to content"',
  'link "Cloudwright, overview"',
  'button "Cluster large"',
  'button "Search or jump… Ctrl K"',
  'button "Local"',
  'button "Theme"',
  'button "Account of admin, admin"',
  'region "State of the cluster"',
  'button "Live, pause updates"',
];
const PAGES = [
  ...["Overview", "Nodes", "Load balancers", "Routes", "Topology", "Runs", "Changes", "Actions"],
  ...["Audit", "Controllers", "Budget", "Volumes", "Settings"],
];
const FILTERS = [
  ...["Stuck", "Unknown", "Waiting", "Working", "Held", "OK", "Gone"].map(
    (state) => `button "${state}"`,
  ),
  'searchbox "Filter nodes"',
  ...["Faults only", "Drift", "Zone", "Type", "Initialisation", "Clear filters", "Columns"].map(
    (name) => `button "${name}"`,
  ),
  ...['button "Views"', 'button "Export"'],
];

test("Tab goes through the frame, the filters, the list and its side panel in visual order", async ({
  page,
  shown: { cluster, stuckNode },
}) => {
  await page.goto(`${cluster}/nodes?q=${stuckNode}`);
  await settled(page, page.getByRole("link", { name: stuckNode, exact: true }));
  await expect(page.getByRole("button", { name: /^Live/ })).toBeVisible();
  const toList = await walk(page, 'group "Nodes"');
  expect(toList.map(withoutCounts)).toEqual([
    ...SHELL,
    ...PAGES.map((name) => `link "${name}"`),
    ...FILTERS,
    'group "Nodes"',
  ]);
  const inHead = await walk(page, `checkbox "Select ${stuckNode}"`);
  expect(inHead[0]).toBe('checkbox "Select all rows that are loaded"');
  expect(inHead.filter((stop) => stop.startsWith("button")).slice(0, 3)).toEqual([
    ...['button "State"', 'button "Name"', 'button "Since"'],
  ]);
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: stuckNode, exact: true })).toBeFocused();

  await page.keyboard.press("x");
  const beside = page.getByRole("complementary", { name: `Beside the list: ${stuckNode}` });
  await settled(page, beside);
  await expect(beside.getByRole("status").first()).toHaveText(`Beside the list: ${stuckNode}`);
  await expect(page.getByRole("link", { name: stuckNode, exact: true })).toBeFocused();
  expect((await walk(page, `button "Close ${stuckNode}"`)).slice(-2)).toEqual([
    ...['link "Open page"', `button "Close ${stuckNode}"`],
  ]);
  await page.keyboard.press("Enter");
  await expect(beside).toBeHidden();
  await expect(page.getByRole("link", { name: stuckNode, exact: true })).toBeFocused();
});

test("Tab stays in an action's dialog, from its reason to its buttons and round again", async ({
  page,
  shown: { cluster, node },
}) => {
  await page.goto(`${cluster}/nodes/${node}`);
  const hold = page.getByRole("button", { name: "Hold…" });
  await hold.focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: `Hold node ${node}` });
  await expect(dialog.getByRole("textbox", { name: /^Reason/ })).toBeFocused();
  const round = await walk(page, 'button "Close"');
  expect(round.filter((stop) => !/Preview|Ask/.test(stop))).toEqual([
    ...['button "Cancel"', 'button "Hold node"', 'button "Close"'],
  ]);
  await walk(page, /^textbox "Reason/);
  expect(await dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true);
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(hold).toBeFocused();
});

test("at 200 % the focused element is never behind a sticky element", async ({
  page,
  shown: { cluster },
}) => {
  await page.setViewportSize({ width: 640, height: 400 });
  await page.goto(`${cluster}/nodes?sort=name`);
  const rows = page.locator("tbody tr[aria-rowindex]");
  await settled(page, rows.first());
  const [first, sixth] = [rows.first(), rows.nth(5)].map((row) => row.getByRole("link").first());
  await first?.focus();
  const sixthName = (await sixth?.textContent()) ?? "";
  const firstName = (await first?.textContent()) ?? "";
  await walk(page, `link "${sixthName}"`);
  await walk(page, `link "${firstName}"`, "Shift+Tab");
});

test("the number of rows that match a filter is announced, also if there are none", async ({
  page,
  shown: { cluster, stuckNode },
}) => {
  await page.goto(`${cluster}/nodes`);
  const count = page.getByRole("status").filter({ hasText: /^\d+ nodes?/ });
  await expect(count).toHaveText("50 nodes");
  // Screen readers announce only changes of an element that was there before.
  await count.evaluate((element) => element.setAttribute("data-kept", ""));
  await page.keyboard.press("/");
  await page.keyboard.type(stuckNode);
  await expect(page.locator("[data-kept]")).toHaveText("1 node matches");
  await page.keyboard.type("-nowhere");
  await expect(page.getByRole("status").filter({ hasText: "No node matches" })).toBeVisible();
});

/** Presses the key until the focus is there. Returns the stops on the way, after checking that each is in sight and has a ring. */
async function walk(
  page: Page,
  until: string | RegExp,
  key: "Tab" | "Shift+Tab" = "Tab",
): Promise<readonly string[]> {
  const stops: string[] = [];
  const isThere = (stop: string) => (typeof until === "string" ? stop === until : until.test(stop));
  do {
    await page.keyboard.press(key);
    const focused = page.locator("*:focus");
    const [line = ""] = (await focused.ariaSnapshot()).split("\n");
    const [, stop = line] = /^- (\w+(?: "[^"]*")?)/.exec(line) ?? [];
    stops.push(stop);
    await expect.soft(focused, `${stop} is in sight`).toBeInViewport();
    expect.soft(await looks(focused), stop).toEqual({ hasRing: true, behind: "" });
    expect(stops.length, stops.join(", ")).toBeLessThan(80);
  } while (!isThere(withoutCounts(stops.at(-1) ?? "")));
  return stops;
}

/** Returns whether the focus is visible, and which element covers the centre of the focused one. */
function looks(focused: Locator) {
  return focused.evaluate((element) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    const { x, y, width, height } = element.getBoundingClientRect();
    const top = document.elementFromPoint(x + width / 2, y + height / 2);
    const isOnTop = top !== null && (element.contains(top) || top.contains(element));
    return {
      hasRing: outlineStyle !== "none" && Number.parseFloat(outlineWidth) > 0,
      behind: isOnTop ? "" : `${top?.outerHTML.slice(0, 120)}`,
    };
  });
}

/** Removes the numbers of counters and badges, which are not tested here. */
function withoutCounts(stop: string): string {
  return stop.replace(/ [–\d,]+(?: [a-z][a-z ]*)?"$/, '"');
}
