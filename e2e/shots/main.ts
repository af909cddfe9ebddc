import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "@playwright/test";
import config from "../../playwright.config.ts";
import { startWithOrphan } from "../harness/balancer-world.ts";
import { startController, startDatabase } from "../harness/controller.ts";
import { PROJECT_ROOT } from "../harness/processes.ts";
import type { Product } from "../harness/product.ts";
import { eventually, messageOf } from "../harness/wait.ts";
import {
  type Address,
  databaseDownAddress,
  databaseLostAddress,
  pageAddresses,
} from "./addresses.ts";
import { startOtherCluster } from "./other-cluster.ts";
import { type LedgerScene, withRouteLedgers } from "./route-ledgers.ts";
import { makeVariety } from "./variety.ts";

const FOLDER = join(PROJECT_ROOT, "shots");
const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
const OTHER_NODES = 5;

interface Look {
  readonly colorScheme: "light" | "dark";
  readonly isPhone: boolean;
}

const LOOKS: readonly Look[] = (["light", "dark"] as const).flatMap((colorScheme) => [
  { colorScheme, isPhone: false },
  { colorScheme, isPhone: true },
]);

/**
 * `npm run shots`: the product with some trouble in it, and a picture of each page in `shots/`, for people to look at. The
 * database is a process of this program, so that the last pictures are taken with it truly gone.
 */
mkdirSync(FOLDER, { recursive: true });
const dir = mkdtempSync(join(tmpdir(), "cloudwright-shots-"));
const endings: (() => Promise<unknown>)[] = [];
try {
  await takePictures();
} finally {
  for (const end of endings.reverse()) await end();
  rmSync(dir, { recursive: true, force: true });
}

async function takePictures(): Promise<void> {
  const browser = await chromium.launch(config.use?.launchOptions ?? {});
  endings.push(() => browser.close());
  await withRouteLedgers(dir, (scene) => shootLedger(browser, scene));
  if (process.argv.includes("--routes")) return;

  const database = await startDatabase(dir);
  endings.push(() => database.stop());
  const { product } = await startWithOrphan([
    ...["--nodes", "24", "--database-url", database.ready.url],
  ]);
  endings.push(() => product.stop());

  const first = await signIn(browser, product);
  const cluster = `/c/${(await product.kube.get("/api/v1/namespaces/kube-system")).metadata.uid}`;
  const found = await makeVariety(product, first, cluster);
  const shadow = await startShadow(product, dir, database.ready.url);
  endings.push(() => shadow.stop());
  const other = await startOtherCluster(dir, database.ready.url, OTHER_NODES);
  endings.push(() => other.stop());
  await untilBothAreListed(first);

  const addresses = pageAddresses({ cluster, ...found, usedLink: product.endpoints.signInUrl });
  const open = (look: Look) => openPage({ browser, product, first }, look);
  for (const look of LOOKS) {
    const page = await open(look);
    const fitting = look.isPhone ? addresses.filter(({ phone }) => phone) : addresses;
    for (const address of fitting) await tryToShoot(page, address, look);
    await page.context().close();
  }
  await shootWithoutDatabase({ cluster, open, takeAway: () => database.stop() });
}

/** Pictures of a dashboard that has a ledger of its own and no controller. */
async function shootLedger(browser: Browser, { dashboard, addresses }: LedgerScene): Promise<void> {
  const [name = "", value = ""] = (await dashboard.signIn("admin")).split("=", 2);
  for (const look of LOOKS) {
    const context = await browser.newContext(contextOf(dashboard.origin, look));
    await context.addCookies([{ name, value, url: dashboard.origin }]);
    const page = await context.newPage();
    for (const address of addresses) {
      if (!look.isPhone || address.phone === true) await tryToShoot(page, address, look);
    }
    await context.close();
  }
}

/** A controller that runs dry beside the product's. */
function startShadow(product: Product, within: string, databaseUrl: string) {
  const folder = join(within, "shadow");
  mkdirSync(folder, { recursive: true });
  return startController({
    kubeconfig: product.endpoints.kubeconfig,
    cloudConfig: join(product.dataDir, "cloud-config.yaml"),
    dir: folder,
    flags: {
      "--dry-run": "true",
      "--cluster-name": "sandbox",
      "--allocate-node-cidrs": "true",
      "--cluster-cidr": "10.128.0.0/11",
    },
    databaseUrl,
  });
}

/** With one cluster alone the page leads on to its nodes, so it is opened anew until the other one has reported. */
function untilBothAreListed(page: Page): Promise<void> {
  return eventually(
    async () => {
      await page.goto("/");
      await page.getByText(`All ${OTHER_NODES} nodes are in step`).waitFor({ timeout: 5_000 });
    },
    { withinMs: 120_000 },
  );
}

/** First pages that were open when the database went away, then such as are opened without it. */
async function shootWithoutDatabase({
  cluster,
  open,
  takeAway,
}: {
  readonly cluster: string;
  readonly open: (look: Look) => Promise<Page>;
  readonly takeAway: () => Promise<unknown>;
}): Promise<void> {
  const lost = databaseLostAddress(cluster);
  const pages = await Promise.all(
    LOOKS.map(async (look) => {
      const page = await open(look);
      await page.goto(lost.path);
      await page.getByText("node-5").first().waitFor();
      return { look, page };
    }),
  );
  await takeAway();
  for (const { look, page } of pages) await tryToShoot(page, lost, look);
  for (const { look, page } of pages) {
    await tryToShoot(page, databaseDownAddress(cluster), look);
    await page.context().close();
  }
}

async function openPage(
  {
    browser,
    product,
    first,
  }: { readonly browser: Browser; readonly product: Product; readonly first: Page },
  look: Look,
): Promise<Page> {
  const context = await browser.newContext({
    ...contextOf(product.endpoints.dashboard, look),
    storageState: await first.context().storageState(),
  });
  return context.newPage();
}

function contextOf(baseURL: string, { colorScheme, isPhone }: Look) {
  return {
    baseURL,
    colorScheme,
    viewport: isPhone ? PHONE : DESKTOP,
    deviceScaleFactor: isPhone ? 2 : 1,
  };
}

/** One page that does not come fails the command, and spares the other pictures. */
async function tryToShoot(page: Page, address: Address, look: Look): Promise<void> {
  const name = `${address.name}-${look.colorScheme}${look.isPhone ? "-phone" : ""}`;
  try {
    await shoot(page, address, join(FOLDER, `${name}.png`));
  } catch (error) {
    console.log(`No picture of ${name}: ${messageOf(error)}`);
    process.exitCode = 1;
  }
}

async function shoot(page: Page, address: Address, path: string): Promise<void> {
  if (address.isOpen !== true) await page.goto(address.path);
  await address.prepare?.(page);
  await page.getByText(address.shows).first().waitFor();
  await page.getByRole("status", { name: "Loading" }).waitFor({ state: "detached" });
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({ path, animations: "disabled" });
  console.log(path);
}

async function signIn(within: Browser, { endpoints }: Product): Promise<Page> {
  const context = await within.newContext({ baseURL: endpoints.dashboard });
  const page = await context.newPage();
  await page.goto(endpoints.signInUrl);
  await page.getByRole("button", { name: /^Sign in as/ }).click();
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  return page;
}
