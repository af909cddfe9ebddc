import { randomUUID } from "node:crypto";
import { rowsOf } from "../../harness/database.ts";
import type { Node } from "../../harness/kube.ts";
import { childOf } from "../../harness/processes.ts";
import type { Product } from "../../harness/product.ts";
import { press, trayItem } from "../fixtures/acting.ts";
import { settled, sound } from "../fixtures/axe.ts";
import {
  expect,
  rowOf,
  type Session,
  sessionOf,
  stateCounter,
  test,
  tray,
} from "../fixtures/dashboard.ts";

/** A unique fleet size gives this spec its own product: nodes are held, and taints overridden. */
const FLEET = 14;
const HOLD = "cloudwright.io/hold";
const HOLD_BY = "cloudwright.io/hold-by";
const HOLD_UNTIL = "cloudwright.io/hold-until";
const UNINITIALIZED = "node.cloudprovider.kubernetes.io/uninitialized";
const HOUR_MS = 3_600_000;

test.use({ fleet: FLEET });
test.beforeEach(async ({ page, cluster }) => {
  await page.goto(`${cluster}/nodes`);
  // All nodes have been observed; an earlier test may have held or overridden some.
  await expect(page.getByText("14 nodes", { exact: true })).toBeVisible({ timeout: 60_000 });
  await expect(stateCounter(page, "OK")).toHaveText(/OK([6-9]|1\d)/, { timeout: 60_000 });
  await expect(stateCounter(page, "Working")).toHaveText("Working0");
});

