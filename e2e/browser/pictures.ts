import type { Page, TestInfo } from "@playwright/test";

const WIDE = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

/** How the page looks at this moment, in the folder of the test's results: in light and in the dark, and on a phone. */
export async function picture(page: Page, info: TestInfo, name: string): Promise<void> {
  const path = (suffix: string) => info.outputPath(`${name}-${suffix}.png`);
  await page.screenshot({ path: path("light") });
  await page.emulateMedia({ colorScheme: "dark" });
  await page.screenshot({ path: path("dark") });
  await page.setViewportSize(PHONE);
  await page.screenshot({ path: path("phone") });
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize(WIDE);
}
