import { randomUUID } from "node:crypto";
import type { APIRequestContext, Page, TestInfo } from "@playwright/test";
import { appCode, STEP_MS } from "../fixtures/authenticator-app.ts";
import { fitsNarrow, settled, sound } from "../fixtures/axe.ts";
import { test as base, expect, SIGNED_OUT } from "../fixtures/dashboard.ts";
import { snapshot } from "../fixtures/pictures.ts";

const PASSWORD = "correct horse battery";
const REFUSED = "The e-mail address or the password is wrong.";

interface PerTest {
  readonly asAdmin: APIRequestContext;
  /** A new viewer for each test, who signs in by password. */
  readonly user: User;
}

const test = base.extend<PerTest>({
  asAdmin: async ({ openClient, admin }, use) => use(await openClient(admin)),
  user: async ({ asAdmin }, use) => {
    const name = `Ana ${randomUUID().slice(0, 8)}`;
    const email = `${name.replace(" ", ".").toLowerCase()}@example.test`;
    const input = { name, email, role: "viewer", password: PASSWORD };
    const { person: user } = await changed(asAdmin, "people.create", input);
    await use({ id: user.id, email, name });
  },
});

// A separate product, because wrong passwords delay every sign-in from the same address.
test.use({ fleet: 2 });

interface User {
  readonly id: string;
  readonly email: string;
  readonly name: string;
}

test("a password signs in by keyboard alone and leads to the requested page", async ({
  openPage,
  user,
  cluster,
}) => {
  const page = await openPage(SIGNED_OUT);
  await page.goto(`${cluster}/runs?q=outcome:changed`);
  await page.getByLabel("E-mail address").focus();
  await page.keyboard.type(user.email);
  await page.keyboard.press("Tab");
  await page.keyboard.type("not the password");
  await page.keyboard.press("Enter");

  await expect(page.getByRole("alert").filter({ hasText: REFUSED })).toBeVisible();
  await expect(page.getByLabel("Password", { exact: true })).toHaveAccessibleDescription(REFUSED);
  expect(page.url(), "what was typed is in no address").not.toContain(user.email);

  await page.getByLabel("E-mail address").fill(user.email.toUpperCase());
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("Password", { exact: true }).press("Enter");
  await expect(page.getByRole("button", { name: `Account of ${user.name}` })).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`${cluster}/runs\\?q=outcome`));
});

test("a disabled user is signed out immediately, and sees only the general refusal", async ({
  openPage,
  asAdmin,
  user,
  cluster,
}) => {
  const page = await openPage(SIGNED_OUT);
  await signIn(page, user);
  await changed(asAdmin, "people.disable", { id: user.id, why: "Left the team" });

  expect((await page.request.get("/api/trpc/clusters.list")).status()).toBe(401);
  await page.goto(`${cluster}/nodes`);
  await expect(page.getByRole("heading", { name: "You are not signed in" })).toBeVisible();
  await fillIn(page, user);
  await expect(page.getByRole("alert").filter({ hasText: REFUSED })).toBeVisible();

  await changed(asAdmin, "people.enable", { id: user.id });
  await signIn(page, user);
});

test("a changed role takes effect with the next request", async ({
  openPage,
  openClient,
  asAdmin,
  user,
  product,
  cluster,
}) => {
  const page = await openPage(SIGNED_OUT);
  await signIn(page, user);
  const { metadata } = await product.kube.get("/api/v1/nodes/node-1");
  const client = await openClient(await page.context().storageState());
  const retry = () =>
    post(client, "intents.retry", {
      id: randomUUID(),
      cluster: cluster.slice("/c/".length),
      controller: "cloud-node-controller",
      object: { kind: "Node", name: "node-1", uid: metadata.uid },
      why: "trying the role",
    });
  expect((await retry()).status()).toBe(403);
  await changed(asAdmin, "people.changeRole", { id: user.id, role: "operator" });
  expect((await retry()).status()).toBe(200);
  await changed(asAdmin, "people.changeRole", { id: user.id, role: "viewer" });
  expect((await retry()).status()).toBe(403);
});

test("resetting a password ends the user's sessions and gives a link that signs in once", async ({
  openPage,
  asAdmin,
  user,
}) => {
  const page = await openPage(SIGNED_OUT);
  await signIn(page, user);
  const { signInLink } = await changed(asAdmin, "people.setPassword", { id: user.id });
  expect((await page.request.get("/api/trpc/clusters.list")).status()).toBe(401);

  await page.goto(signInLink.url);
  await page.getByRole("button", { name: `Sign in as ${user.name}` }).click();
  await expect(page.getByRole("heading", { name: "You are not signed in" })).toBeHidden();
  expect((await page.request.get("/api/trpc/sessions.mine")).status()).toBe(200);
  const again = await openPage(SIGNED_OUT);
  await again.goto(signInLink.url);
  await expect(again.getByText(/was used already/)).toBeVisible();
});

test("a user ends their other sessions, and keeps the current one", async ({
  openPage,
  openClient,
  user,
}) => {
  const here = await openPage(SIGNED_OUT);
  const there = await openPage(SIGNED_OUT);
  await signIn(here, user);
  await signIn(there, user);
  const client = await openClient(await here.context().storageState());
  expect(await changed(client, "sessions.revokeAll", {})).toEqual({ ended: 1 });
  expect((await there.request.get("/api/trpc/sessions.mine")).status()).toBe(401);
  const mine = await here.request.get("/api/trpc/sessions.mine");
  expect((await mine.json()).result.data.json).toMatchObject([
    { isThis: true, address: "127.0.0.1", person: { email: user.email } },
  ]);
});

