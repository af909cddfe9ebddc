import { chunkTable, total, watchLoad } from "../../harness/first-load.ts";
import { beginRun, CLUSTER, expect, test } from "../fixtures/ledger.ts";

/** Compressed script that the first page of a session may fetch. */
const MOST_SCRIPT = 300_000;

const PAGES = {
  Overview: "",
  Nodes: "/nodes",
  "A node": "/nodes/node-1",
  "Load balancers": "/load-balancers",
  Routes: "/routes",
  Topology: "/topology",
  Runs: "/runs",
  Changes: "/changes",
  Actions: "/actions",
  Audit: "/audit",
  Incidents: "/incidents",
  Controllers: "/controllers",
  Budget: "/budget",
} as const;

const RUN = "01900000-0000-7000-8000-0000000000ab";
/** When that id was made. */
const BEGAN_MS = 0x019000000000;

for (const [name, path] of Object.entries(PAGES)) {
  test(`${name} as the first page fetches at most 300 kB of script, and no other page before it is meant`, async ({
    page,
  }, info) => {
    const load = watchLoad(page);
    await page.goto(`/c/${CLUSTER}${path}`);
    await expect(page.getByRole("button", { name: /updates/ })).toHaveText(/Live|Stale/);
    await expect(page.getByRole("status", { name: "Loading" })).toHaveCount(0);
    const scripts = await load.scripts();
    const table = chunkTable(`${name}: compressed script of a first load, bytes`, scripts);
    await info.attach("script by chunk", { body: table, contentType: "text/plain" });
    console.log(table);
    expect(total(scripts)).toBeLessThanOrEqual(MOST_SCRIPT);

    // What was to be fetched ahead is fetched in turn: the one that is meant now would come after all others.
    const meant = name === "Budget" ? "Audit" : "Budget";
    const link = page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: meant });
    const fetched = page.waitForResponse(
      (response) => response.request().headers()["next-router-prefetch"] !== undefined,
    );
    await link.hover();
    await fetched;
    expect(new Set(load.prefetches())).toEqual(new Set([`/c/${CLUSTER}/${meant.toLowerCase()}`]));
  });
}

test("a run as the first page fetches at most 300 kB of script", async ({ page, ledger }) => {
  await beginRun(ledger, { id: RUN, beganMs: BEGAN_MS, node: "node-1" });
  const load = watchLoad(page);
  await page.goto(`/c/${CLUSTER}/runs/${RUN}`);
  await expect(page.getByRole("tablist")).toBeVisible();
  expect(total(await load.scripts())).toBeLessThanOrEqual(MOST_SCRIPT);
});
