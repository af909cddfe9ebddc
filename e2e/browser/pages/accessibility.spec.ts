import { fitsNarrow, settled, sound } from "../fixtures/axe.ts";
import { expect, SIGNED_OUT, test, untilFleetIsOk } from "../fixtures/dashboard.ts";

test.describe("in light and dark", () => {
  test.use({ reducedMotion: "reduce" });
  // Each page is scanned twice, and two cores may be busy with more than that.
  test.setTimeout(240_000);

  test("the pages of nodes have no serious fault", async ({ page, cluster, fleet }) => {
    await untilFleetIsOk(page, cluster, fleet);
    await sound(page, "Nodes");
    await page.locator("button[aria-haspopup=menu]", { hasText: /^Zone/ }).click();
    await settled(page, page.getByRole("menu", { name: "Zone" }));
    await sound(page, "Nodes with an open menu");
    await page.goto(`${cluster}/nodes?peek=node-1`);
    await settled(page, page.getByRole("complementary", { name: /node-1$/ }));
    await sound(page, "Nodes with a node beside them");
    for (const tab of ["timeline", "facts", "lifecycle", "balancers", "runs", "json"]) {
      await page.goto(`${cluster}/nodes/node-1?tab=${tab}`);
      await settled(page, page.getByRole("tabpanel"));
      await sound(page, `node, ${tab}`);
    }
    const nowhere = [
      [`${cluster}/nodes/nobody`, "Show all nodes"],
      [`${cluster}/load-balancers/nobody/none`, "Show all load balancers"],
      ["/c/nobody", "Show all clusters"],
    ] as const;
    for (const [path, way] of nowhere) {
      await page.goto(path);
      const link = page.getByRole("main").getByRole("link", { name: way });
      await settled(page, link);
      await expect(link, "its colour alone does not show it").toHaveCSS(
        "text-decoration-line",
        "underline",
      );
      await sound(page, path);
    }
  });

  test("the pages of runs have no serious fault", async ({ page, cluster, fleet }) => {
    await untilFleetIsOk(page, cluster, fleet);
    await page.goto(`${cluster}/runs?q=outcome:changed`);
    const run = page.getByRole("link", { name: "Changed" }).first();
    await settled(page, run);
    await sound(page, "Runs");
    await page.locator("tr[data-peek] td").last().click();
    await settled(page, page.getByRole("complementary").getByRole("heading", { name: "Changes" }));
    await sound(page, "Runs with a run beside them");
    await run.click();
    await settled(page, page.getByRole("tab", { name: "Waterfall" }));
    const address = new URL(page.url()).pathname;
    for (const view of [
      ...["waterfall", "waterfall&as=table", "plan", "diff", "compare&all=1", "json"],
    ]) {
      await page.goto(`${address}?view=${view}`);
      await settled(page, page.getByRole("tabpanel"));
      await sound(page, `run, ${view}`);
    }
  });

  test("dialogs and actions have no serious fault", async ({ page, cluster, fleet }) => {
    await untilFleetIsOk(page, cluster, fleet);
    await page.keyboard.press("Control+k");
    await settled(page, page.getByRole("textbox", { name: "Search or jump" }));
    await sound(page, "palette");
    await page.goto(`${cluster}/nodes/node-6`);
    await page.keyboard.press("?");
    await settled(page, page.getByRole("dialog", { name: "Keyboard" }));
    await sound(page, "keys");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Retry now" }).click();
    await settled(page, page.getByRole("dialog", { name: "Retry node node-6" }));
    await sound(page, "retry");
    await page.getByRole("button", { name: "Retry node" }).click();
    const tray = page.getByRole("region", { name: "Your actions" });
    await expect(tray).toContainText("Verified");
    await sound(page, "tray");
    await tray.getByRole("link").first().click();
    await settled(page, page.getByRole("region", { name: "Record" }).getByRole("listitem").first());
    await sound(page, "action");
    await page.goto(`${cluster}/actions`);
    await settled(page, page.getByRole("link", { name: "Retry node node-6" }).first());
    await sound(page, "Actions");
  });

  test.describe("signed out", () => {
    test.use({ storageState: SIGNED_OUT });
    test("the sign-in page has no serious fault", async ({ page, product }) => {
      await page.goto("/sign-in");
      await settled(page, page.getByRole("heading", { name: "You are not signed in" }));
      await sound(page, "sign-in");
      await page.goto(product.endpoints.signInUrl);
      await settled(page, page.getByRole("button", { name: /^Sign in as/ }));
      await sound(page, "sign-in with a link");
    });
  });
});

test("320 px wide, no page scrolls sideways", async ({ page, cluster, fleet }) => {
  await untilFleetIsOk(page, cluster, fleet);
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto(`${cluster}/runs?q=outcome:changed`);
  const run = page.getByRole("link", { name: "Changed" }).first();
  await run.click();
  await settled(page, page.getByRole("tab", { name: "Waterfall" }));
  const runPath = new URL(page.url()).pathname;
  const paths = [
    ...["/sign-in", `${cluster}/nodes`, `${cluster}/runs`, `${cluster}/actions`],
    ...[`${cluster}/nodes?peek=node-1`, `${cluster}/runs?peek=${runPath.split("/").at(-1)}`],
    ...["timeline", "facts", "lifecycle", "runs", "json"].map(
      (tab) => `${cluster}/nodes/node-1?tab=${tab}`,
    ),
    ...["waterfall", "plan", "diff", "compare&all=1", "json"].map(
      (view) => `${runPath}?view=${view}`,
    ),
  ];
  for (const path of paths) {
    await page.goto(path);
    await settled(page, page.getByRole("heading", { level: 1 }));
    await fitsNarrow(page, path);
  }
});
