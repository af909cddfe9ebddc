import { expect, test } from "../fixtures/dashboard.ts";

/** A unique fleet size gives this spec its own product, in which a controller is paused. */
const FLEET = 6;

test.use({ fleet: FLEET });

test("shows which controllers run, the state of each, and why others do not run", async ({
  page,
  cluster,
}) => {
  await page.goto(`${cluster}/controllers`);
  await expect(page.getByText(/\d of \d controllers run on /)).toBeVisible({ timeout: 60_000 });
  const running = page.getByRole("list", { name: "Controllers", exact: true });
  const nodes = running.getByRole("listitem").filter({ hasText: "cloud-node-controller" });
  await expect(nodes).toContainText("Idle", { timeout: 60_000 });
  await expect(nodes).toContainText("kube-system/cloud-controller-manager");
  const idle = page.getByRole("list", { name: "Controllers that do not run" });
  await expect(
    idle.getByRole("listitem").filter({ hasText: "volume-label-controller" }),
  ).toContainText("--controllers leaves it out");
  const processes = page.getByRole("list", { name: "Processes" });
  await expect(processes.getByRole("listitem").first()).toContainText("Leads");

  await nodes.getByRole("link", { name: /runs$/ }).click();
  await expect(page).toHaveURL(/runs\?q=controller%3Anode&from=-1h/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Runs");
});

test("a controller is paused and resumed from here", async ({ page, cluster }) => {
  await page.goto(`${cluster}/controllers`);
  const lifecycle = page
    .getByRole("list", { name: "Controllers", exact: true })
    .getByRole("listitem")
    .filter({ hasText: "cloud-node-lifecycle-controller" });
  await lifecycle.getByRole("button", { name: /^Pause…/ }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: /Reason/ }).fill("INC-97: machines are moved");
  await dialog.getByRole("button", { name: /^Pause/ }).click();
  await expect(lifecycle).toContainText("Paused", { timeout: 30_000 });
  await expect(lifecycle).toContainText("INC-97: machines are moved");
  await expect(page.getByText(/1 is paused\./)).toBeVisible();
  await lifecycle.getByRole("button", { name: /^Resume/ }).click();
  const resume = page.getByRole("dialog");
  await resume.getByRole("textbox", { name: /Reason/ }).fill("they are moved");
  await resume.getByRole("button", { name: /^Resume/ }).click();
  await expect(lifecycle).not.toContainText("INC-97", { timeout: 30_000 });
});

test("a viewer sees everything and learns who may pause", async ({ openPage, cluster }) => {
  const page = await openPage("viewer");
  await page.goto(`${cluster}/controllers`);
  const pause = page.getByRole("button", { name: /^Pause…/ }).first();
  await expect(pause).toHaveAttribute("aria-disabled", "true");
  await expect(pause).toHaveAttribute("aria-description", /Needs role admin/);
});

test("the flags are shown with their values and sources, but without secrets", async ({
  page,
  cluster,
  product,
}) => {
  await page.goto(`${cluster}/controllers`);
  await page.getByRole("link", { name: "What they were started with" }).click();
  await expect(page).toHaveURL(/settings\/flags/);
  const provider = page.getByRole("row", { name: /--cloud-provider/ });
  await expect(provider).toContainText("sandbox");
  await expect(provider).toContainText("Flag");
  await expect(page.getByRole("row", { name: /--database-url/ })).toContainText("set");
  await page.getByText(/flags at the default/).click();
  await expect(page.getByRole("row", { name: /--leader-elect-renew-deadline/ })).toContainText(
    "10s",
  );
  const answers = await page.content();
  expect(answers).not.toContain(product.endpoints.databaseUrl);
});

test("is reached by key and by palette", async ({ page, cluster }) => {
  await page.goto(cluster);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.keyboard.press("g");
  await page.keyboard.press("c");
  await expect(page).toHaveURL(`${cluster}/controllers`);
  await page.keyboard.press("Control+k");
  await page.getByRole("textbox", { name: "Search or jump" }).fill("controller flags");
  await expect(
    page.getByRole("dialog").getByRole("button", { name: "Settings: controller flags" }),
  ).toBeVisible();
});
