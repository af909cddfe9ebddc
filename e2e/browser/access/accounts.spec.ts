import { randomUUID } from "node:crypto";
import type { APIRequestContext, Browser, Page } from "@playwright/test";
import type { Product } from "../../harness/product.ts";
import { expect, type Session, SIGNED_OUT, test } from "../fixtures/dashboard.ts";

const PASSWORD = "correct horse battery";
const REFUSED = "The e-mail address or the password is wrong.";

// A product of its own, as its wrong passwords delay whoever signs in from the same address.
test.use({ fleet: 2 });

interface Person {
  readonly id: string;
  readonly email: string;
  readonly name: string;
}

interface Parts {
  readonly browser: Browser;
  readonly product: Product;
}

test("a password signs in by keyboard alone and leads to where one wanted to go", async ({
  browser,
  product,
  admin,
  cluster,
}) => {
  const person = await newPerson({ browser, product }, admin, { password: PASSWORD });
  const page = await pageOf({ browser, product }, SIGNED_OUT);
  await page.goto(`${cluster}/runs?q=outcome:changed`);
  await page.getByLabel("E-mail address").focus();
  await page.keyboard.type(person.email);
  await page.keyboard.press("Tab");
  await page.keyboard.type("not the password");
  await page.keyboard.press("Enter");

  await expect(page.getByRole("alert").filter({ hasText: REFUSED })).toBeVisible();
  await expect(page.getByLabel("Password", { exact: true })).toHaveAccessibleDescription(REFUSED);
  expect(page.url(), "what was typed is in no address").not.toContain(person.email);

  await page.getByLabel("E-mail address").fill(person.email.toUpperCase());
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("Password", { exact: true }).press("Enter");
  await expect(page.getByRole("button", { name: `Account of ${person.name}` })).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`${cluster}/runs\\?q=outcome`));
});

test("whoever is disabled is out at once, and is told nothing more than others", async ({
  browser,
  product,
  admin,
  cluster,
}) => {
  const person = await newPerson({ browser, product }, admin, { password: PASSWORD });
  const page = await pageOf({ browser, product }, SIGNED_OUT);
  await signIn(page, person);
  const asAdmin = await clientOf({ browser, product }, admin);
  await changed(asAdmin, "people.disable", { id: person.id, why: "Left the team" });

  expect((await page.request.get("/api/trpc/clusters.list")).status()).toBe(401);
  await page.goto(`${cluster}/nodes`);
  await expect(page.getByRole("heading", { name: "You are not signed in" })).toBeVisible();
  await fillIn(page, person);
  await expect(page.getByRole("alert").filter({ hasText: REFUSED })).toBeVisible();

  await changed(asAdmin, "people.enable", { id: person.id });
  await signIn(page, person);
});

test("a changed role holds from the next request on", async ({
  browser,
  product,
  admin,
  cluster,
}) => {
  const person = await newPerson({ browser, product }, admin, { password: PASSWORD });
  const page = await pageOf({ browser, product }, SIGNED_OUT);
  await signIn(page, person);
  const { metadata } = await product.kube.get("/api/v1/nodes/node-1");
  const client = await clientOf({ browser, product }, await page.context().storageState());
  const retry = () =>
    post(client, "intents.retry", {
      id: randomUUID(),
      cluster: cluster.slice("/c/".length),
      controller: "cloud-node-controller",
      object: { kind: "Node", name: "node-1", uid: metadata.uid },
      why: "trying the role",
    });
  expect((await retry()).status()).toBe(403);
  const asAdmin = await clientOf({ browser, product }, admin);
  await changed(asAdmin, "people.changeRole", { id: person.id, role: "operator" });
  expect((await retry()).status()).toBe(200);
  await changed(asAdmin, "people.changeRole", { id: person.id, role: "viewer" });
  expect((await retry()).status()).toBe(403);
});

test("a reset password is a link that signs in once, and ends what was open", async ({
  browser,
  product,
  admin,
}) => {
  const person = await newPerson({ browser, product }, admin, { password: PASSWORD });
  const page = await pageOf({ browser, product }, SIGNED_OUT);
  await signIn(page, person);
  const asAdmin = await clientOf({ browser, product }, admin);
  const { signInLink } = await changed(asAdmin, "people.setPassword", { id: person.id });
  expect((await page.request.get("/api/trpc/clusters.list")).status()).toBe(401);

  await page.goto(signInLink.url);
  await page.getByRole("button", { name: `Sign in as ${person.name}` }).click();
  await expect(page.getByRole("heading", { name: "You are not signed in" })).toBeHidden();
  expect((await page.request.get("/api/trpc/sessions.mine")).status()).toBe(200);
  const again = await pageOf({ browser, product }, SIGNED_OUT);
  await again.goto(signInLink.url);
  await expect(again.getByText(/was used already/)).toBeVisible();
});