test("an authenticator app is added by its first code, and required from then on", async ({
  openPage,
  user,
}, info) => {
  const page = await openPage(SIGNED_OUT);
  await signIn(page, user);
  await page.goto("/settings/sessions");
  await page.getByRole("button", { name: "Add an authenticator app…" }).click();
  const dialog = page.getByRole("dialog", { name: "Add an authenticator app" });
  await dialog.getByLabel("Your password").fill(PASSWORD);
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(dialog.getByRole("img", { name: /^QR code/ })).toBeVisible();
  await dialog.getByText("Type the secret instead").click();
  await looksRight(page, info, "authenticator-add");
  const secret = await dialog.getByLabel(/^Secret/).inputValue();
  await dialog.getByLabel(/^Code/).fill(appCode(secret, Date.now()));
  await dialog.getByRole("button", { name: "Turn on" }).click();
  const recovery = await dialog.getByRole("listitem").first().textContent();
  await looksRight(page, info, "recovery-codes");
  await dialog.getByRole("button", { name: "I have saved them" }).click();
  await expect(page.getByText("10 recovery codes are left.")).toBeVisible();
  await page.getByRole("button", { name: "Remove…" }).click();
  await settled(page, page.getByRole("dialog", { name: "Remove your authenticator app" }));
  await sound(page, "authenticator-remove");
  await page.keyboard.press("Escape");

  const other = await openPage(SIGNED_OUT);
  await other.goto("/sign-in");
  await fillIn(other, user);
  const field = other.getByLabel("Code", { exact: true });
  await expect(field).toBeFocused();
  await field.fill("000000");
  await field.press("Enter");
  await expect(field).toHaveAccessibleDescription(/^The code is wrong/);
  await looksRight(other, info, "sign-in-code");
  // The code after the confirmed one, which stays valid if the time step ends meanwhile.
  await field.fill(appCode(secret, Date.now() + STEP_MS));
  await field.press("Enter");
  await expect(other.getByRole("button", { name: `Account of ${user.name}` })).toBeVisible();

  const third = await openPage(SIGNED_OUT);
  await third.goto("/sign-in");
  await fillIn(third, user);
  await third.getByText("Without the app").click();
  await third.getByLabel("Recovery code").fill(recovery?.toLowerCase() ?? "");
  await third.getByRole("button", { name: "Sign in with a recovery code" }).click();
  await expect(third.getByRole("button", { name: `Account of ${user.name}` })).toBeVisible();
});

async function looksRight(page: Page, info: TestInfo, name: string): Promise<void> {
  await snapshot(page, info, name);
  await sound(page, name);
  await page.setViewportSize({ width: 320, height: 800 });
  await fitsNarrow(page, name);
  await page.screenshot({ path: info.outputPath(`${name}-narrow.png`) });
  await page.setViewportSize({ width: 1_280, height: 800 });
}

test("repeated wrong passwords are delayed, shown to admins, and lock nobody out", async ({
  page,
  openClient,
  user,
}) => {
  const foreign = await openClient(SIGNED_OUT);
  const attempt = async (password: string) =>
    (await foreign.post("/sign-in/password", { form: { email: user.email, password } })).url();
  for (let tries = 0; tries < 6; tries++) expect(await attempt("wrong")).toContain("=password");
  await page.goto("/settings/users");
  const notes = page.getByRole("list", { name: "Wrong passwords" });
  await expect(notes.getByRole("listitem").filter({ hasText: user.name })).toContainText(
    /6 wrong passwords or codes in the last 24 h, .* from 127\.0\.0\.1\./,
  );
  expect(await attempt(PASSWORD), "the right one is let in").not.toContain("/sign-in");
});

test("a restricted user sees only their clusters", async ({ page, openPage, user, cluster }) => {
  const theirs = await openPage(SIGNED_OUT);
  await signIn(theirs, user);
  const list = async () =>
    (await (await theirs.request.get("/api/trpc/clusters.list")).json()).result.data.json;
  expect(await list()).toHaveLength(1);

  await page.goto("/settings/users");
  const row = page.getByRole("row").filter({ hasText: user.name });
  await page.getByRole("button", { name: `Change ${user.name}` }).click();
  await page.getByRole("menuitem", { name: "Change clusters…" }).click();
  const dialog = page.getByRole("dialog", { name: `Change the clusters of ${user.name}` });
  await dialog.getByLabel("Only these").check();
  await dialog.getByRole("button", { name: "Change clusters" }).click();
  await expect(dialog).toBeHidden();
  await expect(row.getByRole("cell").nth(3)).toHaveText("0");

  expect(await list()).toEqual([]);
  const id = cluster.slice("/c/".length);
  for (const path of ["clusters.byId", "nodes.byName", "overview.byCluster"]) {
    const input = encodeURIComponent(JSON.stringify({ json: { cluster: id, name: "node-1" } }));
    const answer = await theirs.request.get(`/api/trpc/${path}?input=${input}`);
    expect(answer.status(), path).toBe(404);
  }
  const file = await theirs.request.get(`/api/export?list=audit&cluster=${id}&format=csv`);
  expect(file.status()).toBe(404);
});

async function signIn(page: Page, user: User): Promise<void> {
  await page.goto("/sign-in");
  await fillIn(page, user);
  await page.waitForURL((url) => !url.pathname.startsWith("/sign-in"));
}

async function fillIn(page: Page, user: User): Promise<void> {
  await page.getByLabel("E-mail address").fill(user.email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

function post(client: APIRequestContext, path: string, input: object) {
  const data = { data: { json: input } };
  return client.post(`/api/trpc/${path}`, data);
}

async function changed(client: APIRequestContext, path: string, input: object) {
  const answer = await post(client, path, input);
  expect(answer.status(), `${path}: ${await answer.text()}`).toBe(200);
  return (await answer.json()).result.data.json;
}