test.describe("by keyboard alone", () => {
  test("a node is held, its hold is extended with a new reason after a reload, and it is released", async ({
    page,
    cluster,
    product,
  }) => {
    await page.goto(`${cluster}/nodes/node-1`);
    await press(page.getByRole("button", { name: "Hold…" }));
    const dialog = page.getByRole("dialog", { name: "Hold node node-1" });
    await expect(dialog.getByRole("textbox", { name: /Reason/ })).toBeFocused();
    await expect(dialog.getByText(/^1 node changes · until/)).toBeVisible();
    await expect(dialog.getByText(/Uses about 2 cloud calls/)).toBeVisible();
    await sound(page, "hold");

    await page.keyboard.press("Enter");
    const reason = dialog.getByRole("textbox", { name: /Reason/ });
    await expect(reason, "an error is said at its field").toHaveAccessibleDescription(
      /Enter a reason/,
    );
    await expect(reason).toBeFocused();

    const previews = page.waitForRequest((request) => isPreview(request.postData()));
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("ArrowDown");
    await previews;
    await expect(dialog.getByLabel("Ends after")).toHaveValue(String(4 * HOUR_MS));
    await expect(dialog.getByText(/^1 node changes · until/)).toBeVisible();
    await page.keyboard.press("Tab");
    await page.keyboard.type("INC-88: disk check");
    await page.keyboard.press("Enter");
    await expect(dialog).toBeHidden();
    await expect(trayItem(page, "Hold node node-1")).toContainText("Verified");
    await expect(page.getByRole("button", { name: "Release…" })).toBeFocused();

    const annotations = (await nodeOf(product, "node-1")).metadata.annotations ?? {};
    expect(annotations[HOLD]).toBe("INC-88: disk check");
    expect(annotations[HOLD_BY]).not.toBe("");
    const lastsMs = Date.parse(String(annotations[HOLD_UNTIL])) - Date.now();
    expect(lastsMs).toBeGreaterThan(3.5 * HOUR_MS);
    expect(lastsMs).toBeLessThanOrEqual(4 * HOUR_MS);

    await page.reload();
    await expect(page.getByText(/^Held by .* left\)/)).toBeVisible();
    await expect(trayItem(page, "Hold node node-1")).toContainText("Verified");

    await press(page.getByRole("button", { name: "Extend… the hold" }));
    const longer = page.getByRole("dialog", { name: "Extend the hold of node node-1" });
    await expect(longer.getByText(/^1 node changes · until/)).toBeVisible();
    await sound(page, "extend a hold");
    await page.keyboard.type("INC-88: the disk is still checked");
    await page.keyboard.press("Enter");
    await expect(longer).toBeHidden();
    await expect(tray(page).getByText("Verified")).toHaveCount(2);
    const later = (await nodeOf(product, "node-1")).metadata.annotations;
    expect(later?.[HOLD]).toBe("INC-88: the disk is still checked");

    await press(page.getByRole("button", { name: "Release…" }));
    const release = page.getByRole("dialog", { name: "Release node node-1" });
    await expect(release.getByText("1 node changes", { exact: true })).toBeVisible();
    await sound(page, "release");
    await page.keyboard.type("the disk is sound");
    await page.keyboard.press("Enter");
    await expect(release).toBeHidden();
    await expect(tray(page).getByText("Verified")).toHaveCount(3);
    await expect(page.getByRole("button", { name: "Hold…" })).toBeVisible();
    expect((await nodeOf(product, "node-1")).metadata.annotations).not.toHaveProperty([HOLD]);
  });

  test("an uninitialised node's taint is overridden after its name is typed, never by Enter", async ({
    page,
    cluster,
    product,
  }) => {
    await product.cloud.fault({ instance: (await product.cloud.named("node-2")).id, status: 403 });
    await page.goto(`${cluster}/nodes/node-2`);
    // The controller may initialise a node from an answer of the cloud up to 10 s old, so the first taints may be removed immediately.
    await expect(async () => {
      await product.kube.patch("/api/v1/nodes/node-2", "merge", {
        spec: { taints: [{ key: UNINITIALIZED, value: "true", effect: "NoSchedule" }] },
      });
      await expect(page.getByText(/rejected our credentials/).first()).toBeVisible({
        timeout: 4_000,
      });
    }).toPass({ timeout: 60_000 });
    const more = page.getByRole("button", { name: "More actions" });
    const override = page.getByRole("menuitem", { name: /Override taint/ });
    await press(more);
    await expect(override).toBeFocused();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Override the taint of node node-2" });
    await expect(dialog.getByRole("button", { name: "Cancel" })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(dialog, "Enter cancels").toBeHidden();
    await expect(more, "the focus comes back").toBeFocused();

    await page.keyboard.press("Enter");
    await expect(override).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(dialog.getByText(/^1 node changes · becomes schedulable · until/)).toBeVisible();
    await expect(dialog.getByText(/^Not done: addresses, labels\./)).toBeVisible();
    await sound(page, "override");
    const typed = dialog.getByRole("textbox", { name: /Type the node's name/ });
    await dialog.getByRole("textbox", { name: /Reason/ }).focus();
    await page.keyboard.type("INC-88: confirmed by hand");
    await page.keyboard.press("Tab");
    await page.keyboard.type("node-3");
    const confirm = dialog.getByRole("button", { name: "Override taint" });
    await confirm.focus();
    await page.keyboard.press("Space");
    await expect(typed).toHaveAccessibleDescription("Type exactly node-2.");
    await expect(typed).toBeFocused();
    await page.keyboard.press("Control+a");
    await page.keyboard.type("node-2");
    await page.keyboard.press("Enter");
    await confirm.focus();
    await page.keyboard.press("Enter");
    expect(await openActions(product), "Enter asks for nothing").toEqual([]);
    await expect(dialog).toBeVisible();
    await page.keyboard.press("Space");
    await expect(dialog).toBeHidden();
    await expect(trayItem(page, "Override the taint of node node-2")).toContainText("Verified");
    expect((await nodeOf(product, "node-2")).spec.taints ?? []).toEqual([]);
    await expect(page.getByText(/^Taint overridden by .* left\)/)).toBeVisible();
  });

  test("selected nodes are retried together, each by its own plan", async ({ page, cluster }) => {
    await page.goto(`${cluster}/nodes?q=node-1&sort=name`);
    const first = rowOf(page, "node-1").getByRole("link", { name: "node-1", exact: true });
    await expect(first).toBeVisible();
    await page.keyboard.press("j");
    await page.keyboard.press("Space");
    await page.keyboard.press("j");
    await page.keyboard.press("Space");
    await expect(page.getByText("2 nodes selected")).toBeVisible();
    await press(page.getByRole("button", { name: "Retry 2 nodes…" }));
    const dialog = page.getByRole("dialog", { name: "Retry 2 nodes" });
    await expect(dialog.getByText("0 of 2 nodes would change.")).toBeVisible();
    await sound(page, "bulk retry");
    await dialog.getByRole("textbox", { name: /Reason/ }).focus();
    await page.keyboard.press("Enter");
    await expect(dialog).toBeHidden();
    await expect(trayItem(page, "Retry 2 nodes")).toContainText("2 verified");
    await expect(page.getByText("2 nodes selected")).toBeHidden();
  });
});

test("a plan that changes before its confirmation is shown and must be confirmed again", async ({
  page,
  cluster,
  product,
}) => {
  await page.goto(`${cluster}/nodes/node-3`);
  await page.getByRole("button", { name: "Hold…" }).click();
  const dialog = page.getByRole("dialog", { name: "Hold node node-3" });
  await expect(dialog.getByText(/^1 node changes · until/)).toBeVisible();
  const elsewhere = new Date(Date.now() + 3 * HOUR_MS).toISOString();
  await product.kube.patch("/api/v1/nodes/node-3", "merge", {
    metadata: { annotations: { [HOLD]: "held by kubectl", [HOLD_UNTIL]: elsewhere } },
  });
  await expect(page.getByText(/^Held until/)).toHaveCount(1);
  await dialog.getByRole("textbox", { name: /Reason/ }).fill("INC-91");
  await dialog.getByRole("button", { name: "Hold node" }).click();
  const alert = dialog.getByRole("alert");
  await expect(alert).toContainText("The plan has changed since it was shown");
  await expect(alert).toContainText("from › hold › until");
  await sound(page, "moved plan");
  expect((await nodeOf(product, "node-3")).metadata.annotations?.[HOLD]).toBe("held by kubectl");

  await dialog.getByRole("button", { name: "Hold node" }).click();
  await expect(dialog).toBeHidden();
  await expect(tray(page)).toContainText("Verified");
  expect((await nodeOf(product, "node-3")).metadata.annotations?.[HOLD]).toBe("INC-91");

  const rejected = trayItem(page, "Hold node node-3").filter({ hasText: "Rejected" });
  await rejected.getByRole("link").click();
  await expect(page.getByRole("heading", { name: "The plan had changed" })).toBeVisible();
  await expect(page.getByText("from › hold › until")).toBeVisible();
  await sound(page, "rejected action");
});

test("an impossible action says why before it is requested", async ({ page, cluster }) => {
  await page.goto(`${cluster}/nodes/node-4`);
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: /Override taint/ }).click();
  const dialog = page.getByRole("dialog", { name: "Override the taint of node node-4" });
  await expect(dialog.getByText(/does not carry the uninitialized taint/)).toBeVisible();
  const confirm = dialog.getByRole("button", { name: "Override taint" });
  await expect(confirm).toHaveAttribute("aria-disabled", "true");
  await expect(confirm).toHaveAccessibleDescription(/refuse/);
});

