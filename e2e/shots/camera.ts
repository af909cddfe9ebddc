import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "@playwright/test";
import { PROJECT_ROOT } from "../harness/processes.ts";
import { messageOf } from "../harness/wait.ts";
import type { Address } from "./addresses.ts";
import type { Look, ShotOptions } from "./options.ts";

const FOLDER = join(PROJECT_ROOT, "shots");
const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
/** What has not appeared by then will not appear, and many more screenshots wait. */
const PATIENCE_MS = 15_000;

/** Saves the requested screenshots in `shots/`. */
export interface Camera {
  readonly looks: readonly Look[];
  /** Opens a page with this look and the context's other options. */
  open(look: Look, context: BrowserContextOptions): Promise<Page>;
  /** Takes the requested screenshots of these addresses with this look. */
  shoot(page: Page, addresses: readonly Address[], look: Look): Promise<void>;
}

export function createCamera(browser: Browser, { looks: previews, isWanted }: ShotOptions): Camera {
  mkdirSync(FOLDER, { recursive: true });
  return {
    looks: previews,
    open: async ({ colorScheme, isPhone }, context) => {
      const opened = await browser.newContext({
        ...context,
        colorScheme,
        viewport: isPhone ? PHONE : DESKTOP,
        deviceScaleFactor: isPhone ? 2 : 1,
      });
      opened.setDefaultTimeout(PATIENCE_MS);
      return opened.newPage();
    },
    shoot: async (page, addresses, look) => {
      for (const address of addresses) {
        const isFitting = !look.isPhone || address.phone === true;
        if (isFitting && isWanted(address.name)) await tryToShoot(page, address, look);
      }
    },
  };
}

/** A page that does not appear makes the command fail, but does not prevent the other screenshots. */
async function tryToShoot(page: Page, address: Address, look: Look): Promise<void> {
  const name = `${address.name}-${look.colorScheme}${look.isPhone ? "-phone" : ""}`;
  try {
    await shoot(page, address, join(FOLDER, `${name}.png`));
  } catch (error) {
    console.log(`No picture of ${name}: ${messageOf(error)}`);
    await page.screenshot({ path: join(FOLDER, `${name}.missed.png`) });
    process.exitCode = 1;
  }
}

async function shoot(page: Page, address: Address, path: string): Promise<void> {
  if (address.isOpen !== true) await page.goto(address.path);
  await address.prepare?.(page);
  await page.getByText(address.shows).first().waitFor();
  await page.evaluate(() => document.fonts.ready);
  await untilQuiet(page);
  await withoutFold(page, () => page.screenshot({ path, animations: "disabled" }));
  await address.restore?.(page);
  console.log(path);
}

/** Waits until nothing is loading, and for a while no element has been added or removed. */
async function untilQuiet(page: Page): Promise<void> {
  await page.getByRole("status", { name: "Loading" }).first().waitFor({ state: "detached" });
  await page.evaluate(UNTIL_STILL);
  await page.getByRole("status", { name: "Loading" }).first().waitFor({ state: "detached" });
}

/** A string, because this program's compiler adds a helper to named functions, which the page does not have. */
const UNTIL_STILL = `new Promise((resolve) => {
  const isStill = () => { observer.disconnect(); resolve(); };
  let timer = setTimeout(isStill, 300);
  const observer = new MutationObserver(() => {
    clearTimeout(timer);
    timer = setTimeout(isStill, 300);
  });
  observer.observe(document.body, { childList: true, subtree: true });
})`;
const TALLEST = 4_000;

/** Pages scroll within a frame as high as the window, so the window temporarily gets as tall as the page, except below a dialog. */
async function withoutFold(page: Page, work: () => Promise<unknown>): Promise<void> {
  const before = page.viewportSize();
  const hidden = await page.evaluate(() => {
    const main = document.querySelector("main");
    const isCovered = document.querySelector('[role="dialog"]') !== null;
    return main === null || isCovered ? 0 : main.scrollHeight - main.clientHeight;
  });
  if (before === null || hidden <= 0) {
    await work();
    return;
  }
  await page.setViewportSize({ ...before, height: Math.min(TALLEST, before.height + hidden) });
  await work();
  await page.setViewportSize(before);
}
