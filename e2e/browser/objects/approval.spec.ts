import type { Page } from "@playwright/test";
import type { Node } from "../../harness/kube.ts";
import { fitsNarrow, sound } from "../fixtures/axe.ts";
import { expect, test, tray } from "../fixtures/dashboard.ts";

const HOLD = "cloudwright.io/hold";
const WIDE = { width: 1280, height: 800 };

async function narrowAndBack(page: Page, where: string): Promise<void> {
  await page.setViewportSize({ width: 320, height: 640 });
  await fitsNarrow(page, where);
  await page.setViewportSize(WIDE);
}

test("an action that can interrupt traffic waits for a second user, who approves the plan they see", async ({
  page,
  openPage,
  cluster,
  product,
}) => {
  const holdOf = async () =>
    (await product.kube.get<Node>("/api/v1/nodes/node-1")).metadata.annotations?.[HOLD];

  // The second admin is the one that `npm start` creates.
  await page.goto("/settings/approval");
  await page.getByRole("button", { name: /^Require approval on/ }).click();
  const option = page.getByRole("dialog", { name: /^Require approval on/ });
  await option.getByRole("textbox", { name: /^Reason/ }).fill("INC-13");
  await sound(page, "the dialog of the option");
  await option.getByRole("button", { name: "Require approval" }).click();
  await expect(page.getByText("Approval is required.")).toBeVisible();
  await sound(page, "the option");
  await narrowAndBack(page, "the option");

  const operator = await openPage("operator");
  await operator.goto(`${cluster}/nodes/node-1`);
  await operator.getByRole("button", { name: "Hold…" }).click();
  const hold = operator.getByRole("dialog", { name: "Hold node node-1" });
  await hold.getByRole("textbox", { name: /^Reason/ }).fill("disk check");
  await hold.getByRole("button", { name: "Hold node" }).click();
  await expect(tray(operator)).toContainText("Verified");
  await operator.getByRole("button", { name: "Release…" }).click();
  const release = operator.getByRole("dialog", { name: "Release node node-1" });
  await expect(release.getByText(/another user has to approve it/)).toBeVisible();
  await expect(release.getByText("1 node changes", { exact: true })).toBeVisible();
  await release.getByRole("textbox", { name: /^Reason/ }).fill("the disk is sound");
  await release.getByRole("button", { name: "Release node" }).click();
  await expect(release).toBeHidden();
  await expect(tray(operator)).toContainText("Awaiting approval");

  await page.goto(cluster);
  const waiting = page.getByRole("region", { name: "Waiting for approval" });
  await expect(waiting).toContainText("operator wants to release node node-1: the disk is sound");
  expect(await holdOf(), "no controller has taken it").toBe("disk check");
  await sound(page, "the overview with what waits");
  await narrowAndBack(page, "the overview with what waits");
  await waiting.getByRole("button", { name: "Review: Release node node-1" }).click();
  const review = page.getByRole("dialog", { name: /Release node node-1/ });
  await expect(review.getByText("1 node changes", { exact: true })).toBeVisible();
  await sound(page, "the review");
  await review.getByRole("textbox", { name: /^Reason/ }).fill("looked at it together");
  await review.getByRole("button", { name: "Approve this plan" }).click();
  await expect(review).toBeHidden();
  await expect(waiting).toBeHidden();
  await expect(tray(operator).getByText("Verified")).toHaveCount(2);
  expect(await holdOf()).toBeUndefined();
  await tray(operator).getByRole("link", { name: "Release node node-1" }).click();
  await expect(operator.getByText(/^admin, .*: looked at it together$/)).toBeVisible();

  await ofManyNodes(operator, cluster);
  await page.goto(`${cluster}/actions`);
  await expect(waiting).toContainText("operator wants to release 2 nodes: both are sound");
  await waiting.getByRole("link", { name: "release 2 nodes" }).click();
  await expect(page).toHaveURL(/\/actions\/batches\//);
  await waiting.getByRole("button", { name: "Review: Release 2 nodes" }).click();
  const batch = page.getByRole("dialog", { name: "Approve? Release 2 nodes" });
  await expect(batch.getByText("2 of 2 nodes would change.")).toBeVisible();
  await sound(page, "the review of a batch");
  await narrowAndBack(page, "the review of a batch");
  await batch.getByRole("textbox", { name: /^Reason/ }).fill("all of them");
  await batch.getByRole("button", { name: "Approve these 2 plans" }).click();
  await expect(batch).toBeHidden();
  await expect(waiting).toBeHidden();
  await expect(page.getByText("2 of 2 have ended: 2 verified.")).toBeVisible();
  expect(await holdOf()).toBeUndefined();

  await page.goto("/settings/approval");
  await page.getByRole("button", { name: /^Turn off approval/ }).click();
  const off = page.getByRole("dialog", { name: /^Turn off approval/ });
  await off.getByRole("textbox", { name: /^Reason/ }).fill("the test is over");
  await off.getByRole("button", { name: "Turn off" }).click();
  await expect(page.getByText("Approval is not required.")).toBeVisible();
});

/** Holds two nodes and requests their release, each as one batch. */
async function ofManyNodes(page: Page, cluster: string): Promise<void> {
  await page.goto(`${cluster}/nodes?sort=name`);
  for (const [verb, reason] of [
    ["Hold", "disks are checked"],
    ["Release", "both are sound"],
  ] as const) {
    for (const name of ["node-1", "node-2"])
      await page.getByRole("checkbox", { name: `Select ${name}`, exact: true }).check();
    await page.getByRole("button", { name: `${verb}… 2 nodes` }).click();
    const dialog = page.getByRole("dialog", { name: `${verb} 2 nodes` });
    await expect(dialog.getByText("2 of 2 nodes would change.")).toBeVisible();
    await dialog.getByRole("textbox", { name: /Reason/ }).fill(reason);
    await dialog.getByRole("button", { name: `${verb} 2 nodes` }).click();
    await expect(dialog).toBeHidden({ timeout: 30_000 });
  }
}
