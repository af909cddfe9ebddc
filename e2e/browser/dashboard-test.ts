import { test as base, expect, type Page, request } from "@playwright/test";
import { runCloudwright } from "../harness/processes.ts";
import { type Product, startProduct } from "../harness/product.ts";

export { expect };
export type Role = "viewer" | "operator" | "admin";
export type Session = Awaited<ReturnType<Awaited<ReturnType<typeof newClient>>["storageState"]>>;

export const SIGNED_OUT: Session = { cookies: [], origins: [] };

interface PerTest {
  /** Fails the test when a page threw, or its content security policy refused something. */
  readonly soundPages: undefined;
}

interface PerWorker {
  /** Size of the fleet. A spec that changes the whole fleet takes a size of its own, and so a product of its own. */
  readonly fleet: number;
  readonly product: Product;
  /** Path of the cluster's pages, `/c/<id>`. */
  readonly cluster: string;
  readonly admin: Session;
}

/** Tests of the dashboard against the product as `npm start` runs it, signed in as an admin. */
export const test = base.extend<PerTest, PerWorker>({
  fleet: [9, { scope: "worker", option: true }],
  product: [
    async ({ fleet }, use) => {
      const product = await startProduct(["--nodes", String(fleet)]);
      await use(product);
      await product.stop();
    },
    { scope: "worker", timeout: 300_000 },
  ],
  cluster: [
    async ({ product }, use) => {
      const { metadata } = await product.kube.get("/api/v1/namespaces/kube-system");
      await use(`/c/${metadata.uid}`);
    },
    { scope: "worker" },
  ],
  admin: [async ({ product }, use) => use(await sessionOf(product, "admin")), { scope: "worker" }],
  baseURL: async ({ product }, use) => use(product.endpoints.dashboard),
  storageState: async ({ admin }, use) => use(admin),
  soundPages: [
    async ({ context }, use) => {
      const complaints: string[] = [];
      context.on("weberror", (error) => complaints.push(error.error().message));
      context.on("console", (message) => {
        const isNetwork = /Failed to load resource|net::ERR_/.test(message.text());
        if (message.type() === "error" && !isNetwork) complaints.push(message.text());
      });
      await use(undefined);
      expect(complaints, "errors in the pages").toEqual([]);
    },
    { auto: true },
  ],
});

/** A session of a person of this role, who came by a link of their own. */
export async function sessionOf(product: Product, role: Role): Promise<Session> {
  const client = await newClient(product.endpoints.dashboard);
  const link = new URL(await signInLink(product, role));
  const token = link.searchParams.get("token") ?? "";
  const answer = await client.post("/sign-in/redeem", { form: { token, next: "/" } });
  expect(answer.url(), "where signing in leads").not.toContain("/sign-in");
  const session = await client.storageState();
  await client.dispose();
  return session;
}

export async function signInLink(product: Product, role: Role): Promise<string> {
  const { dashboard, databaseUrl } = product.endpoints;
  const printed = await runCloudwright(
    [
      ...["sign-in-link", "--base-url", dashboard],
      ...["--role", role, "--email", `${role}@example.test`],
    ],
    { env: { DATABASE_URL: databaseUrl } },
  );
  return printed.trim();
}

/** The list's row of the node. */
export function nodeRow(page: Page, name: string) {
  return page.getByRole("row").filter({ has: page.getByRole("link", { name, exact: true }) });
}

/** The counter of a state, which is also its filter; its name reads such as "OK 12". */
export function stateCounter(page: Page, state: string) {
  return page
    .getByRole("group", { name: "Filter by state" })
    .getByRole("button", { name: new RegExp(`^${state}`) });
}

/** Waits until the whole fleet is initialised and the list says so. */
export async function untilFleetIsOk(page: Page, cluster: string, fleet: number): Promise<void> {
  await page.goto(`${cluster}/nodes`);
  await expect(stateCounter(page, "OK")).toHaveText(`OK${fleet.toLocaleString("en-GB")}`, {
    timeout: 60_000 + 30 * fleet,
  });
}

function newClient(origin: string) {
  return request.newContext({ baseURL: origin, extraHTTPHeaders: { origin } });
}
