import { readFileSync } from "node:fs";
import { type Dashboard, startDashboard } from "../../harness/dashboard.ts";
import { rowsOf } from "../../harness/database.ts";
import type { LedgerDatabase } from "../ledger-database.ts";
import type { PageRequest } from "./requests.ts";

/** The most lines of a plan that are shown, which suffice to see where the time goes. */
const LINES_MOST = 30;

export interface SlowRequest {
  readonly request: PageRequest;
  /** The request's slowest statement with its execution plan; undefined if none was slow. */
  readonly plan: string | undefined;
}

/**
 * Repeats each slow request on a separate dashboard whose connections explain each statement: this takes time, so the measurement
 * itself runs without it.
 */
export async function explainSlow(
  database: LedgerDatabase,
  dir: string,
  requests: readonly PageRequest[],
): Promise<readonly SlowRequest[]> {
  if (requests.length === 0) return [];
  const [current] = await rowsOf<{ name: string }>(database.url, CURRENT);
  const set = (change: string) => rowsOf(database.url, `ALTER DATABASE ${current?.name} ${change}`);
  for (const [name, value] of Object.entries(EXPLAINED)) await set(`SET ${name} = '${value}'`);
  const dashboard = await startDashboard(database.url, dir);
  try {
    const cookie = await dashboard.signIn("admin");
    const explained: SlowRequest[] = [];
    for (const request of requests) {
      explained.push({ request, plan: await slowest(database, { dashboard, cookie, request }) });
    }
    return explained;
  } finally {
    await dashboard.stop();
    for (const name of Object.keys(EXPLAINED)) await set(`RESET ${name}`);
  }
}

const CURRENT = "SELECT format('%I', current_database()) AS name";

const EXPLAINED = {
  session_preload_libraries: "auto_explain",
  "auto_explain.log_min_duration": "10ms",
  "auto_explain.log_analyze": "on",
  "auto_explain.log_buffers": "on",
} as const;

async function slowest(
  { logFile }: LedgerDatabase,
  asked: {
    readonly dashboard: Dashboard;
    readonly cookie: string;
    readonly request: PageRequest;
  },
): Promise<string | undefined> {
  const { dashboard, cookie, request } = asked;
  const before = readFileSync(logFile, "utf8").length;
  // The plan of a request that times out is in the log as well.
  await dashboard.query(cookie, request.procedure, request.input(1)).catch(() => undefined);
  return slowestPlan(readFileSync(logFile, "utf8").slice(before));
}

/** Returns the longest statement in PostgreSQL's log, and its plan. */
export function slowestPlan(log: string): string | undefined {
  const entries = [...log.matchAll(/duration: ([\d.]+) ms {2}plan:\n((?:\t.*\n?)*)/g)];
  const [worst] = entries.toSorted(([, left], [, right]) => Number(right) - Number(left));
  if (worst === undefined) return undefined;
  const [, ms, text = ""] = worst;
  const lines = text.trimEnd().split("\n");
  const more = lines.length - LINES_MOST;
  const shown = lines.slice(0, LINES_MOST).map((line) => line.slice(1));
  return [`${ms} ms`, ...shown, ...(more > 0 ? [`… and ${more} more lines`] : [])].join("\n");
}

export function plansText(slow: readonly SlowRequest[]): string {
  return slow
    .map(({ request: { title }, plan }) =>
      plan === undefined
        ? `${title}: no statement of it took 10 ms.`
        : `${title}, its slowest statement:\n\n\`\`\`\n${plan}\n\`\`\``,
    )
    .join("\n\n");
}
