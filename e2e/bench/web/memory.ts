import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as passed } from "node:timers/promises";
import { type Browser, chromium, type Page } from "@playwright/test";
import config from "../../../playwright.config.ts";
import { type Dashboard, startDashboard } from "../../harness/dashboard.ts";
import { type Started, start } from "../../harness/processes.ts";
import { addRoutes } from "../../harness/route-rows.ts";
import { eventually } from "../../harness/wait.ts";
import { fillLists } from "../../shots/list-rows.ts";
import { CLUSTER, fillFleet, touchFleet } from "../fleet-rows.ts";
import { startLedgerDatabase } from "../ledger-database.ts";
import { markdown } from "../table.ts";

/** The limit of a page's browser memory after an hour live (UX.md section 13, "Speed"). */
const AIM_MIB = 200;
const PAGES = ["", "/nodes?sort=name", "/runs", "/topology"] as const;
/** The period in which one node in ten changes. */
const CHANGE_MS = 5_000;
const LISTED_MOST = 2_000;

export interface MemoryBenchOptions {
  readonly nodes: number;
  /** How long the pages stay open. */
  readonly minutes: number;
}

/** Measures the browser memory of pages of a constantly changing fleet, each in a separate browser. The dashboard must have been built. */
export async function benchMemory({ nodes, minutes }: MemoryBenchOptions): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), "cloudwright-bench-memory-"));
  const endings: (() => Promise<unknown>)[] = [];
  try {
    const database = await startLedgerDatabase();
    endings.push(() => database.stop());
    await fillFleet(database.url, nodes);
    await addRoutes(database.url, { cluster: CLUSTER, nodes });
    await fillLists(database.url, Math.min(nodes, LISTED_MOST));
    const dashboard = await startDashboard(database.url, dir);
    endings.push(() => dashboard.stop());
    const open: OpenPage[] = [];
    for (const path of PAGES) {
      const folder = join(dir, `chromium-${open.length}`);
      const one = await openPage(dashboard, { path, folder });
      endings.push(() => endOf(one));
      open.push(one);
    }
    const before = await Promise.all(open.map(sizeOf));
    for (let left = (minutes * 60_000) / CHANGE_MS; left > 0; left -= 1) {
      await touchFleet(database.url, 10);
      await passed(CHANGE_MS);
    }
    const after = await Promise.all(open.map(sizeOf));
    const rows = open.map(({ path }, index) => rowOf(path, before[index], after[index]));
    const about = `${nodes.toLocaleString("en-GB")} nodes, of which a tenth is seen anew every ${CHANGE_MS / 1_000} s`;
    return [about, markdown(headOf(minutes), rows)].join("\n\n");
  } finally {
    for (const end of endings.reverse()) await end();
    rmSync(dir, { recursive: true, force: true });
  }
}

/**
 * A page in a separate Chromium without a client connected while it is live: with one, the browser's process keeps everything
 * that it has received.
 */
interface OpenPage {
  readonly path: string;
  readonly chromium: Started;
  /** The endpoint to connect to again. */
  readonly endpoint: string;
}

async function openPage(
  dashboard: Dashboard,
  { path, folder }: { readonly path: string; readonly folder: string },
): Promise<OpenPage> {
  const { executablePath = chromium.executablePath(), args = [] } = config.use?.launchOptions ?? {};
  const started = start(executablePath, [
    ...args,
    ...["--headless", "--remote-debugging-port=0", `--user-data-dir=${folder}`],
    ...["--window-size=1440,900", "about:blank"],
  ]);
  const endpoint = await eventually(() => {
    const [, said] = /^DevTools listening on (ws:\S+)$/m.exec(started.output()) ?? [];
    if (said === undefined) throw new Error(`Chromium says only: ${started.output()}`);
    return said;
  });
  const open = { path, chromium: started, endpoint };
  const [name = "", value = ""] = (await dashboard.signIn("operator")).split("=", 2);
  await watched(open, async (page) => {
    await page.context().addCookies([{ name, value, url: dashboard.origin }]);
    await page.goto(`${dashboard.origin}/c/${CLUSTER}${path}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.getByRole("status", { name: "Loading" }).waitFor({ state: "detached" });
  });
  return open;
}

async function watched<Value>(
  { endpoint }: OpenPage,
  act: (page: Page, browser: Browser) => Promise<Value>,
): Promise<Value> {
  const browser = await chromium.connectOverCDP(endpoint);
  try {
    const page = browser.contexts()[0]?.pages()[0];
    if (page === undefined) throw new Error("Chromium has no page.");
    return await act(page, browser);
  } finally {
    // For a browser that was only connected to, this closes the connection.
    await browser.close();
  }
}

/** Through Chromium itself: a signal ends only its first process. */
async function endOf({ chromium: { ended }, endpoint }: OpenPage): Promise<unknown> {
  const browser = await chromium.connectOverCDP(endpoint);
  const session = await browser.newBrowserCDPSession();
  await session.send("Browser.close");
  return ended;
}

/** MiB. */
interface PageSize {
  /** What its scripts hold after a garbage collection. */
  readonly heap: number;
  /** The process's private memory, and its share of shared memory. */
  readonly process: number;
}

function sizeOf(open: OpenPage): Promise<PageSize> {
  return watched(open, async (page, browser) => {
    const session = await page.context().newCDPSession(page);
    await session.send("HeapProfiler.collectGarbage");
    const { usedSize } = await session.send("Runtime.getHeapUsage");
    const whole = await browser.newBrowserCDPSession();
    const { processInfo } = await whole.send("SystemInfo.getProcessInfo");
    const renderers = processInfo.filter(({ type }) => type === "renderer");
    return {
      heap: usedSize / 1_024 / 1_024,
      process: Math.max(...renderers.map(({ id }) => shareOf(id))),
    };
  });
}

/** Returns the memory of a process in MiB, with shared memory divided equally among the processes that share it. */
function shareOf(id: number): number {
  const text = readFileSync(`/proc/${id}/smaps_rollup`, "utf8");
  return Number(/^Pss:\s+(\d+) kB$/m.exec(text)?.[1]) / 1_024;
}

function headOf(minutes: number): readonly string[] {
  return ["page", "at first, MiB (heap)", `after ${minutes} min, MiB (heap)`, "aim"];
}

function rowOf(path: string, before: PageSize | undefined, after: PageSize | undefined): string[] {
  const mib = after?.process ?? Number.NaN;
  const verdict = mib <= AIM_MIB ? "met" : `**${mib.toFixed(0)} > ${AIM_MIB}**`;
  return [path === "" ? "overview" : path.slice(1), sizeText(before), sizeText(after), verdict];
}

function sizeText(size: PageSize | undefined): string {
  return size === undefined ? "–" : `${size.process.toFixed(0)} (${size.heap.toFixed(0)})`;
}
