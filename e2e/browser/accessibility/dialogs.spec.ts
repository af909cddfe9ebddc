import type { Locator, Page } from "@playwright/test";
import type { ShownObjects } from "../../harness/dashboard-pages.ts";
import { rowsOf } from "../../harness/database.ts";
import { settled, sound } from "../fixtures/axe.ts";
import { CLUSTER, expect, test } from "../fixtures/filled-ledger.ts";
import { standsStill } from "../fixtures/layout.ts";

// Everything is done by keyboard. No controller answers here, so the effects of actions stay unknown.
test.use({ reducedMotion: "reduce" });
test.setTimeout(300_000);

/** A menu or dialog of a page, opened by a button or by an entry of that button's menu. */
interface Opening {
  readonly button: string | RegExp;
  readonly entry?: string | RegExp;
  readonly opens: "menu" | "dialog";
}

const menu = (button: Opening["button"]): Opening => ({ button, opens: "menu" });
const dialog = (button: Opening["button"], entry?: string | RegExp): Opening => ({
  ...{ button, opens: "dialog" },
  ...(entry === undefined ? {} : { entry }),
});

const ADMIN = "Change admin";

/** Returns what each page opens, by the page's path. */
function openings(shown: ShownObjects): Readonly<Record<string, readonly Opening[]>> {
  const { cluster, node, service, run } = shown;
  return {
    [`${cluster}/nodes`]: [
      ...[menu(/^Cluster /), menu("Theme"), menu(/^Account of/)],
      ...[
        menu("Drift"),
        menu("Zone"),
        menu("Type"),
        menu("Columns"),
        menu("Views"),
        menu("Export"),
      ],
      dialog("Views", "Save this view…"),
    ],
    [`${cluster}/nodes/${node}`]: [
      ...[menu("More actions"), dialog("Retry now"), dialog("Dry run"), dialog("Hold…")],
      ...[dialog("More actions", /^Override taint/), dialog(/^Share what you see/)],
    ],
    [`${cluster}/load-balancers/${service}`]: [
      ...[dialog("Hold…"), dialog("More actions", /^Write all again/)],
    ],
    [`${cluster}/load-balancers?view=orphans`]: [dialog(/^Remove…/)],
    [`${cluster}/routes?view=list`]: [dialog("Repair drift…")],
    [`${cluster}/routes?show=stale`]: [dialog(/^Retry now/)],
    [`${cluster}/audit`]: [menu("Action")],
    [`${cluster}/controllers`]: [dialog(/^Pause…/)],
    [`${cluster}/runs`]: [dialog(/^From – to/)],
    [`${cluster}/runs/${run}`]: [dialog(/^Share what you see/)],
    "/settings/users": [
      ...[menu(ADMIN), dialog("Add user…"), dialog(ADMIN, "Change role…")],
      ...[dialog(ADMIN, "Change clusters…"), dialog(ADMIN, "End all sessions…")],
      dialog(ADMIN, "Disable…"),
    ],
    "/settings/tokens": [dialog("Create token…"), dialog("Create service token…")],
    "/settings/notifications": [dialog("Add webhook…")],
    "/settings/approval": [dialog(/^Require approval on/)],
    "/settings/controllers": [dialog(/^Change…/), dialog(/^Back to the flag…/)],
  };
}

test("menus and dialogs have no fault, take the focus, and return it on Escape", async ({
  page,
  shown,
}) => {
  for (const [path, all] of Object.entries(openings(shown))) {
    await test.step(path, async () => {
      await page.goto(path);
      await settled(page, page.getByRole("heading", { level: 1 }));
      for (const opening of all) await openAndClose(page, opening, path);
    });
  }
});

