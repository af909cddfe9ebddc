import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "@playwright/test";
import config from "../../../playwright.config.ts";
import { startDashboard } from "../../harness/dashboard.ts";
import { addRoutes } from "../../harness/route-rows.ts";
import { fillLists } from "../../shots/list-rows.ts";
import { CLUSTER, fillFleet } from "../fleet-rows.ts";
import { startLedgerDatabase } from "../ledger-database.ts";
import { markdown } from "../table.ts";
import { interact } from "./interaction-steps.ts";
import { INTERACTION_HEAD, interactionRows } from "./interactions.ts";
import { LIST_STEPS } from "./list-steps.ts";
import { PAGE_STEPS, type PageStep } from "./page-steps.ts";
import { type PageTask, tasksOf } from "./page-tasks.ts";
import { ROUTE_STEPS } from "./route-steps.ts";
import { signedInPage } from "./signed-in-page.ts";

const LONG_MS = 50;
const CATEGORIES = [
  "-*",
  "devtools.timeline",
  "disabled-by-default-devtools.timeline",
  "v8",
  "v8.execute",
  "blink.user_timing",
];

/** The size of each list besides the fleet; as many audit entries as one statement can add within its limit. */
const LISTED_MOST = 2_000;

/**
 * Measures the pages in Chromium with this many nodes: how long the tasks of its main thread are while a user scrolls, filters
 * and selects, and how soon actions are painted. A task is long if it computes for more than 50 ms; waiting for a core is counted
 * separately. The dashboard must have been built.
 */
export async function benchPages(nodes: number): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), "cloudwright-bench-pages-"));
  const endings: (() => Promise<unknown>)[] = [];
  try {
    const database = await startLedgerDatabase();
    endings.push(() => database.stop());
    await fillFleet(database.url, nodes);
    await addRoutes(database.url, { cluster: CLUSTER, nodes });
    await fillLists(database.url, Math.min(nodes, LISTED_MOST));
    const dashboard = await startDashboard(database.url, dir);
    endings.push(() => dashboard.stop());
    const cookie = await dashboard.signIn("operator");
    const browser = await chromium.launch(config.use?.launchOptions ?? {});
    endings.push(() => browser.close());
    const page = await signedInPage(browser, { origin: dashboard.origin, cookie });
    const fixture = { page, databaseUrl: database.url, nodes };
    const rows: string[][] = [];
    for (const step of [...PAGE_STEPS, ...ROUTE_STEPS, ...LIST_STEPS]) {
      const tasks = await traced({ browser, page, mark: step.title }, () => step.run(fixture));
      const cells = row(step, tasks);
      console.error(cells.join(" | "));
      rows.push(cells);
    }
    const interactions = interactionRows(
      await interact(page, ({ page, what, durationsMs }) =>
        console.error([page, what, ...durationsMs].join(" | ")),
      ),
    );
    return [
      about(nodes, browser),
      markdown(HEAD, rows),
      markdown(INTERACTION_HEAD, interactions),
    ].join("\n\n");
  } finally {
    for (const end of endings.reverse()) await end();
    rmSync(dir, { recursive: true, force: true });
  }
}

async function traced(
  { browser, page, mark }: { browser: Browser; page: Page; mark: string },
  act: () => Promise<unknown>,
): Promise<readonly PageTask[]> {
  await browser.startTracing(page, { categories: CATEGORIES });
  await act();
  await page.evaluate((name) => performance.mark(name), mark);
  const trace = await browser.stopTracing();
  return tasksOf(trace.toString("utf8"), mark);
}

const HEAD = [
  "what the user does",
  "tasks with script",
  "thread time p95 / longest, ms",
  "over 50 ms",
  "of them wall time only",
  "main thread, s (script)",
  "what the longest was",
];

function row({ title }: PageStep, tasks: readonly PageTask[]): string[] {
  const byThread = tasks.toSorted((left, right) => right.threadMs - left.threadMs);
  const longest = byThread[0];
  const scripted = byThread.filter(({ scriptMs }) => scriptMs > 0);
  const p95 = scripted[Math.floor(scripted.length / 20)]?.threadMs ?? 0;
  const isLong = ({ threadMs }: PageTask) => threadMs > LONG_MS;
  const onlyWaiting = tasks.filter((task) => !isLong(task) && task.wallMs > LONG_MS).length;
  const sum = (of: (task: PageTask) => number) =>
    (tasks.reduce((total, task) => total + of(task), 0) / 1_000).toFixed(1);
  return [
    title,
    scripted.length.toLocaleString("en-GB"),
    `${p95.toFixed(1)} / ${(longest?.threadMs ?? 0).toFixed(1)}`,
    String(tasks.filter(isLong).length),
    String(onlyWaiting),
    `${sum(({ threadMs }) => threadMs)} (${sum(({ scriptMs }) => scriptMs)})`,
    (longest?.parts ?? []).map(({ name, threadMs }) => `${name} ${threadMs.toFixed(0)}`).join(", "),
  ];
}

function about(nodes: number, browser: Browser): string {
  const load = (loadavg()[0] ?? 0).toFixed(1);
  return `${nodes.toLocaleString("en-GB")} nodes, Chromium ${browser.version()}, load of the machine at the end ${load}`;
}
