import { fitsNarrow } from "../fixtures/axe.ts";
import { beginRun, CLUSTER, expect, test } from "../fixtures/ledger.ts";
import { snapshot } from "../fixtures/pictures.ts";

const RUN = "01900000-0000-7000-8000-0000000000ad";
/** The time encoded in that id. */
const BEGAN_MS = 0x019000000000;

test.use({ fleet: 4 });

test("a comment on a run is written, appears on another page immediately, and is withdrawn", async ({
  page,
  context,
  ledger,
}, info) => {
  await beginRun(ledger, { id: RUN, beganMs: BEGAN_MS, node: "node-1" });
  const address = `/c/${CLUSTER}/runs/${RUN}?view=comments`;
  const other = await context.newPage();
  await other.goto(address);
  await expect(other.getByText(/^No comments yet/)).toBeVisible();

  await page.goto(address);
  await page
    .getByRole("textbox", { name: /^Comment/ })
    .fill("INC-88: <b>the quota</b> again\n  https://example.org/88");
  await page.getByRole("button", { name: "Add comment" }).click();
  const written = page.getByRole("list", { name: "Comments" }).getByRole("listitem");
  await expect(written).toContainText("<b>the quota</b> again\n  https://example.org/88");
  await expect(page.getByRole("tab", { name: /^Comments\s*1$/ })).toBeVisible();
  await expect(page.getByRole("textbox", { name: /^Comment/ })).toHaveValue("");
  await snapshot(page, info, "comments");
  await page.setViewportSize({ width: 320, height: 700 });
  await fitsNarrow(page, "the comments");

  await expect(other.getByText("INC-88")).toBeVisible();
  const list = await context.newPage();
  await list.goto(`/c/${CLUSTER}/runs?from=all`);
  const count = list.getByRole("img", { name: "1 comment" });
  await expect(count).toBeVisible();
  await page.getByRole("button", { name: /^Withdraw the comment of/ }).click();
  await snapshot(page, info, "comments-withdraw");
  await page.getByRole("button", { name: "Withdraw comment" }).click();
  await expect(written).toContainText(/Withdrawn by/);
  await expect(other.getByText(/^Withdrawn by/)).toBeVisible();
  await expect(other.getByText("INC-88")).toHaveCount(0);
  await expect(count).toHaveCount(0);
});