async function openAndClose(page: Page, opening: Opening, path: string): Promise<void> {
  const { entry, opens } = opening;
  const where = `${opening.button}${entry === undefined ? "" : `, ${entry}`} on ${path}`;
  const button = page.getByRole("button", { name: opening.button, exact: true }).first();
  await button.focus();
  await page.keyboard.press("Enter");
  if (entry !== undefined) await chooseEntry(page, entry);
  const opened = page.getByRole(opens);
  await holdsFocus(opened, where);
  await expect.soft(opened, `its name: ${where}`).toHaveAccessibleName(/\S/);
  await standsStill(page, where);
  await sound(page, where);
  await page.keyboard.press("Escape");
  await expect(opened, where).toBeHidden();
  await expect.soft(button, `gets the focus back: ${where}`).toBeFocused();
}

async function chooseEntry(page: Page, entry: string | RegExp): Promise<void> {
  await holdsFocus(page.getByRole("menu"), "the menu");
  await page.getByRole("menuitem", { name: entry }).focus();
  await page.keyboard.press("Enter");
}

async function holdsFocus(opened: Locator, where: string): Promise<void> {
  await expect(opened, where).toBeVisible();
  await expect
    .poll(() => opened.evaluate((element) => element.contains(document.activeElement)), {
      message: `has the focus: ${where}`,
    })
    .toBe(true);
}

test("the answers in dialogs have no fault: a refusal, a token, a secret, a link", async ({
  page,
}) => {
  await page.goto("/settings/sessions");
  await page.getByLabel("New password", { exact: false }).first().fill("not the same as below");
  await page.getByLabel("New password again").fill("not the same as above");
  await page.getByRole("button", { name: "Change password" }).click();
  await settled(page, page.getByText("The two new passwords differ"));
  await sound(page, "two passwords that differ");

  await page.goto("/settings/tokens");
  await page.getByRole("button", { name: "Create token…" }).click();
  const opened = page.getByRole("dialog");
  await opened.getByLabel("Name").fill("for a script");
  await opened.getByRole("button", { name: "Create token" }).click();
  await settled(page, opened.getByRole("button", { name: "Done" }));
  await sound(page, "a token that is shown once");

  await page.goto("/settings/notifications");
  await page.getByRole("button", { name: "Add webhook…" }).click();
  await opened.getByLabel("Name").fill("pager");
  await opened.getByLabel("URL").fill("https://hooks.example.test/pager");
  await opened.getByRole("button", { name: "Add webhook" }).click();
  await settled(page, opened.getByRole("button", { name: "Done" }));
  await sound(page, "a secret that is shown once");
  await opened.getByRole("button", { name: "Done" }).click();
  for (const entry of ["Change…", "New secret…", "Remove…"]) {
    await openAndClose(page, dialog("Change pager", entry), "/settings/notifications");
  }

  await page.goto("/settings/users");
  await page.getByRole("button", { name: "Add user…" }).click();
  await opened.getByLabel("Name").fill("Ben");
  await opened.getByLabel("E-mail address").fill("ben@example.test");
  await opened.getByRole("button", { name: "Add user" }).click();
  await settled(page, opened.getByRole("button", { name: "Done" }));
  await sound(page, "a link that is shown once");
  await opened.getByRole("button", { name: "Done" }).click();
  for (const entry of ["Reset password…", "Disable…"]) {
    await openAndClose(page, dialog("Change Ben", entry), "/settings/users");
  }
  await page.getByRole("button", { name: "Change Ben" }).click();
  await page.getByRole("menuitem", { name: "Disable…" }).click();
  await opened.getByLabel("Reason").fill("left the team");
  await opened.getByRole("button", { name: "Disable user" }).click();
  await expect(opened).toBeHidden();
  await openAndClose(page, dialog("Change Ben", "Enable again…"), "/settings/users");
});

