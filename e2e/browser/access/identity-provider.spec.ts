import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { type Dashboard, startDashboard } from "../../harness/dashboard.ts";
import { freePort } from "../../harness/free-port.ts";
import { type IdentityProvider, identityProvider } from "../../harness/identity-provider.ts";
import { dashboardUrl } from "../../harness/product.ts";
import { test as base, expect, SIGNED_OUT } from "../fixtures/dashboard.ts";

interface PerTest {
  /** A second dashboard on the product's database, whose users sign in at a provider that is not up yet. */
  readonly atProvider: {
    readonly dashboard: Dashboard;
    readonly provider: IdentityProvider;
    readonly log: () => string;
  };
}

const test = base.extend<PerTest>({
  atProvider: async ({ product }, use) => {
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    const provider = await identityProvider({
      redirectUris: [`${origin}/sign-in/oidc/callback`],
      claimsInIdToken: false,
    });
    const dir = mkdtempSync(join(tmpdir(), "cloudwright-identity-"));
    const dashboard = await startDashboard(dashboardUrl(product), dir, {
      port,
      environment: {
        CLOUDWRIGHT_OIDC_ISSUER: provider.issuer,
        CLOUDWRIGHT_OIDC_CLIENT_ID: provider.clientId,
        CLOUDWRIGHT_OIDC_CLIENT_SECRET: provider.clientSecret,
        CLOUDWRIGHT_OIDC_NAME: "Test ID",
        CLOUDWRIGHT_OIDC_ROLES: "ops=operator; platform=admin",
        CLOUDWRIGHT_OIDC_CLUSTERS: "ops=*; platform=*",
      },
    });
    await use({ dashboard, provider, log: () => readFileSync(join(dir, "dashboard.log"), "utf8") });
    await dashboard.stop();
    await provider.stop();
    rmSync(dir, { recursive: true, force: true });
  },
});

// Two dashboards and a provider run beside the rest of the product, so pages are slow on a busy machine.
test.describe.configure({ timeout: 360_000 });
const patient = expect.configure({ timeout: 60_000 });

test("a user signs in at the provider, once it is up, with the role of their groups", async ({
  openPage,
  cluster,
  atProvider: { dashboard, provider, log },
}) => {
  const page = await openPage(SIGNED_OUT);
  await page.goto(`${dashboard.origin}${cluster}/nodes`);
  await patient(page.getByLabel("Password", { exact: true })).toBeVisible();
  await page.getByRole("link", { name: "Sign in with Test ID" }).click();
  await patient(page.getByRole("status")).toHaveText(/^The identity provider does not answer/);

  await provider.start();
  provider.users.set("mia", { email: "mia@id.example", name: "Mia", groups: ["platform"] });
  await signIn(page, "mia");
  await patient(page).toHaveURL(`${dashboard.origin}${cluster}/nodes`);
  await patient(page.getByRole("button", { name: "Account of Mia" })).toBeVisible();

  await page.goto(`${dashboard.origin}/settings/users`);
  const row = page.getByRole("row").filter({ hasText: "mia@id.example" });
  await patient(row).toContainText("identity provider");
  await patient(row).toContainText("admin");

  // A change of groups at the provider changes the role here at the next sign-in.
  provider.users.set("mia", { email: "mia@id.example", name: "Mia", groups: ["ops"] });
  await signOut(page);
  await page.getByRole("link", { name: "Sign in with Test ID" }).click();
  await patient(page.getByRole("button", { name: "Account of Mia" })).toBeVisible();
  await page.goto(`${dashboard.origin}/settings/users`);
  await patient(page.getByText("You are Mia, operator.")).toBeVisible();

  provider.users.set("mia", { email: "mia@id.example", name: "Mia", groups: [] });
  await signOut(page);
  await page.getByRole("link", { name: "Sign in with Test ID" }).click();
  await patient(page.getByRole("status")).toHaveText(/^None of your groups/);
  expect(log()).not.toContain(provider.clientSecret);
  expect(log()).not.toMatch(/[?&]code=/);
});

/** Signs in with the forms on the provider's own pages. */
async function signIn(page: Page, login: string): Promise<void> {
  await page.route("https://fonts.googleapis.com/**", (route) => route.abort());
  await page.getByRole("link", { name: "Sign in with Test ID" }).click();
  await page.getByPlaceholder("Enter any login").fill(login);
  await page.getByPlaceholder("and password").fill("any");
  await page.getByRole("button", { name: "Sign-in" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Account of Mia" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await patient(page.getByRole("status")).toHaveText("You are signed out.");
}
