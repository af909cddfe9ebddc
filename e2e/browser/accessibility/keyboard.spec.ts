import { expect, rowOf, test, untilFleetIsOk } from "../fixtures/dashboard.ts";

test.beforeEach(async ({ page, cluster, fleet }) => untilFleetIsOk(page, cluster, fleet));

test("a list is filtered and navigated, and its rows are opened, without a pointer", async ({
  page,
}) => {
  const filter = page.getByRole("searchbox", { name: "Filter nodes" });
  await page.keyboard.press("/");
  await expect(filter).toBeFocused();
  await page.keyboard.type("node-");
  await expect(page).toHaveURL(/q=node-/);
  await expect(filter, "keys in a field are text").toHaveValue("node-");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await expect(filter).not.toBeFocused();
  await expect(page).not.toHaveURL(/q=/);

  const rows = page.getByRole("table", { name: "Nodes" }).locator("tbody tr[aria-rowindex]");
  const names = await rows.locator('a[href*="/nodes/"]').allTextContents();
  for (const [key, name] of [
    ["j", names[0]],
    ["j", names[1]],
    ["j", names[2]],
    ["k", names[1]],
  ] as const) {
    await page.keyboard.press(key);
    await expect(page.getByRole("link", { name: name ?? "", exact: true })).toBeFocused();
  }
  await page.keyboard.press("Enter");
  for (const [key, name] of [
    [undefined, names[1]],
    ["]", names[2]],
    ["[", names[1]],
  ] as const) {
    if (key !== undefined) await page.keyboard.press(key);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(name ?? "");
  }
  await page.goBack();
  await page.goBack();
  await page.goBack();
  await expect(page.getByRole("link", { name: names[1] ?? "", exact: true })).toBeFocused();
  const beside = (name = "") =>
    page.getByRole("complementary", { name: `Beside the list: ${name}` });
  await page.keyboard.press("x");
  await expect(beside(names[1])).toBeVisible();
  await page.keyboard.press("]");
  await expect(beside(names[2])).toBeVisible();
  await expect(page.getByRole("link", { name: names[2] ?? "", exact: true })).toBeFocused();
  await page.keyboard.press("g");
  await page.keyboard.press("r");
  await expect(page.getByRole("heading", { name: "Runs" })).toBeVisible();
  await page.keyboard.press("g");
  await page.keyboard.press("n");
  await expect(page.getByRole("heading", { name: "Nodes" })).toBeVisible();
});

test("the focus goes to the page that a row opens, and back to the row", async ({
  page,
  cluster,
}) => {
  const lists = [
    ["nodes?sort=name", "node-6"],
    ["runs?q=outcome:changed&from=all", undefined],
  ] as const;
  for (const [path, name] of lists) {
    await page.goto(`${cluster}/${path}`);
    const links = page.locator("tbody tr[aria-rowindex]").locator("a:not([tabindex])");
    const link = name === undefined ? links.nth(2) : page.getByRole("link", { name, exact: true });
    await link.focus();
    const href = (await link.getAttribute("href")) ?? "";
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(new RegExp(`${href}$`));
    await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
    await page.goBack();
    await expect(page.locator(`tbody a[href="${href}"]:not([tabindex])`), path).toBeFocused();
    await page.keyboard.press("k");
    await expect(
      links.nth(name === undefined ? 1 : 4),
      "and j and k go on from there",
    ).toBeFocused();
  }
});

test("f shows only faults, then all rows again", async ({ page }) => {
  await page.keyboard.press("f");
  await expect(page).toHaveURL(/state=stuck,unknown/);
  await expect(page.getByText("No node matches this filter")).toBeVisible();
  await page.keyboard.press("f");
  await expect(rowOf(page, "node-1")).toBeVisible();
});

test("t turns relative times into absolute ones", async ({ page }) => {
  const since = rowOf(page, "node-1").getByRole("time");
  await expect(since).toHaveText(/^[\d.]+ (ms|s|min|h)/);
  await page.keyboard.press("t");
  await expect(since).toHaveText(/\d\d:\d\d:\d\d/);
  await page.keyboard.press("t");
  await expect(since).toHaveText(/^[\d.]+ (ms|s|min|h)/);
});

test("Ctrl+K finds a node by its address and opens it", async ({ page, product }) => {
  const node = await product.kube.get<{
    metadata: { name: string };
    status: { addresses: { type: string; address: string }[] };
  }>("/api/v1/nodes/node-4");
  const address = node.status.addresses.find(({ type }) => type === "InternalIP")?.address ?? "";
  await page.keyboard.press("Control+k");
  await page.getByRole("textbox", { name: "Search or jump" }).fill(address);
  const found = page.getByRole("dialog").getByRole("button", { name: /^node-4/ });
  await expect(found).toHaveAttribute("data-selected");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("node-4");
});

test("Ctrl+K keeps the first entry selected when nodes are found late", async ({ page }) => {
  await page.keyboard.press("Control+k");
  const dialog = page.getByRole("dialog");
  await page.getByRole("textbox", { name: "Search or jump" }).fill("node");
  await expect(dialog.getByRole("button", { name: /^node-/ }).first()).toBeVisible();
  const chosen = dialog.locator("[data-action][data-selected]");
  await expect(chosen).toHaveCount(1);
  const first = await dialog.locator("[data-action]").first().textContent();
  await expect(chosen).toHaveText(first ?? "");
  await page.keyboard.press("ArrowDown");
  const second = dialog.locator("[data-action]").nth(1);
  await expect(second).toHaveAttribute("data-selected");
  const name = /^node-\d+/.exec((await second.textContent()) ?? "")?.[0];
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name ?? "");
});

test("? lists the keys, and Escape closes the list", async ({ page }) => {
  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: "Keyboard" });
  await expect(help).toContainText("Search or jump");
  await page.keyboard.press("Escape");
  await expect(help).toBeHidden();
});

test("a retry needs no pointer, and the focus returns to its button", async ({ page, cluster }) => {
  await page.goto(`${cluster}/nodes/node-2`);
  const button = page.getByRole("button", { name: "Retry now" });
  await button.focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Retry node node-2" });
  await expect(dialog.getByRole("textbox")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(button).toBeFocused();
  await page.keyboard.press("Enter");
  await dialog.getByRole("textbox").fill("by keys alone");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("region", { name: "Your actions" })).toContainText("Verified");

  await page.goto(`${cluster}/actions`);
  const action = page.getByRole("row").filter({ hasText: "Retry node node-2" }).first();
  await action.getByRole("cell").filter({ hasText: "by keys alone" }).click();
  await expect(page, "a click anywhere on its row shows it beside the list").toHaveURL(
    /\/actions\?peek=[0-9a-f-]{36}$/,
  );
});
