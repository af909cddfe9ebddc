import { type Browser, chromium } from "@playwright/test";
import config from "../../../playwright.config.ts";
import type { Dashboard } from "../../harness/dashboard.ts";
import { CLUSTER, nodeName } from "../fleet-rows.ts";

/** Milliseconds from the request until the largest part of a page is painted. */
export const AIM_OF_PAINT_MS = 1_500;

export interface Paint {
  readonly page: string;
  /** The median of the rounds. */
  readonly largestMs: number;
}

const PAGES: Readonly<Record<string, string>> = {
  Clusters: "/",
  "Clusters, compared": "/compare",
  Overview: `/c/${CLUSTER}`,
  Nodes: `/c/${CLUSTER}/nodes`,
  Node: `/c/${CLUSTER}/nodes/${nodeName(7)}`,
  "Load balancers": `/c/${CLUSTER}/load-balancers`,
  "Load balancer": `/c/${CLUSTER}/load-balancers/search/frontend-0050`,
  Routes: `/c/${CLUSTER}/routes`,
  Topology: `/c/${CLUSTER}/topology`,
  "Topology, Services": `/c/${CLUSTER}/topology?show=services`,
  Volumes: `/c/${CLUSTER}/volumes`,
  Runs: `/c/${CLUSTER}/runs`,
  Changes: `/c/${CLUSTER}/changes`,
  Actions: `/c/${CLUSTER}/actions`,
  Audit: `/c/${CLUSTER}/audit`,
  Controllers: `/c/${CLUSTER}/controllers`,
  Budget: `/c/${CLUSTER}/budget`,
};

export interface PaintOptions {
  readonly cookie: string;
  readonly rounds: number;
  /** The run whose page is opened. */
  readonly run: string;
}

const VIEWPORT = { width: 1440, height: 900 };

/** Measures how soon each page's largest part is painted in Chromium, with its scripts cached, as on any day but the first. */
export async function measurePaints(
  dashboard: Dashboard,
  { cookie, rounds, run }: PaintOptions,
): Promise<readonly Paint[]> {
  const browser = await chromium.launch(config.use?.launchOptions ?? {});
  try {
    const paints: Paint[] = [];
    const pages = { ...PAGES, Run: `/c/${CLUSTER}/runs/${run}` };
    for (const [page, path] of Object.entries(pages)) {
      const times: number[] = [];
      const context = await signedIn(browser, dashboard.origin, cookie);
      for (let round = 0; round <= rounds; round += 1) {
        const opened = await context.newPage();
        await opened.goto(path);
        const largest = await opened.evaluate(largestPaint);
        await opened.close();
        if (round > 0) times.push(largest);
      }
      await context.close();
      paints.push({ page, largestMs: median(times) });
    }
    return paints;
  } finally {
    await browser.close();
  }
}

/** Runs in the page. The last paint counts: it ends once nothing larger has been painted for two seconds. */
function largestPaint(): Promise<number> {
  return new Promise((resolve) => {
    let last = 0;
    let quiet = setTimeout(() => resolve(last), 2_000);
    new PerformanceObserver((list) => {
      last = list.getEntries().at(-1)?.startTime ?? last;
      clearTimeout(quiet);
      quiet = setTimeout(() => resolve(last), 2_000);
    }).observe({ type: "largest-contentful-paint", buffered: true });
  });
}

async function signedIn(browser: Browser, origin: string, cookie: string) {
  const context = await browser.newContext({ baseURL: origin, viewport: VIEWPORT });
  const [name = "", value = ""] = cookie.split("=", 2);
  await context.addCookies([{ name, value, url: origin }]);
  return context;
}

function median(times: readonly number[]): number {
  return times.toSorted((left, right) => left - right)[Math.floor(times.length / 2)] ?? 0;
}