test("a person ends their other sessions, and keeps the one at hand", async ({
  browser,
  product,
  admin,
}) => {
  const person = await newPerson({ browser, product }, admin, { password: PASSWORD });
  const here = await pageOf({ browser, product }, SIGNED_OUT);
  const there = await pageOf({ browser, product }, SIGNED_OUT);
  await signIn(here, person);
  await signIn(there, person);
  const client = await clientOf({ browser, product }, await here.context().storageState());
  expect(await changed(client, "sessions.revokeAll", {})).toEqual({ ended: 1 });
  expect((await there.request.get("/api/trpc/sessions.mine")).status()).toBe(401);
  const mine = await here.request.get("/api/trpc/sessions.mine");
  expect((await mine.json()).result.data.json).toMatchObject([
    { isThis: true, address: "127.0.0.1", person: { email: person.email } },
  ]);
});

test("repeated wrong passwords are delayed, shown to admins, and lock nobody out", async ({
  page,
  browser,
  product,
  admin,
}) => {
  const person = await newPerson({ browser, product }, admin, { password: PASSWORD });
  const stranger = await clientOf({ browser, product }, SIGNED_OUT);
  const attempt = async (password: string) =>
    (await stranger.post("/sign-in/password", { form: { email: person.email, password } })).url();
  for (let tries = 0; tries < 6; tries++) expect(await attempt("wrong")).toContain("=password");
  await page.goto("/settings/users");
  const notes = page.getByRole("list", { name: "Wrong passwords" });
  await expect(notes.getByRole("listitem").filter({ hasText: person.name })).toContainText(
    /6 wrong passwords in the last 24 h, .* from 127\.0\.0\.1\./,
  );
  expect(await attempt(PASSWORD), "the right one is let in").not.toContain("/sign-in");
});

test("a user who is restricted sees their clusters alone", async ({
  page,
  browser,
  product,
  admin,
  cluster,
}) => {
  const person = await newPerson({ browser, product }, admin, { password: PASSWORD });
  const theirs = await pageOf({ browser, product }, SIGNED_OUT);
  await signIn(theirs, person);
  const list = async () =>
    (await (await theirs.request.get("/api/trpc/clusters.list")).json()).result.data.json;
  expect(await list()).toHaveLength(1);

  await page.goto("/settings/users");
  const row = page.getByRole("row").filter({ hasText: person.name });
  await page.getByRole("button", { name: `Change ${person.name}` }).click();
  await page.getByRole("menuitem", { name: "Change clusters…" }).click();
  const dialog = page.getByRole("dialog", { name: `Change the clusters of ${person.name}` });
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
  const file = await theirs.request.get(`/api/audit-export?cluster=${id}&format=csv`);
  expect(file.status()).toBe(404);
});

async function newPerson(parts: Parts, admin: Session, over: object): Promise<Person> {
  const name = `Ana ${randomUUID().slice(0, 8)}`;
  const email = `${name.replace(" ", ".").toLowerCase()}@example.test`;
  const client = await clientOf(parts, admin);
  const { person } = await changed(client, "people.create", {
    name,
    email,
    role: "viewer",
    ...over,
  });
  return { id: person.id, email, name };
}

async function signIn(page: Page, person: Person): Promise<void> {
  await page.goto("/sign-in");
  await fillIn(page, person);
  await page.waitForURL((url) => !url.pathname.startsWith("/sign-in"));
}

async function fillIn(page: Page, person: Person): Promise<void> {
  await page.getByLabel("E-mail address").fill(person.email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

async function pageOf(parts: Parts, session: Session): Promise<Page> {
  const context = await parts.browser.newContext({
    baseURL: parts.product.endpoints.dashboard,
    storageState: session,
  });
  return context.newPage();
}

async function clientOf({ browser, product }: Parts, session: Session) {
  const origin = product.endpoints.dashboard;
  const context = await browser.newContext({
    baseURL: origin,
    storageState: session,
    extraHTTPHeaders: { origin },
  });
  return context.request;
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
