import { defineConfig } from "@playwright/test";
// @ts-expect-error The scripts are plain JavaScript, as they run before anything is installed.
import { installedChromium } from "./scripts/lib/chromium.mjs";

const chromium = installedChromium() as string | undefined;

/** For what is looked for and for what is pressed alike: the first of them on a page waits until it has loaded. */
const PATIENCE_MS = 15_000;

/** What takes minutes in one file, mostly by waiting: begun last, it would go on alone when all else is done. */
const LONG = /(accessibility\/every-page|objects\/bad-moments|updates\/freshness)\.spec\.ts$/;

/**
 * The files of one worker that ask for the same product share it, one after another; three workers, as pages wait more than they
 * work.
 */
export default defineConfig({
  testDir: "e2e/browser",
  outputDir: "test-results",
  workers: 3,
  fullyParallel: false,
  projects: [
    { name: "long", testMatch: LONG },
    { name: "others", testIgnore: LONG },
  ],
  // A page that a busy CI machine was too slow for is tried once more; the list says so.
  retries: process.env.CI === undefined ? 0 : 1,
  timeout: 120_000,
  expect: { timeout: PATIENCE_MS },
  reporter: [["list"], ["./e2e/browser/fixtures/counting-reporter.ts"]],
  use: {
    actionTimeout: PATIENCE_MS,
    viewport: { width: 1440, height: 900 },
    screenshot: "only-on-failure",
    launchOptions: {
      ...(chromium === undefined ? {} : { executablePath: chromium }),
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-dev-shm-usage",
      ],
    },
  },
});
