import {
  type LoadBalancerFixture,
  makeLoadBalancerFixture,
  makeStuckService,
  startWithOrphan,
  untilRemoved,
} from "../../harness/load-balancer-fixture.ts";
import { loadBalancersOf } from "../../harness/load-balancers.ts";
import type { Product } from "../../harness/product.ts";
import { fitsNarrow, settled, sound } from "../fixtures/axe.ts";
import { test as base, expect, rowOf, tray } from "../fixtures/dashboard.ts";

/** Enough nodes for several members and one that is excluded. */
const FLEET = 5;

interface PerWorker {
  readonly seeded: { readonly product: Product; readonly orphan: string };
  readonly fixture: LoadBalancerFixture & { readonly orphan: string };
}

const test = base.extend<object, PerWorker>({
  seeded: [
    async ({ fleet }, use) => {
      const seeded = await startWithOrphan(["--nodes", String(fleet)]);
      await use(seeded);
      await seeded.product.stop();
    },
    { scope: "worker", timeout: 400_000 },
  ],
  product: [async ({ seeded }, use) => use(seeded.product), { scope: "worker" }],
  fixture: [
    async ({ product, seeded, fleet }, use) =>
      use({ ...(await makeLoadBalancerFixture(product, fleet)), orphan: seeded.orphan }),
    { scope: "worker", timeout: 120_000 },
  ],
});

test.use({ fleet: FLEET });

test("the list shows what each Service's load balancer needs, and can be filtered by it", async ({
  page,
  cluster,
  fixture,
}) => {
  await page.goto(`${cluster}/load-balancers`);
  await expect(rowOf(page, fixture.well)).toContainText("OK");
  await expect(rowOf(page, fixture.well)).toContainText(`${FLEET - 1} of ${FLEET - 1}`);
  await expect(rowOf(page, fixture.stuck)).toContainText("Stuck");
  await expect(rowOf(page, fixture.drifted)).toContainText("Drifted", { timeout: 60_000 });
  await expect(
    page.getByText(/load balancers need you\..* 1 in the cloud has no Service\./),
  ).toBeVisible();
  await expect(page.getByRole("navigation", { name: "Pages" })).toContainText("Load balancers2");

  await page.getByRole("button", { name: "Faults only" }).click();
  await expect(page).toHaveURL(/state=stuck,unknown/);
  await expect(rowOf(page, fixture.well)).toHaveCount(0);
  await page.getByRole("button", { name: "Clear filters" }).click();
  await page.getByRole("searchbox", { name: "Filter load balancers" }).fill("intra");
  await expect(rowOf(page, fixture.well)).toHaveCount(0);
  await expect(page.getByText("1 load balancer matches")).toBeVisible();

  await page.goto(`${cluster}/load-balancers?q=nothing`);
  await expect(page.getByText("No load balancer matches this filter")).toBeVisible();
  await page.getByRole("button", { name: "Show all load balancers" }).click();
  await rowOf(page, fixture.well).getByRole("cell").nth(3).click();
  await expect(page).toHaveURL(/peek=default%2Fweb/);
  await expect(page.getByRole("complementary")).toContainText("Service default/web is OK");
});

