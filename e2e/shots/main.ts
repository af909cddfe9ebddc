import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "@playwright/test";
import config from "../../playwright.config.ts";
import { PROJECT_ROOT } from "../harness/processes.ts";
import { type Product, startProduct } from "../harness/product.ts";
import { messageOf } from "../harness/wait.ts";
import { type Address, databaseDownAddress, pageAddresses } from "./addresses.ts";
import { makeVariety } from "./variety.ts";

const FOLDER = join(PROJECT_ROOT, "shots");
const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
const SCHEMES = ["light", "dark"] as const;

/** `npm run shots`: the product with some trouble in it, and a picture of each page in `shots/`, for people to look at. */
mkdirSync(FOLDER, { recursive: true });
const product = await startProduct(["--nodes", "24"]);
const browser = await chromium.launch(config.use?.launchOptions ?? {});
try {
  const first = await signIn(browser, product);
  const cluster = `/c/${(await product.kube.get("/api/v1/namespaces/kube-system")).metadata.uid}`;
  const found = await makeVariety(product, first, cluster);
  const state = await first.context().storageState();
  for (const colorScheme of SCHEMES) {
    for (const viewport of [DESKTOP, PHONE]) {
      const context = await browser.newContext({
        storageState: state,
        baseURL: product.endpoints.dashboard,
        colorScheme,
        viewport,
        deviceScaleFactor: viewport === PHONE ? 2 : 1,
      });
      const page = await context.newPage();
      const addresses = pageAddresses({ cluster, ...found, usedLink: product.endpoints.signInUrl });
      for (const address of addresses) {
        if (viewport === PHONE && address.phone !== true) continue;
        await tryToShoot(page, address, `${colorScheme}${viewport === PHONE ? "-phone" : ""}`);
      }
      if (viewport === DESKTOP) await tryToShoot(page, databaseDownAddress(cluster), colorScheme);
      await context.close();
    }
  }
} finally {
  await browser.close();
  await product.stop();
}

/** One page that does not come fails the command, and spares the other pictures. */
async function tryToShoot(page: Page, address: Address, suffix: string): Promise<void> {
  try {
    await shoot(page, address, suffix);
  } catch (error) {
    console.log(`No picture of ${address.name} (${suffix}): ${messageOf(error)}`);
    process.exitCode = 1;
  }
}

async function shoot(page: Page, address: Address, suffix: string): Promise<void> {
  const path = join(FOLDER, `${address.name}-${suffix}.png`);
  await page.goto(address.path);
  await address.prepare?.(page);
  await page.getByText(address.shows).first().waitFor();
  await page.getByRole("status", { name: "Loading" }).waitFor({ state: "detached" });
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({ path, animations: "disabled" });
  await page.unrouteAll({ behavior: "ignoreErrors" });
  console.log(path);
}

async function signIn(within: Browser, { endpoints }: Product): Promise<Page> {
  const context = await within.newContext({ baseURL: endpoints.dashboard });
  const page = await context.newPage();
  await page.goto(endpoints.signInUrl);
  await page.getByRole("button", { name: /^Sign in as/ }).click();
  await page.getByRole("heading", { name: "Nodes" }).waitFor();
  return page;
}
