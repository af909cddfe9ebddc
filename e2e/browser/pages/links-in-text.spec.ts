import { linksStandOut, settled } from "../fixtures/axe.ts";
import { expect, test, untilFleetIsOk } from "../fixtures/dashboard.ts";

test.setTimeout(240_000);

const PAGES = [
  "",
  "/nodes",
  "/nodes/node-1",
  "/nodes/node-1?tab=facts",
  "/nodes/node-1?tab=lifecycle",
  "/nodes/node-1?tab=routes",
  "/nodes/node-1?tab=balancers",
  "/load-balancers",
  "/load-balancers?view=orphans",
  "/routes",
  "/routes?view=list",
  "/routes?show=stale",
  "/routes?show=foreign",
  "/volumes",
  "/runs",
  "/actions",
  "/audit",
  "/controllers",
  "/budget",
  "/dry-run",
  "/requests/req-0000",
];

test("no link within a text is known by its colour alone, on any page", async ({
  page,
  cluster,
  fleet,
}) => {
  await untilFleetIsOk(page, cluster, fleet);
  const sections = ["users", "sessions", "controllers", "flags", "appearance"];
  for (const path of [
    ...PAGES.map((path) => cluster + path),
    ...sections.map((section) => `/settings/${section}`),
  ]) {
    await page.goto(path);
    await settled(page, page.getByRole("heading", { level: 1 }).first());
    await linksStandOut(page, path.replace(cluster, ""));
  }
  await page.goto(`${cluster}/runs?q=outcome:changed`);
  await page.getByRole("link", { name: "Changed" }).first().click();
  await settled(page, page.getByRole("tab", { name: "Waterfall" }));
  const run = new URL(page.url()).pathname;
  for (const view of ["waterfall", "plan", "diff", "compare", "json"]) {
    await page.goto(`${run}?view=${view}`);
    await settled(page, page.getByRole("tabpanel"));
    await linksStandOut(page, `run, ${view}`);
  }
  await expect(page.getByRole("tabpanel")).toBeVisible();
});
