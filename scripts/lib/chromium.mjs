import { existsSync } from "node:fs";

/** Returns an installed Chromium, or undefined. CHROMIUM_PATH overrides it. The headless one is preferred, as it uses fewer resources. */
export function installedChromium() {
  return [
    process.env.CHROMIUM_PATH,
    "/usr/bin/chromium-headless-shell",
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
  ].find((path) => path !== undefined && path !== "" && existsSync(path));
}
