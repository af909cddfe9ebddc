import type { Browser, Page } from "@playwright/test";
import { watchInteractions } from "./interactions.ts";

const VIEWPORT = { width: 1440, height: 900 };

/** Opens a page of a signed-in user, on which each interaction is timed. */
export async function signedInPage(
  browser: Browser,
  { origin, cookie }: { readonly origin: string; readonly cookie: string },
): Promise<Page> {
  const context = await browser.newContext({ baseURL: origin, viewport: VIEWPORT });
  await watchInteractions(context);
  const [name = "", value = ""] = cookie.split("=", 2);
  await context.addCookies([{ name, value, url: origin }]);
  return context.newPage();
}
