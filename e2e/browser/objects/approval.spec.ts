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

test("what can take traffic away waits for a second person, who approves the plan that they see", async ({
  page,
  openPage,
  cluster,
  product,
}) => {
  const holdOf = async () =>
    (await product.kube.get<Node>("/api/v1/nodes/node-1")).metadata.annotations?.[HOLD];

  // There is a second admin: the one that `npm start` makes.
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
  await expect(release.getByText(/another person has to approve it/)).toBeVisible();
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

  await page.goto("/settings/approval");
  await page.getByRole("button", { name: /^Turn off approval/ }).click();
  const off = page.getByRole("dialog", { name: /^Turn off approval/ });
  await off.getByRole("textbox", { name: /^Reason/ }).fill("the test is over");
  await off.getByRole("button", { name: "Turn off" }).click();
  await expect(page.getByText("Approval is not required.")).toBeVisible();
});