test("a Service's page shows what differs, each node's verdict and what happened", async ({
  page,
  cluster,
  fixture,
}) => {
  await page.goto(`${cluster}/load-balancers/${fixture.drifted}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(fixture.drifted);
  const differing = page.getByRole("row", { name: /source ranges/ });
  await expect(differing).toContainText("10.0.0.0/8", { timeout: 60_000 });
  await expect(
    page
      .getByText("Held until")
      .or(page.getByText(/(is|been) held/))
      .first(),
  ).toBeVisible();
  await expect(page.getByRole("row", { name: /listener/ })).toHaveCount(0);
  await page.getByRole("button", { name: "Show what matches" }).click();
  await expect(page).toHaveURL(/all=1/);
  await expect(page.getByRole("row", { name: /listener 80\/TCP/ })).toBeVisible();
  await page.getByRole("button", { name: "One above the other" }).click();
  await expect(page.getByText("desired").first()).toBeVisible();

  await page.goto(`${cluster}/load-balancers/${fixture.well}?tab=members`);
  await expect(page.getByRole("row", { name: /node-1/ })).toContainText(
    'Label node.kubernetes.io/exclude-from-external-load-balancers="true"',
  );
  await page.getByRole("button", { name: /^Out/ }).click();
  await expect(page).toHaveURL(/member=out/);
  await expect(page.getByRole("row", { name: /node-2/ })).toHaveCount(0);

  await page.getByRole("tab", { name: "Events" }).click();
  await expect(page.getByRole("link", { name: "Create load balancer" })).toBeVisible();
  await page.getByRole("tab", { name: "Runs" }).click();
  await page.getByRole("link", { name: "Changed" }).first().click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText(fixture.well);

  await page.goto(`${cluster}/load-balancers/default/nobody`);
  await expect(page.getByText("No load balancer of a Service default/nobody")).toBeVisible();
});

test("a node shows which load balancers it is behind", async ({ page, cluster, fixture }) => {
  await page.goto(`${cluster}/nodes/node-2?tab=balancers`);
  const own = page.getByRole("row", { name: new RegExp(fixture.well) });
  await expect(own).toContainText("In");
  await page.goto(`${cluster}/nodes/node-1?tab=balancers`);
  await expect(own).toContainText("Out");
  await own.getByRole("link").first().click();
  await expect(page).toHaveURL(/load-balancers\/default\/web\?tab=members/);
});

test("the Overview and the palette include load balancers", async ({ page, cluster, fixture }) => {
  await page.goto(cluster);
  await expect(page.getByRole("list", { name: "Needs you" })).toContainText("Service default/");
  await expect(page.getByRole("link", { name: /Orphans in the cloud 1/ })).toBeVisible();
  await page.keyboard.press("Control+k");
  await page.getByRole("textbox", { name: "Search or jump" }).fill("default/we");
  const found = page.getByRole("dialog").getByRole("button", { name: /^default\/web/ });
  await expect(found).toHaveAttribute("data-selected");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(fixture.well);
});

test.describe("a viewer", () => {
  test("sees everything, may preview, and learns who may act", async ({
    openPage,
    cluster,
    fixture,
  }) => {
    const page = await openPage("viewer");
    await page.goto(`${cluster}/load-balancers/${fixture.well}`);
    for (const name of ["Retry now", "Hold…"]) {
      const button = page.getByRole("button", { name });
      await expect(button).toHaveAttribute("aria-disabled", "true");
      await expect(button).toHaveAttribute("aria-description", /Needs role operator/);
    }
    await page.getByRole("button", { name: "More actions" }).click();
    await expect(page.getByRole("menuitem", { name: /Write all again/ })).toContainText(
      "Needs role operator",
    );
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Dry run" }).click();
    await expect(page.getByRole("dialog")).toContainText("Nothing would change");
    await page.goto(`${cluster}/load-balancers/${fixture.unowned.service}`);
    await expect(page.getByRole("button", { name: "Adopt…" })).toHaveAttribute(
      "aria-description",
      /Needs role admin/,
    );
    await page.goto(`${cluster}/load-balancers`);
    await page.getByRole("checkbox", { name: `Select ${fixture.well}` }).check();
    await expect(page.getByRole("button", { name: "Retry 1 Service…" })).toHaveAttribute(
      "aria-description",
      /Needs role operator/,
    );
    await page.goto(`${cluster}/load-balancers?view=orphans`);
    await expect(page.getByRole("button", { name: /^Remove…/ })).toHaveAttribute(
      "aria-description",
      /Needs role admin/,
    );
  });
});

test.describe("in light and dark", () => {
  test.use({ reducedMotion: "reduce" });

  test("pages and dialogs have no fault", async ({ page, cluster, fixture }) => {
    const list = `${cluster}/load-balancers`;
    for (const tab of ["desired", "desired&all=1&layout=lines", "members", "events"]) {
      await page.goto(`${list}/${fixture.drifted}?tab=${tab}`);
      await settled(page, page.getByRole("tabpanel"));
      await sound(page, `load balancer, ${tab}`);
    }
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: /Write all again/ }).click();
    await settled(page, page.getByRole("dialog"));
    await sound(page, "write all again");
    await page.goto(`${cluster}/nodes/node-1?tab=balancers`);
    await settled(page, page.getByRole("tabpanel"));
    await sound(page, "a node's load balancers");
  });
});

test("at a width of 320 px, no page scrolls sideways", async ({ page, cluster, fixture }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  const list = `${cluster}/load-balancers`;
  const paths = [
    ...[list, `${list}?view=orphans`, `${list}?peek=${encodeURIComponent(fixture.well)}`],
    ...["desired", "desired&all=1", "members", "events", "runs", "json"].map(
      (tab) => `${list}/${fixture.drifted}?tab=${tab}`,
    ),
    ...[`${cluster}/nodes/node-1?tab=balancers`, `${cluster}/dry-run`],
  ];
  for (const path of paths) {
    await page.goto(path);
    await settled(page, page.getByRole("heading", { level: 1 }));
    await fitsNarrow(page, path);
  }
});

test.describe("actions", () => {
  test("a Service is held and released", async ({ page, cluster, fixture }) => {
    await page.goto(`${cluster}/load-balancers/${fixture.well}`);
    await page.getByRole("button", { name: "Hold…" }).click();
    const dialog = page.getByRole("dialog", { name: `Hold Service ${fixture.well}` });
    await expect(dialog.getByText(/^1 Service changes · until/)).toBeVisible();
    await dialog
      .getByRole("textbox", { name: /Reason/ })
      .fill("INC-92: the certificate is changed");
    await dialog.getByRole("button", { name: "Hold Service" }).click();
    await expect(tray(page)).toContainText("Verified");
    await expect(page.getByText(/^Held by .* left\)/)).toBeVisible();
    await page.getByRole("button", { name: "Release…" }).click();
    await page.getByRole("textbox", { name: /Reason/ }).fill("it is changed");
    await page.getByRole("button", { name: "Release Service" }).click();
    await expect(page.getByRole("button", { name: "Hold…" })).toBeVisible();
  });

  test("selected Services are retried together, each by its own plan", async ({
    page,
    cluster,
    fixture,
  }) => {
    await page.goto(`${cluster}/load-balancers?sort=name`);
    for (const service of [fixture.well, fixture.drifted]) {
      await page.getByRole("checkbox", { name: `Select ${service}` }).check();
    }
    await expect(page.getByText("2 Services selected")).toBeVisible();
    await page.getByRole("button", { name: "Retry 2 Services…" }).click();
    const dialog = page.getByRole("dialog", { name: "Retry 2 Services" });
    await expect(dialog.getByText("0 of 2 Services would change, 1 left out.")).toBeVisible();
    const held = dialog.getByRole("listitem").filter({ hasText: fixture.drifted });
    await expect(held).toContainText("Left out: nothing is written to it");
    await sound(page, "bulk retry of Services");
    await dialog.getByRole("button", { name: "Retry 1 Service" }).click();
    await expect(dialog).toBeHidden();
    await expect(tray(page)).toContainText("Verified");
    await expect(page.getByText("2 Services selected")).toBeHidden();
  });

  test("Services that are stuck for the same reason are retried together from the Overview", async ({
    page,
    cluster,
    product,
    fixture,
  }) => {
    await makeStuckService(product, "intranet-too");
    await page.goto(cluster);
    const problem = page
      .getByRole("list", { name: "Needs you" })
      .locator("> li")
      .filter({ hasText: "2 Services" });
    await expect(problem).toBeVisible({ timeout: 60_000 });
    await problem.getByRole("button", { name: "Retry 2…" }).click();
    const dialog = page.getByRole("dialog", { name: "Retry 2 Services" });
    for (const service of [fixture.stuck, "default/intranet-too"]) {
      await expect(dialog.getByRole("list").first()).toContainText(service);
    }
    await expect(dialog.getByText("Asking the leader")).toHaveCount(0);
    await dialog.getByRole("button", { name: "Retry 2 Services" }).click();
    await expect(dialog).toBeHidden();
    const link = page.getByRole("link", { name: "Retry 2 Services", exact: true });
    await expect(tray(page).getByRole("article").filter({ has: link })).toContainText(
      /2 (verified|failed)/,
    );
  });

  test("all of a load balancer is written again after its preview", async ({
    page,
    cluster,
    fixture,
  }) => {
    await page.goto(`${cluster}/load-balancers/${fixture.well}`);
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: /Write all again/ }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByText(/^1 load balancer changes/)).toBeVisible();
    await dialog.getByRole("textbox", { name: /Reason/ }).fill("INC-93");
    await dialog.getByRole("button", { name: "Write all again" }).click();
    await expect(tray(page)).toContainText("Verified");
  });

  test("an unowned load balancer with our name is adopted after its id is typed", async ({
    page,
    cluster,
    product,
    fixture,
  }) => {
    const { service, balancer: loadBalancer } = fixture.unowned;
    await page.goto(`${cluster}/load-balancers/${service}`);
    await expect(page.getByText(/has no owner/).first()).toBeVisible();
    await page.getByRole("button", { name: "Adopt…" }).click();
    await settled(page, page.getByRole("dialog"));
    await sound(page, "adopt a load balancer");
    const dialog = page.getByRole("dialog", { name: /^Adopt load balancer/ });
    await expect(dialog.getByRole("button", { name: "Cancel" })).toBeFocused();
    await dialog.getByRole("textbox", { name: /Reason/ }).fill("INC-94: it is ours from before");
    await dialog.getByRole("textbox", { name: /Type the load balancer's ID/ }).fill(loadBalancer);
    await dialog.getByRole("button", { name: "Adopt load balancer" }).click();
    await expect(tray(page)).toContainText("Verified");
    await expect(page.getByText(/is OK/).first()).toBeVisible();
    expect(await loadBalancersOf(product.cloud, service)).toMatchObject([{ id: loadBalancer }]);
  });

  test("an orphan is removed after its id is typed, never by Enter", async ({
    page,
    cluster,
    product,
    fixture,
  }) => {
    await page.goto(`${cluster}/load-balancers?view=orphans`);
    await expect(page.getByRole("link", { name: "shop/left-behind" })).toBeVisible();
    await page.getByRole("button", { name: /^Remove…/ }).click();
    const dialog = page.getByRole("dialog", { name: `Remove load balancer ${fixture.orphan}` });
    await expect(dialog.getByText(/^1 load balancer is deleted/)).toBeVisible();
    await expect(dialog.getByText(/The address cannot be recovered/)).toBeVisible();
    await dialog.getByRole("textbox", { name: /Reason/ }).fill("INC-95: left behind");
    const typed = dialog.getByRole("textbox", { name: /Type the load balancer's ID/ });
    await typed.fill("another");
    await dialog.getByRole("button", { name: "Remove load balancer" }).click();
    await expect(typed).toHaveAccessibleDescription(`Type exactly ${fixture.orphan}.`);
    await typed.fill(fixture.orphan);
    await typed.press("Enter");
    await expect(dialog, "Enter never confirms it").toBeVisible();
    await dialog.getByRole("button", { name: "Remove load balancer" }).click();
    await untilRemoved(product, fixture.orphan);
    await expect(page.getByText("No orphans")).toBeVisible();
  });
});
