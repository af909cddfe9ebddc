import { existsSync } from "node:fs";

/**
 * A Chromium that is installed, or undefined. CHROMIUM_PATH names another one. The one without windows comes first, as pages take
 * less of the machine in it.
 */
export function installedChromium() {
  return [
    process.env.CHROMIUM_PATH,
    "/usr/bin/chromium-headless-shell",
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
  ].find((path) => path !== undefined && path !== "" && existsSync(path));
}
