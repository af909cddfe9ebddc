import { existsSync } from "node:fs";

/**
 * A Chromium that is installed, or undefined. CHROMIUM_PATH names another one. The one without windows comes first: a page costs it
 * about half the work.
 */
export function installedChromium() {
  return [
    process.env.CHROMIUM_PATH,
    "/usr/bin/chromium-headless-shell",
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
  ].find((path) => path !== undefined && path !== "" && existsSync(path));
}
