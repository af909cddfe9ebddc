import type { Page } from "@playwright/test";
import { dashboardPages } from "../../harness/dashboard-pages.ts";
import { chunkTable, type FirstLoad, total, watchLoad } from "../../harness/first-load.ts";
import { CLUSTER, expect, test } from "../fixtures/filled-ledger.ts";

/** The most bytes of compressed script that the first page of a session may fetch. */
const MOST_SCRIPT = 300_000;

/** Addresses for the tests' titles, because the real objects are known only when a test runs. */
const TITLES = dashboardPages({
  ...{ cluster: "/c/cluster", node: "node", stuckNode: "stuck", service: "shop/web" },
  ...{ stuckService: "shop/api", volume: "volume", object: "Kind/name", run: "run" },
  ...{ action: "action", batch: "batch", incident: "incident" },
});
/** The route whose addresses are separate pages; of any other route, only the first address is tested. */
const SECTIONS = "/settings/[section]";

/** A chunk for the first screen is requested within this time after the previous ones have arrived. */
const SETTLED_MS = 250;

const LOADS = Object.entries(TITLES).flatMap(([route, titles]) =>
  (route === SECTIONS ? titles : titles.slice(0, 1)).map((title, at) => ({ route, title, at })),
);

for (const { route, title, at } of LOADS) {
  test(`${title} as the first page fetches at most 300 kB of script`, async ({
    page,
    shown,
  }, info) => {
    if (route === "/sign-in") await page.context().clearCookies();
    const load = await firstLoad(page, dashboardPages(shown)[route]?.[at] ?? "");
    const scripts = await load.scripts();
    const table = chunkTable(`${title}: compressed script of a first load, bytes`, scripts);
    await info.attach("script by chunk", { body: table, contentType: "text/plain" });
    console.log(table);
    expect(total(scripts)).toBeLessThanOrEqual(MOST_SCRIPT);
  });
}

test.describe("in a language other than English", () => {
  test.use({ locale: "ja-JP" });

  for (const path of ["/routes", "/audit", "/load-balancers", "/nodes", "/takeover", "/runs"]) {
    test(`${path} as the first page fetches at most 300 kB of script with its messages`, async ({
      page,
    }) => {
      const load = await firstLoad(page, `/c/${CLUSTER}${path}`);
      await expect(page.locator("html")).toHaveAttribute("lang", "ja");
      const scripts = await load.scripts();
      console.log(chunkTable(`${path} in Japanese: compressed script, bytes`, scripts));
      expect(total(scripts)).toBeLessThanOrEqual(MOST_SCRIPT);
    });
  }
});

for (const [name, meant] of [
  ["Nodes", "Budget"],
  ["Budget", "Audit"],
] as const) {
  test(`${name} prefetches no page until the pointer is on its link, and then that page first`, async ({
    page,
  }) => {
    // Prefetches run one after another: if all pages were prefetched, the one under the pointer would come last.
    const load = await firstLoad(page, `/c/${CLUSTER}/${name.toLowerCase()}`);
    const link = page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: meant });
    const fetched = page.waitForResponse(
      (response) => response.request().headers()["next-router-prefetch"] !== undefined,
    );
    await link.hover();
    await fetched;
    expect(new Set(load.prefetches())).toEqual(new Set([`/c/${CLUSTER}/${meant.toLowerCase()}`]));
  });
}

/** Opens an address, and waits until everything for its first screen has arrived. */
async function firstLoad(page: Page, address: string): Promise<FirstLoad> {
  const load = watchLoad(page);
  await page.goto(address);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.getByRole("status", { name: /^(Loading|読み込み中)$/ })).toHaveCount(0);
  await expect.poll(() => load.isSettled(), { intervals: [SETTLED_MS] }).toBe(true);
  return load;
}
