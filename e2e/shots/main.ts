import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import config from "../../playwright.config.ts";
import { createCamera } from "./camera.ts";
import { shootLedgerFixture } from "./ledgers.ts";
import { shootLive } from "./live.ts";
import { shotOptions } from "./options.ts";

/**
 * `npm run shots`: saves a screenshot of each page in `shots/`, for people to look at. The pages are those of the product with some
 * problems in it, and of ledgers written with states that the product rarely has.
 */
const options = shotOptions(process.argv.slice(2));
const dir = mkdtempSync(join(tmpdir(), "cloudwright-shots-"));
const browser = await chromium.launch(config.use?.launchOptions ?? {});
try {
  const camera = createCamera(browser, options);
  for (const fixture of options.fixtures) {
    if (fixture === "live") await shootLive(camera, join(dir, fixture));
    else await shootLedgerFixture(camera, fixture, join(dir, fixture));
  }
} finally {
  await browser.close();
  rmSync(dir, { recursive: true, force: true });
}
