import { expect, rowOf, test, untilFleetIsOk } from "../fixtures/dashboard.ts";

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

test.beforeEach(async ({ page, cluster, fleet }) => untilFleetIsOk(page, cluster, fleet));

test("a row opens in the side panel, and its link opens its page", async ({ page }) => {
  const beside = page.getByRole("complementary");
  await rowOf(page, "node-2").getByRole("cell").nth(3).click();
  await expect(beside).toContainText("Node node-2 is OK");
  await expect(page).toHaveURL(/peek=node-2/);
  await expect(rowOf(page, "node-2")).toHaveAttribute("aria-current", "true");

  await rowOf(page, "node-3").getByRole("cell").nth(3).click();
  await expect(beside).toContainText("Node node-3 is OK");
  await page.goBack();
  await expect(beside, "going from row to row is no step of history").toHaveCount(0);
  await page.goForward();
  await expect(beside).toContainText("node-3");

  await beside.getByRole("link", { name: "Open page" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("node-3");
  await page.goBack();
  await rowOf(page, "node-4").getByRole("link", { name: "node-4", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("node-4");
});

test("keys open rows in the side panel, and the focus is never lost", async ({ page }) => {
  const beside = page.getByRole("complementary");
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  const first = page.locator("tbody tr[aria-rowindex]").first();
  await expect(first).toHaveAttribute("aria-current", "true");
  await expect(beside).toBeVisible();
  await page.keyboard.press("j");
  await expect(page.locator("tbody tr[aria-rowindex]").nth(1)).toHaveAttribute(
    "aria-current",
    "true",
  );
  await page.keyboard.press("Escape");
  await expect(beside).toHaveCount(0);

  await page.keyboard.press("x");
  const row = page.locator('tbody tr[aria-current="true"]');
  const link = row.getByRole("link").first();
  const name = (await link.textContent()) ?? "";
  await beside.getByRole("button", { name: /^Close/ }).focus();
  await page.keyboard.press("Enter");
  await expect(beside).toHaveCount(0);
  await expect(page.getByRole("link", { name, exact: true })).toBeFocused();
});

test("keys pressed faster than the page follows have the same effect as one by one", async ({
  page,
}) => {
  const beside = page.getByRole("complementary");
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  await expect(beside).toBeVisible();
  const pressAtOnce = (keys: readonly string[]) =>
    page.evaluate((all) => {
      for (const key of all)
        document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    }, keys);
  await pressAtOnce(["Escape", "x"]);
  await expect(page).toHaveURL(/peek=/);
  await expect(page.locator('tbody tr[aria-current="true"]')).toHaveCount(1);
  await pressAtOnce(["Escape", "j"]);
  await expect(page).not.toHaveURL(/peek=/);
  await expect(beside).toHaveCount(0);
  await pressAtOnce(["x", "x"]);
  await expect(page).not.toHaveURL(/peek=/);
  await expect(beside).toHaveCount(0);
});

test("new runs wait until the user shows them", async ({ page, product, cluster }) => {
  await page.goto(`${cluster}/runs?q=key:node-6+outcome:changed`);
  const rows = page.locator("tbody tr[aria-rowindex]");
  const top = rows.first().getByRole("link", { name: /Changed/ });
  const announced = page.getByRole("status").filter({ hasText: "new" });
  const show = announced.getByRole("button", { name: /^\d+ new — show$/ });
  let before = "";
  // Runs that begin within a second of opening the list still belong to it; the next one waits.
  await expect(async () => {
    before = (await top.getAttribute("href")) ?? "";
    await product.kube.patch("/api/v1/nodes/node-6", "merge", TAINT);
    await expect(show).toBeVisible({ timeout: 5_000 });
  }).toPass({ timeout: 60_000 });
  await expect(top).toHaveAttribute("href", before);
  await show.click();
  await expect(top).not.toHaveAttribute("href", before);
  await expect(show).toHaveCount(0);
  await expect(page.getByRole("group", { name: "Runs" })).toBeFocused();
});

test("a shade marks a list that is cut at the side, except at its end", async ({ page }) => {
  const list = page.getByRole("group", { name: "Nodes" });
  const shade = () =>
    list.evaluate((scroller) => {
      const frame = scroller.parentElement;
      return frame === null ? "" : getComputedStyle(frame, "::after").opacity;
    });
  for (const width of [1_440, 1_000, 760]) {
    await page.setViewportSize({ width, height: 900 });
    await expect(list).toBeVisible();
    const isCut = await list.evaluate((scroller) => {
      scroller.scrollTo(0, 0);
      return scroller.scrollWidth > scroller.clientWidth + 2;
    });
    expect(isCut || width > 1_000, `${width} px are too few for all columns`).toBe(true);
    await expect.poll(shade, { message: `${width} px` }).toBe(isCut ? "1" : "0");
    await list.evaluate((scroller) => scroller.scrollTo(scroller.scrollWidth, 0));
    await expect.poll(shade, { message: `${width} px, at the end` }).toBe("0");
  }
});

test("a healthy row is unobtrusive: a word without an icon or a sentence", async ({ page }) => {
  const row = rowOf(page, "node-2");
  const state = row.getByRole("cell", { name: /^OK/ });
  await expect(state).toBeVisible();
  await expect(state.locator("svg")).toHaveCount(0);
  const why = page.getByRole("columnheader", { name: /^Why/ });
  const place = await why.evaluate((cell) => (cell as HTMLTableCellElement).cellIndex);
  await expect(row.getByRole("cell").nth(place)).toHaveText("");
});

for (const [path, words] of [
  ["audit", /^Applied$/],
  ["routes?view=list", /^In sync$/],
  ["routes?view=matrix", /^In sync$/],
  ["routes?show=map", /^In sync$/],
  ["controllers", /^Idle$/],
] as const) {
  test(`the normal state has no icon in ${path}`, async ({ page, cluster }) => {
    await page.goto(`${cluster}/${path}`);
    const word = page.getByRole("main").locator("span").filter({ hasText: words }).last();
    await expect(word).toBeAttached();
    expect(
      await word.evaluate((span) => span.parentElement?.querySelector("svg") ?? null),
    ).toBeNull();
  });
}

test("columns are resized by dragging, by keys and to fit, and keep their width", async ({
  page,
}) => {
  const head = page.getByRole("columnheader", { name: /^Zone/ });
  const grip = page.getByRole("separator", { name: "Width of Zone" });
  const width = async () => (await head.boundingBox())?.width ?? 0;
  const before = await width();

  await grip.hover();
  const box = await grip.boundingBox();
  await page.mouse.down();
  await page.mouse.move((box?.x ?? 0) + 106, box?.y ?? 0, { steps: 4 });
  await page.mouse.up();
  const dragged = await width();
  expect(dragged).toBeGreaterThan(before + 60);

  await grip.press("ArrowLeft");
  await expect.poll(width).toBeLessThan(dragged);
  const stepped = await width();
  await page.reload();
  await expect.poll(width, "this browser keeps it").toBeCloseTo(stepped, 0);

  await grip.dblclick();
  await expect.poll(width, "as wide as its texts").toBeLessThan(stepped);
});
