import { nodeName } from "../../bench/fleet-rows.ts";
import { rowsOf } from "../../harness/database.ts";
import { fitsNarrow, sound } from "../fixtures/axe.ts";
import { beginRun, CLUSTER, expect, test } from "../fixtures/ledger.ts";
import { snapshot } from "../fixtures/pictures.ts";

const RUN = "01900000-0000-7000-8000-0000000000ac";
/** The time encoded in that id. */
const BEGAN_MS = 0x019000000000;

const NODE = nodeName(1);

test.use({ fleet: 4 });

test("a snapshot of a node is shared, opened by its link, found in the list and deleted", async ({
  page,
  ledger,
}, info) => {
  await beginRun(ledger, { id: RUN, beganMs: BEGAN_MS, node: NODE });
  await page.goto(`/c/${CLUSTER}/nodes/${NODE}`);
  const opener = page.getByRole("button", { name: `Share what you see of ${NODE}` });
  await opener.click();
  const dialog = page.getByRole("dialog", { name: "Share what you see" });
  await dialog.getByLabel(/^Title/).fill("INC-88: a node");
  await snapshot(page, info, "incident-share");
  await dialog.getByRole("button", { name: "Freeze and get the link" }).click();
  const link = await dialog.getByLabel("Link").inputValue();
  await snapshot(page, info, "incident-link");
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();

  // Later changes are not part of the snapshot.
  await rowsOf(ledger.database.url, "UPDATE node_states SET state = 'stuck', state_rank = 0");
  await page.goto(link);
  await expect(page).toHaveURL(new RegExp(`/c/${CLUSTER}/incidents/[0-9a-f-]{36}$`));
  await expect(page.getByRole("heading", { name: "INC-88: a node" })).toBeVisible();
  await expect(page.getByText(/^As of .+ UTC, by .+\.$/)).toBeVisible();
  await expect(page.getByRole("main")).not.toContainText("Stuck");
  await expect(page.getByRole("table", { name: "Recent runs" })).toBeVisible();
  await sound(page, "the incident");
  await snapshot(page, info, "incident");
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("navigation", { name: "Pages" })).toBeHidden();
  await page.screenshot({ path: info.outputPath("incident-print.png"), fullPage: true });
  await page.emulateMedia({ media: "screen" });
  await page.setViewportSize({ width: 320, height: 700 });
  await fitsNarrow(page, "the incident");
  await page.setViewportSize({ width: 1_280, height: 800 });

  await page.getByRole("link", { name: "Incidents", exact: true }).click();
  await snapshot(page, info, "incidents");
  await page.getByRole("link", { name: "INC-88: a node" }).click();
  await page.getByRole("button", { name: "Delete…" }).click();
  await page.getByRole("button", { name: "Delete incident" }).click();
  await expect(page.getByText("Nothing has been shared yet")).toBeVisible();
  const gone = await page.goto(link);
  expect(gone?.status()).toBe(404);
  await expect(page.getByText("There is no such page")).toBeVisible();
});
