import type { Locator, Page } from "@playwright/test";
import { settled } from "../fixtures/axe.ts";
import { expect, test } from "../fixtures/filled-ledger.ts";
import { hasRing, standOut, standsApart } from "../fixtures/visible-marks.ts";

test.use({ reducedMotion: "reduce" });
test.beforeEach(({ page }) => page.emulateMedia({ forcedColors: "active" }));

test("bars and other marks drawn only by a background stay visible", async ({ page, shown }) => {
  const { cluster, run, node } = shown;
  const main = page.getByRole("main");
  await open(page, cluster);
  await standOut("bars of the last hour", main.locator("ol a span[data-kind]"));
  await standOut("shares of the states", main.locator("span[data-state][data-tone]"));
  const live = page.getByRole("button", { name: /updates/ });
  await standOut("the dot of what is live", live.locator("> span").first());
  await open(page, `${cluster}/runs?from=-1h`);
  await standOut(
    "the histogram",
    page.getByRole("region", { name: "Histogram" }).locator("li span"),
  );
  await open(page, `${cluster}/runs/${run}`);
  await standOut("bars of the waterfall", main.locator("[data-kind][style]"));
  await open(page, `${cluster}/nodes/${node}`);
  await standOut("bars of the timeline", main.locator("li span[data-state][style]"));
  await open(page, `${cluster}/routes?show=map`);
  await standOut("how full a table is", main.locator("span > span[style*=width]"));
});

test("pictures have frames, marks and names", async ({ page, shown }) => {
  await open(page, `${shown.cluster}/topology`);
  const picture = page.getByRole("region", { name: /Zones of/ });
  await standOut("zones", picture.locator("rect[rx='10']"));
  await standOut("names", picture.locator("text"));
});

test("pressed, chosen, open and focused elements are recognisable as such", async ({
  page,
  shown: { cluster, node },
}) => {
  await open(page, `${cluster}/nodes?state=ok&sort=name&peek=${node}`);
  const shownRow = page.locator("tr[aria-current=true]");
  const cellOf = (row: Locator) => row.locator("td").nth(2);
  await expect(shownRow).toBeVisible();
  const otherRow = page.locator("tr[data-peek]:not([aria-current])").last();
  await standsApart("the row beside the list", cellOf(shownRow), cellOf(otherRow));
  await standOut("the name in it", shownRow.getByRole("link").first());
  const states = page.getByRole("group", { name: "Filter by state" }).getByRole("button");
  const [pressed, raised] = [states.and(page.locator("[aria-pressed=true]")), states.first()];
  await standsApart("the pressed counter", pressed, raised);
  await standOut("its words", pressed.locator("span").first());
  const links = page.getByRole("navigation", { name: "Pages" }).getByRole("link");
  await standsApart("the current page", links.and(page.locator("[aria-current]")), links.first());

  const box = page.getByRole("checkbox", { name: `Select ${node}`, exact: true });
  await box.focus();
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Tab");
  await hasRing("a box", box);
  await page.keyboard.press("Space");
  await expect(box).toBeChecked();
  await page.getByRole("searchbox").focus();
  await page.keyboard.press("Tab");
  await hasRing("a button", page.getByRole("button", { name: "Faults only" }));
});

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await settled(page, page.getByRole("heading", { level: 1 }));
}
