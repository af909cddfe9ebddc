import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures/dashboard.ts";
import { snapshot } from "../fixtures/pictures.ts";

test("columns, density and time zone follow a user to a second browser", async ({
  page,
  cluster,
  openPage,
}, info) => {
  await page.goto("/settings/appearance");
  await kept(page, async () => {
    const compact = page.getByRole("button", { name: "Compact", exact: true });
    // Clicks before the page is hydrated are lost.
    await expect(async () => {
      await compact.click();
      await expect(compact).toHaveAttribute("aria-pressed", "true", { timeout: 1_000 });
    }).toPass();
    await page.getByLabel("Another time zone").selectOption("Asia/Tokyo");
  });
  await snapshot(page, info, "appearance");
  await page.goto(`${cluster}/nodes`);
  await page.getByRole("button", { name: "Columns" }).click();
  await kept(page, () => page.getByRole("menuitemcheckbox", { name: "Provider ID" }).click());

  const second = await openPage("admin");
  const answer = await second.goto("/settings/appearance");
  expect(await answer?.text(), "what the server draws").toMatch(
    /aria-pressed="true"[^>]*>(<[^>]*>)*Compact/,
  );
  const compact = second.getByRole("button", { name: "Compact", exact: true });
  await expect(compact).toHaveAttribute("aria-pressed", "true");
  await expect(second.getByLabel("Another time zone")).toHaveValue("Asia/Tokyo");
  await second.goto(`${cluster}/nodes`);
  await expect(second.getByRole("columnheader", { name: /^Provider ID/ })).toBeVisible();

  await second.getByRole("button", { name: "Columns" }).click();
  await kept(second, () =>
    second.getByRole("menuitem", { name: "Show the usual columns" }).click(),
  );
  await expect(second.getByRole("button", { name: "Columns" })).toBeFocused();
  await page.reload();
  await expect(page.getByRole("columnheader", { name: /^Zone/ })).toBeVisible();
  await expect(page.getByRole("columnheader", { name: /^Provider ID/ })).toHaveCount(0);
});

/** Does the work, and waits until the account has stored the changed preference. */
async function kept(page: Page, work: () => Promise<unknown>): Promise<void> {
  const answer = page.waitForResponse(
    (response) => response.url().includes("preferences.keep") && response.ok(),
  );
  await work();
  await answer;
}
