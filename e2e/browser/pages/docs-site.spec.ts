import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { expect, type Page, test } from "@playwright/test";
import { freePort } from "../../harness/free-port.ts";

test.setTimeout(240_000);
test.describe.configure({ mode: "serial" });

let server: ChildProcess;
let site: string;

test.beforeAll(async () => {
  const port = await freePort();
  site = `http://localhost:${port}`;
  const args = ["scripts/docs.mjs", "--serve", "--port", String(port)];
  server = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
  await expect(async () => expect((await fetch(site)).ok).toBe(true)).toPass({ timeout: 180_000 });
});

test.afterAll(async () => {
  const ended = once(server, "exit");
  server.kill("SIGTERM");
  await ended;
});

test("every page of the sidebar exists, and requests nothing from another host", async ({
  page,
}) => {
  const asked = new Set<string>();
  const failed: string[] = [];
  page.on("request", (request) => asked.add(new URL(request.url()).host));
  page.on("response", (answer) => {
    if (!answer.ok() && answer.status() !== 304) failed.push(`${answer.status()} ${answer.url()}`);
  });
  await page.goto(site);
  const links = page.locator(".VPSidebar a");
  const addresses = await links.evaluateAll((all) =>
    all.map((one) => (one as HTMLAnchorElement).href),
  );
  expect(addresses.length).toBeGreaterThan(30);
  for (const address of addresses) {
    await page.goto(address);
    await expect(page.locator(".vp-doc h1").first()).toBeVisible();
  }
  expect([...asked]).toEqual([new URL(site).host]);
  expect(failed).toEqual([]);
});

test("the search finds a reason by its code, without another host", async ({ page }) => {
  await page.goto(site);
  await expect(async () => {
    await page.keyboard.press("Control+k");
    await expect(page.locator(".VPLocalSearchBox")).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await page.locator(".search-input").fill("ProviderThrottled");
  await page.locator(".VPLocalSearchBox .result").first().click();
  await expect(page).toHaveURL(/reasons/);
});

for (const look of ["light", "dark"] as const) {
  test(`no page is wider than a phone, ${look}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: look });
    await page.setViewportSize({ width: 390, height: 844 });
    for (const path of ["/", "/docs/install.html", "/docs/reasons.html", "/docs/names.html"]) {
      await page.goto(site + path);
      await expect(page.locator(".vp-doc h1").first()).toBeVisible();
      expect(await overflowOf(page), path).toBe(0);
    }
    const isDark = await page.locator("html.dark").count();
    expect(isDark).toBe(look === "dark" ? 1 : 0);
  });
}

function overflowOf(page: Page): Promise<number> {
  return page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - innerWidth));
}