test("confirmations on the page itself have no fault: withdrawing a comment, deleting an incident", async ({
  page,
  shown: { cluster, run, incident },
}) => {
  await page.goto(`${cluster}/runs/${run}?view=comments`);
  await page.getByRole("button", { name: /^Withdraw the comment of/ }).click();
  await settled(page, page.getByRole("button", { name: "Withdraw comment" }));
  await sound(page, "withdrawing a comment");
  await page.goto(`${cluster}/incidents/${incident}`);
  await page.getByRole("button", { name: "Delete…" }).click();
  await settled(page, page.getByRole("button", { name: "Delete incident" }));
  await sound(page, "deleting an incident");
  await page.evaluate(() => sessionStorage.setItem("cloudwright.view-as", "viewer"));
  await page.goto(cluster);
  await settled(page, page.getByRole("button", { name: "Back to my own view" }));
  await sound(page, "with another role's view");
});

test("actions on several nodes, their approval, and the palette of all clusters have no fault", async ({
  page,
  shown: { cluster },
  ledger: { database },
}) => {
  await page.goto(`${cluster}/load-balancers?q=frontend-000`);
  for (const name of ["payments/frontend-0001", "search/frontend-0002"]) {
    await page.getByRole("checkbox", { name: `Select ${name}`, exact: true }).check();
  }
  await openAndClose(page, dialog(/^Write all again… 2 Services/), "two chosen Services");

  await rowsOf(database.url, WAITING, [CLUSTER, "5d2c2a10-0000-4000-8000-00000000ba7d"]);
  await page.goto(`${cluster}/actions`);
  const opened = page.getByRole("dialog");
  const reason = opened.getByRole("textbox", { name: /^Reason/ });
  const one = "Review: Release node node-0001";
  await openAndClose(page, dialog(one), "what waits");
  await page.getByRole("button", { name: one }).click();
  await opened.getByRole("button", { name: "Decline" }).click();
  await settled(page, opened.getByText("Enter a reason", { exact: false }));
  await sound(page, "declining without a reason");
  await reason.fill("not today");
  await opened.getByRole("button", { name: "Decline" }).click();
  await expect(opened).toBeHidden();

  await page.getByRole("button", { name: "Review: Release 2 nodes" }).click();
  await settled(page, opened.getByRole("button", { name: "Decline all 2" }));
  await rowsOf(database.url, WITHDRAWN, [CLUSTER]);
  await reason.fill("neither of them");
  await opened.getByRole("button", { name: "Decline all 2" }).click();
  await settled(page, opened.getByText("1 declined, 1 not decided."));
  await sound(page, "declining what was withdrawn in part");
  await opened.getByRole("button", { name: "Close" }).last().click();
  await page.getByRole("link", { name: "Release node node-0001" }).first().click();
  await settled(page, page.getByText(/not today/).first());
  await sound(page, "what was declined");

  await page.goto("/");
  await settled(page, page.getByRole("heading", { level: 1 }));
  await page.keyboard.press("Control+k");
  await settled(page, page.getByRole("textbox", { name: "Search or jump" }));
  await sound(page, "the palette of all clusters");
});

/** Requests the release of one node, and of two others in a batch. */
const WAITING = `
  INSERT INTO intents (id, cluster_id, kind, wish, controller, object_kind, object_name, object_uid, why, actor_id, actor_name,
                       state, requested_at, expires_at, updated_at, batch_id)
  SELECT ('5d2c2a10-0000-4000-8000-00000000ba8' || n)::uuid, $1, 'release', '{"kind":"release"}', 'cloud-node-controller', 'Node', name, uid, 'INC-13',
         'ben', 'ben@example.test', 'awaiting-approval', now(), now() + interval '1 hour', now(),
         CASE n WHEN 1 THEN NULL ELSE $2::uuid END
    FROM (SELECT name, uid, row_number() OVER (ORDER BY name) AS n FROM node_states WHERE cluster_id = $1) AS numbered
   WHERE n <= 3`;

const WITHDRAWN = `
  UPDATE intents SET state = 'cancelled' WHERE cluster_id = $1 AND id = '5d2c2a10-0000-4000-8000-00000000ba83'`;
