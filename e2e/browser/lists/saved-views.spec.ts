import { fitsNarrow, sound } from "../fixtures/axe.ts";
import { expect, test } from "../fixtures/dashboard.ts";
import { snapshot } from "../fixtures/pictures.ts";

test.use({ fleet: 4 });

test("a view of a list is saved, opened from the menu and the palette, changed and removed", async ({
  page,
  cluster,
}, info) => {
  await page.goto(`${cluster}/nodes?zone=zone-a&sort=-name`);
  const views = page.getByRole("button", { name: "Views" });
  await views.click();
  await expect(page.getByText(/^None yet/)).toBeVisible();
  await page.getByRole("menuitem", { name: "Save this view…" }).click();
  const dialog = page.getByRole("dialog", { name: "Save this view" });
  await dialog.getByLabel("Name").fill("mine of zone a");
  await dialog.getByLabel(/^Shared/).check();
  await snapshot(page, info, "views-save");
  await page.setViewportSize({ width: 320, height: 700 });
  await fitsNarrow(page, "the dialog");
  await snapshot(page, info, "views-save-narrow");
  await page.setViewportSize({ width: 1_280, height: 800 });
  await dialog.getByRole("button", { name: "Save view" }).click();
  await expect(dialog).toBeHidden();
  await expect(views).toBeFocused();

  await page.getByRole("button", { name: "Clear filters" }).click();
  await views.click();
  await page.getByRole("menuitem", { name: "mine of zone a" }).click();
  await expect(page).toHaveURL(/nodes\?zone=zone-a&sort=-name$/);
  await expect(page.getByRole("button", { name: "Clear filters" })).toBeVisible();
  await views.click();
  await expect(page.getByRole("menuitem", { name: "mine of zone a" })).toHaveAttribute(
    "aria-current",
    "true",
  );
  await snapshot(page, info, "views-menu");
  await sound(page, "the menu");

  await page.getByRole("menuitem", { name: "Change views…" }).click();
  const change = page.getByRole("dialog", { name: "Change views" });
  await change.getByRole("button", { name: "Rename or share mine of zone a" }).click();
  await change.getByLabel("Name").fill("all of zone a");
  await change.getByRole("button", { name: "Save", exact: true }).click();
  await expect(change.getByText("Nodes, this cluster, shared")).toBeVisible();
  await snapshot(page, info, "views-change");
  await sound(page, "the views");
  await page.keyboard.press("Escape");
  await expect(change).toBeHidden();

  await page.keyboard.press("Control+k");
  await page.getByRole("textbox", { name: "Search or jump" }).fill("all of zone");
  await page.getByRole("button", { name: /^all of zone a/ }).click();
  await expect(page).toHaveURL(/nodes\?zone=zone-a&sort=-name$/);

  await views.click();
  await page.getByRole("menuitem", { name: "Change views…" }).click();
  await change.getByRole("button", { name: "Remove all of zone a" }).click();
  await change.getByRole("button", { name: "Remove view" }).click();
  await expect(change.getByText(/^There is no view left/)).toBeVisible();
});

test("a view that another browser has removed says so when it is chosen, and the list stays", async ({
  page,
  openPage,
  cluster,
  admin,
}, info) => {
  const other = await openPage(admin);
  await other.goto(`${cluster}/nodes?zone=zone-b`);
  await other.getByRole("button", { name: "Views" }).click();
  await other.getByRole("menuitem", { name: "Save this view…" }).click();
  const saving = other.getByRole("dialog", { name: "Save this view" });
  const name = saving.getByLabel("Name");
  await name.fill("   ");
  await saving.getByRole("button", { name: "Save view" }).click();
  await expect(name, "spaces alone are no name").toHaveJSProperty("validity.valueMissing", true);
  await expect(name).toBeFocused();
  await name.fill("soon gone");
  await saving.getByRole("button", { name: "Save view" }).click();
  await expect(saving).toBeHidden();

  await page.goto(`${cluster}/nodes?zone=zone-a`);
  await page.getByRole("button", { name: "Views" }).click();
  const view = page.getByRole("menuitem", { name: "soon gone" });
  await expect(view).toBeVisible();
  await other.getByRole("button", { name: "Views" }).click();
  await other.getByRole("menuitem", { name: "Change views…" }).click();
  const change = other.getByRole("dialog", { name: "Change views" });
  await change.getByRole("button", { name: "Remove soon gone" }).click();
  await change.getByRole("button", { name: "Remove view" }).click();
  await expect(change.getByText(/^There is no view left/)).toBeVisible();

  await view.click();
  const gone = page.getByRole("dialog", { name: "This view no longer exists" });
  await expect(gone).toContainText("“soon gone” has been removed");
  await expect(page).toHaveURL(/nodes\?zone=zone-a$/);
  await snapshot(page, info, "views-gone");
  await sound(page, "a view that is gone");
  await page.keyboard.press("Escape");
  await expect(gone).toBeHidden();
  await expect(page.getByRole("button", { name: "Views" })).toBeFocused();
});
