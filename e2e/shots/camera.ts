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
/** What is not there by then will not come, and many more pictures wait. */
const PATIENCE_MS = 15_000;

/** Takes the pictures that were asked for, into `shots/`. */
export interface Camera {
  readonly looks: readonly Look[];
  /** A page of this look, with what the context has besides. */
  open(look: Look, context: BrowserContextOptions): Promise<Page>;
  /** Of what is wanted of these addresses for this look. */
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

/** One page that does not come fails the command, and spares the other pictures. */
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

/** Nothing loads, and for a while nothing has been added or taken away. */
async function untilQuiet(page: Page): Promise<void> {
  await page.getByRole("status", { name: "Loading" }).first().waitFor({ state: "detached" });
  await page.evaluate(UNTIL_STILL);
  await page.getByRole("status", { name: "Loading" }).first().waitFor({ state: "detached" });
}

/** As text, because what compiles this program gives functions a name by a helper that the page does not have. */
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

/** Pages scroll within a frame of the window's height, so for a while the window is as tall as the page; not below a dialog. */
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