test("an action whose tab was closed ends once, and another tab shows it", async ({
  page,
  context,
  cluster,
}) => {
  await page.goto(`${cluster}/nodes/node-5`);
  await page.getByRole("button", { name: "Hold…" }).click();
  const dialog = page.getByRole("dialog", { name: "Hold node node-5" });
  await expect(dialog.getByText(/^1 node changes · until/)).toBeVisible();
  await dialog.getByRole("textbox", { name: /Reason/ }).fill("INC-92");
  await dialog.getByRole("button", { name: "Hold node" }).click();
  await expect(trayItem(page, "Hold node node-5"), "the request was taken").toBeAttached();
  await page.close();

  const other = await context.newPage();
  await other.goto(`${cluster}/actions`);
  const row = other.getByRole("row").filter({ hasText: "Hold node node-5" });
  await expect(row).toHaveCount(1);
  await expect(row).toContainText("Verified");
  await expect(other.getByRole("link", { name: /Preview of/ }), "no previews").toHaveCount(0);
  await row.getByRole("link").click();
  const record = other.getByRole("region", { name: "Record" });
  await expect(record.getByRole("listitem").filter({ hasText: "ended it" })).toHaveCount(1);
});

test("an action that no leader has claimed is cancelled", async ({ page, cluster, product }) => {
  const id = await waitingAction(product, cluster.slice("/c/".length));
  await page.goto(`${cluster}/actions/${id}`);
  await settled(page, page.getByRole("button", { name: "Cancel action" }));
  await sound(page, "an action that waits");
  await page.getByRole("button", { name: "Cancel action" }).click();
  await expect(page.getByText("Cancelled before it started.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Cancel action" })).toBeHidden();
});

