import type { Page } from "@playwright/test";
import type { Node } from "../../harness/kube.ts";
import type { Product } from "../../harness/product.ts";
import { fitsNarrow, sound } from "../fixtures/axe.ts";
import { expect, rowOf, stateCounter, test, tray } from "../fixtures/dashboard.ts";

/** A unique fleet size gives this spec its own product, which it changes. */
const FLEET = 13;
const HOLD = "cloudwright.io/hold";

test.use({ fleet: FLEET });
test.beforeEach(async ({ page, cluster }) => {
  await page.goto(`${cluster}/nodes?sort=name`);
  await expect(stateCounter(page, "Working")).toHaveText("Working0", { timeout: 60_000 });
});

test("only selected nodes are held, together, after one preview of their equal plans", async ({
  page,
  product,
}) => {
  await select(page, ["node-1", "node-2", "node-3"]);
  await page.getByRole("button", { name: "Hold… 3 nodes" }).click();
  const dialog = page.getByRole("dialog", { name: "Hold 3 nodes" });
  await expect(dialog.getByText("3 of 3 nodes would change.")).toBeVisible();
  await expect(dialog.getByRole("listitem")).toHaveText(/^3 nodes node-1, node-2, node-3/);
  await expect(dialog.getByText("1 change each: Hold the node.")).toBeVisible();
  await sound(page, "bulk hold");
  await dialog.getByText("3 nodes", { exact: true }).click();
  await expect(dialog.getByText("Hold node node-2.")).toBeVisible();
  await dialog.getByLabel("Ends after").selectOption({ index: 0 });
  await expect(dialog.getByText("3 of 3 nodes would change.")).toBeVisible();
  await dialog.getByRole("textbox", { name: /Reason/ }).fill("INC-31: switch exchange");
  await dialog.getByRole("button", { name: "Hold 3 nodes" }).click();
  await expect(dialog).toBeHidden({ timeout: 30_000 });
  await expect(tray(page)).toContainText("3 verified", { timeout: 30_000 });
  expect(await heldNodes(product)).toEqual(["node-1", "node-2", "node-3"]);

  await tray(page).getByRole("link", { name: "Hold 3 nodes" }).click();
  await expect(page).toHaveURL(/\/actions\/batches\/[0-9a-f-]{36}$/);
  await expect(page.getByRole("heading", { level: 1, name: "Hold 3 nodes" })).toBeVisible();
  await expect(page.getByText("3 of 3 have ended: 3 verified.")).toBeVisible();
  for (const name of ["node-1", "node-2", "node-3"]) {
    await expect(rowOf(page, `Hold node ${name}`)).toContainText("Verified");
  }
  await sound(page, "the page of a batch");
  await fitsNarrow(page, "the page of a batch");
});

test("nodes that cannot be released are named and left out, and the others are released", async ({
  page,
  product,
}) => {
  await select(page, ["node-1", "node-2", "node-3", "node-4"]);
  await page.getByRole("button", { name: "Release… 4 nodes" }).click();
  const dialog = page.getByRole("dialog", { name: "Release 4 nodes" });
  await expect(dialog.getByText("3 of 4 nodes would change, 1 left out.")).toBeVisible();
  const refused = dialog.getByRole("listitem").filter({ hasText: "node-4" });
  await expect(refused).toContainText("not held");
  await dialog.getByRole("textbox", { name: /Reason/ }).fill("INC-31: done");
  await dialog.getByRole("button", { name: "Release 3 nodes" }).click();
  await expect(dialog).toBeHidden({ timeout: 30_000 });
  await expect(tray(page)).toContainText("3 verified", { timeout: 30_000 });
  expect(await heldNodes(product)).toEqual([]);
});

test("a viewer sees which actions there are and who may request them", async ({
  openPage,
  cluster,
}) => {
  const page = await openPage("viewer");
  await page.goto(`${cluster}/nodes?sort=name`);
  await select(page, ["node-1"]);
  for (const name of ["Retry 1 node…", "Hold… 1 node", "Release… 1 node"]) {
    const button = page.getByRole("button", { name });
    await expect(button).toHaveAttribute("aria-disabled", "true");
    await expect(button).toHaveAttribute("aria-description", /Needs role operator/);
  }
});

async function select(page: Page, names: readonly string[]): Promise<void> {
  for (const name of names) {
    await page.getByRole("checkbox", { name: `Select ${name}`, exact: true }).check();
  }
}

async function heldNodes(product: Product): Promise<readonly string[]> {
  const { items } = await product.kube.list<Node>("/api/v1/nodes");
  return items
    .filter(({ metadata }) => metadata.annotations?.[HOLD] !== undefined)
    .map(({ metadata }) => metadata.name)
    .toSorted((left, right) => left.localeCompare(right));
}
