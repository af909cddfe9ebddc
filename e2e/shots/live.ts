import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { startController, startDatabase } from "../harness/controller.ts";
import { startWithOrphan } from "../harness/load-balancer-fixture.ts";
import type { Product } from "../harness/product.ts";
import { eventually } from "../harness/wait.ts";
import { databaseDownAddress, databaseLostAddress, pageAddresses } from "./addresses.ts";
import type { Camera } from "./camera.ts";
import type { Look } from "./options.ts";
import { startOtherCluster } from "./other-cluster.ts";
import { makeVariety } from "./variety.ts";

const OTHER_NODES = 5;
const DESKTOP_LIGHT: Look = { colorScheme: "light", isPhone: false };

/**
 * Takes screenshots of the running product with some problems in it. This program starts the database, so that it can stop it
 * for the last screenshots.
 */
export async function shootLive(camera: Camera, dir: string): Promise<void> {
  const endings: (() => Promise<unknown>)[] = [];
  try {
    mkdirSync(dir, { recursive: true });
    const database = await startDatabase(dir);
    endings.push(() => database.stop());
    const { product } = await startWithOrphan([
      ...["--nodes", "24", "--database-url", database.ready.url],
    ]);
    endings.push(() => product.stop());

    const first = await signIn(camera, product);
    const cluster = `/c/${(await product.kube.get("/api/v1/namespaces/kube-system")).metadata.uid}`;
    const found = await makeVariety(product, first, cluster);
    const shadow = await startShadow(product, dir, database.ready.url);
    endings.push(() => shadow.stop());
    const other = await startOtherCluster(dir, database.ready.url, OTHER_NODES);
    endings.push(() => other.stop());
    await untilBothAreListed(first);

    const usedLink = product.endpoints.signInUrl;
    const addresses = pageAddresses({ cluster, ...found, usedLink });
    const storageState = await first.context().storageState();
    const open = (look: Look) =>
      camera.open(look, { baseURL: product.endpoints.dashboard, storageState });
    for (const look of camera.looks) {
      const page = await open(look);
      await camera.shoot(page, addresses, look);
      await page.context().close();
    }
    await shootWithoutDatabase(camera, { cluster, open, takeAway: () => database.stop() });
  } finally {
    for (const end of endings.reverse()) await end();
  }
}

/** Starts a controller in dry-run mode beside the product's. */
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

/** Reopens the page until the second cluster has reported, because with only one cluster the page redirects to it. */
function untilBothAreListed(page: Page): Promise<void> {
  return eventually(
    async () => {
      await page.goto("/");
      await page.getByText(`All ${OTHER_NODES} nodes are in sync`).waitFor({ timeout: 5_000 });
    },
    { withinMs: 120_000 },
  );
}

/** Takes screenshots of pages that were open when the database stopped, then of pages that are opened without it. */
async function shootWithoutDatabase(
  camera: Camera,
  {
    cluster,
    open,
    takeAway,
  }: {
    readonly cluster: string;
    readonly open: (look: Look) => Promise<Page>;
    readonly takeAway: () => Promise<unknown>;
  },
): Promise<void> {
  const lost = databaseLostAddress(cluster);
  const pages = await Promise.all(
    camera.looks.map(async (look) => {
      const page = await open(look);
      await page.goto(lost.path);
      await page.getByText("node-5").first().waitFor();
      return { look, page };
    }),
  );
  await takeAway();
  for (const { look, page } of pages) await camera.shoot(page, [lost], look);
  for (const { look, page } of pages) {
    await camera.shoot(page, [databaseDownAddress(cluster)], look);
    await page.context().close();
  }
}

async function signIn(camera: Camera, { endpoints }: Product): Promise<Page> {
  const page = await camera.open(DESKTOP_LIGHT, { baseURL: endpoints.dashboard });
  await page.goto(endpoints.signInUrl);
  await page.getByRole("button", { name: /^Sign in as/ }).click();
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  return page;
}