test("a leader that does not answer is reported within seconds, and an action it has not claimed is cancelled", async ({
  page,
  cluster,
  product,
}) => {
  const controller = childOf(product.process.pid, "controller");
  process.kill(controller, "SIGSTOP");
  try {
    await page.goto(`${cluster}/nodes/node-7`);
    await press(page.getByRole("button", { name: "Retry now" }));
    const dialog = page.getByRole("dialog", { name: /Retry node node-7/ });
    await expect(dialog.getByRole("status")).toHaveText(
      "The leader has not answered within 5 s: it may be busy. The answer will appear here when it arrives.",
      { timeout: 8_000 },
    );
    await page.keyboard.type("nobody answers");
    await page.keyboard.press("Enter");
    await expect(trayItem(page, "Retry node node-7"), "the request was taken").toBeAttached();
    await page.goto(`${cluster}/actions`);
    const row = page.getByRole("row").filter({ hasText: "Retry node node-7" });
    await row.getByRole("link").click();
    const action = page.getByRole("main");
    await action.getByRole("button", { name: "Cancel action" }).click();
    await expect(action.getByText("Cancelled before it started.")).toBeVisible();
  } finally {
    process.kill(controller, "SIGCONT");
  }
  await page.goto(`${cluster}/actions`);
  const row = page.getByRole("row").filter({ hasText: "Retry node node-7" });
  await expect(row).toContainText("Cancelled");
});

test.describe("as a viewer", () => {
  let session: Session;
  test.beforeAll(async ({ product }) => {
    session = await sessionOf(product, "viewer");
  });
  test.use({
    // biome-ignore lint/correctness/noEmptyPattern: Playwright requires the pattern.
    storageState: async ({}, use) => use(session),
  });

  test("only a dry run is available, and the other actions say why", async ({ page, cluster }) => {
    await page.goto(`${cluster}/nodes/node-6`);
    for (const name of ["Retry now", "Hold…"]) {
      const button = page.getByRole("button", { name });
      await expect(button).toHaveAttribute("aria-disabled", "true");
      await expect(button).toHaveAccessibleDescription(
        /^Needs role operator\. You are viewer\. Admins: /,
      );
      await button.focus();
      await page.keyboard.press("Enter");
      await expect(page.getByRole("dialog")).toHaveCount(0);
    }
    await press(page.getByRole("button", { name: "More actions" }));
    const item = page.getByRole("menuitem", { name: /Override taint/ });
    await expect(item).toContainText("Needs role admin. You are viewer.");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await page.keyboard.press("Escape");

    await press(page.getByRole("button", { name: "Dry run" }));
    const dialog = page.getByRole("dialog", { name: "Dry run of node node-6" });
    await expect(dialog.getByRole("button", { name: "Close" }).last()).toBeFocused();
    await expect(dialog.getByText("Nothing would change", { exact: true })).toBeVisible();
    await sound(page, "dry run");
    await page.keyboard.press("Enter");
    await expect(dialog).toBeHidden();
  });
});

test("in the dark at a width of 320 px, the dialog fits and has no fault", async ({
  page,
  cluster,
}) => {
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto(`${cluster}/nodes/node-6`);
  await page.getByRole("button", { name: "Hold…" }).click();
  const dialog = page.getByRole("dialog", { name: "Hold node node-6" });
  await expect(dialog.getByText(/^1 node changes · until/)).toBeVisible();
  await sound(page, "hold, dark and narrow");
  const tooWide = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(tooWide).toBeLessThanOrEqual(0);
  await dialog.getByText("Show plan (JSON)").click();
  await expect(dialog.getByText("planHash:")).toBeVisible();
});

function isPreview(body: string | null): boolean {
  return body?.includes('"kind":"preview"') ?? false;
}

function nodeOf(product: Product, name: string): Promise<Node> {
  return product.kube.get<Node>(`/api/v1/nodes/${name}`);
}

/** Returns all overrides that have been requested. */
function openActions(product: Product) {
  return rowsOf(product.endpoints.databaseUrl, "SELECT id FROM intents WHERE kind = 'override'");
}

/** Adds an action that no leader claims, because it waits for approval. */
async function waitingAction(product: Product, cluster: string): Promise<string> {
  const id = randomUUID();
  await rowsOf(
    product.endpoints.databaseUrl,
    `INSERT INTO intents (id, cluster_id, kind, controller, object_kind, object_name, why, actor_id, actor_name,
                          state, requested_at, expires_at, updated_at)
     VALUES ($1, $2, 'retry', 'cloud-node-controller', 'Node', 'node-6', 'waits', 'somebody', 'somebody',
             'awaiting-approval', now(), now() + interval '1 day', now())`,
    [id, cluster],
  );
  return id;
}
