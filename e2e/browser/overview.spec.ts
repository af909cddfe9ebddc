import { fitsNarrow, settled, sound } from "./axe.ts";
import { expect, nodeRow, test, untilFleetIsOk } from "./dashboard-test.ts";

const FLEET = 7;
const TAINT = {
  spec: {
    taints: [
      {
        key: "node.cloudprovider.kubernetes.io/uninitialized",
        value: "true",
        effect: "NoSchedule",
      },
    ],
  },
};

// A product of its own, as some of its nodes get stuck.
test.use({ fleet: FLEET, permissions: ["clipboard-read", "clipboard-write"] });
test.describe.configure({ mode: "serial" });

test("all is well in one sentence, with what was changed last", async ({ page, cluster }) => {
  await untilFleetIsOk(page, cluster, FLEET);
  await page.keyboard.press("g");
  await page.keyboard.press("o");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Overview");
  await expect(page).toHaveTitle("Overview · Cloudwright");
  const header = page.getByRole("main").locator("header").first();
  await expect(header).toContainText(
    `All ${FLEET} nodes and ${FLEET} routes are in step with the cloud. Last change`,
  );
  await expect(page.getByRole("region", { name: "Needs you" })).toContainText("Nothing needs you");
  await expect(page.getByRole("region", { name: "Nodes", exact: true })).toContainText(
    `From registered to initialised: half within`,
  );
  await expect(page.getByRole("region", { name: "Controllers" })).toContainText(
    "Node initialisation",
  );
  await expect(
    page
      .getByRole("region", { name: "Changes" })
      .getByRole("listitem")
      .filter({ hasText: /node-\d initialised \(/ })
      .first(),
  ).toBeVisible();
  await expect(page.getByRole("link", { name: "Overview", exact: true })).toHaveAttribute(
    "aria-current",
    "page",
  );
});

test("a bar of the last hour opens its runs, by keyboard as well", async ({ page, cluster }) => {
  await page.goto(cluster);
  const bars = page.getByRole("list", { name: "Runs of the last hour" });
  const busy = bars.getByRole("link", { name: /changed/ }).last();
  await expect(busy).toBeVisible();
  await busy.focus();
  await page.keyboard.press("ArrowLeft");
  await expect(busy).not.toBeFocused();
  await expect(bars.locator("a:focus")).toHaveCount(1);
  await page.keyboard.press("ArrowRight");
  await expect(busy).toBeFocused();
  await expect(bars.locator('a[tabindex="0"]'), "one stop of the Tab key").toHaveCount(1);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/runs\?from=.*Z&to=.*Z/);
  await expect(page.getByRole("table", { name: "Runs" })).toContainText("Changed");
  await page.getByRole("button", { name: "Last hour" }).click();
  await expect(page).toHaveURL(/from=-1h$/);
});

test("the hour is a table as well, which has an address", async ({ page, cluster }) => {
  await page.goto(cluster);
  await page.getByRole("button", { name: "Show as table" }).click();
  await expect(page).toHaveURL(/hour=table/);
  const table = page.getByRole("table", { name: "Runs of the last hour" });
  await table.getByRole("link").first().click();
  await expect(page).toHaveURL(/\/runs\?from=/);
  await page.goBack();
  await expect(table).toBeVisible();
});

test("problems of one cause are one row, which leads to them all", async ({
  page,
  product,
  cluster,
}) => {
  // Only what has failed for two minutes is stuck.
  test.setTimeout(300_000);
  for (const name of ["node-2", "node-3"]) {
    await product.kube.patch(`/api/v1/nodes/${name}`, "merge", {
      metadata: { annotations: { "alpha.kubernetes.io/provided-node-ip": "192.0.2.99" } },
      ...TAINT,
    });
  }
  await page.goto(cluster);
  const header = page.getByRole("main").locator("header").first();
  await expect(header).toContainText("2 nodes need you. Oldest: node-", { timeout: 240_000 });
  await expect(page.getByRole("navigation", { name: "Pages" })).toContainText("2 stuck");
  const problems = page.getByRole("list", { name: "Needs you" });
  const row = problems.locator("> li");
  await expect(row).toHaveCount(1);
  await expect(row).toContainText("is not among the addresses that the cloud knows");
  await expect(row).toContainText("Correct the kubelet's --node-ip");
  await row.locator("summary").click();
  for (const name of ["node-2", "node-3"]) {
    await expect(row.getByRole("link", { name, exact: true })).toBeVisible();
  }

  await page.getByRole("button", { name: "Copy summary" }).click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toContain("2 nodes need you.");
  expect(copied).toContain("- 2 nodes, such as: Node");
  expect(copied).toContain(`Nodes ${FLEET}: Stuck 2, OK ${FLEET - 2}.`);
  expect(copied.split("\n").at(-1)).toBe(page.url());

  await row.getByRole("link", { name: "Open all 2" }).click();
  await expect(page).toHaveURL(/state=stuck&reason=ProvidedNodeIPUnknown/);
  await expect(nodeRow(page, "node-2")).toBeVisible();
  await expect(nodeRow(page, "node-3")).toBeVisible();
  await expect(nodeRow(page, "node-1")).toHaveCount(0);
  await page.getByRole("button", { name: /^Reason · / }).click();
  await expect(page).not.toHaveURL(/reason=/);
});

for (const colorScheme of ["light", "dark"] as const) {
  test.describe(`in ${colorScheme}`, () => {
    test.use({ colorScheme, reducedMotion: "reduce" });

    test("the overview has no serious fault and fits 320 px", async ({ page, cluster }) => {
      for (const path of [cluster, `${cluster}?hour=table`]) {
        await page.goto(path);
        await settled(page, page.getByRole("heading", { name: "Last hour" }));
        await page.locator("summary").first().click();
        await sound(page, path);
      }
      await page.setViewportSize({ width: 320, height: 640 });
      await page.goto(cluster);
      await settled(page, page.getByRole("heading", { name: "Last hour" }));
      await fitsNarrow(page, "Overview");
      await expect(
        page.getByRole("list", { name: "Runs of the last hour" }).getByRole("link"),
      ).toHaveCount(12);
      await sound(page, "Overview at 320 px");
    });
  });
}

test("a problem that is over leaves the page by itself", async ({ page, product, cluster }) => {
  await page.goto(cluster);
  const row = page.getByRole("list", { name: "Needs you" }).locator("> li");
  await expect(row).toHaveCount(1);
  for (const name of ["node-2", "node-3"]) {
    await product.kube.patch(`/api/v1/nodes/${name}`, "merge", {
      metadata: { annotations: { "alpha.kubernetes.io/provided-node-ip": null } },
    });
  }
  await expect(page.getByText("Nothing needs you")).toBeVisible({ timeout: 60_000 });
});
