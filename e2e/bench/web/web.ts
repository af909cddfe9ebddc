import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { type Dashboard, startDashboard } from "../../harness/dashboard.ts";
import { startLedgerDatabase } from "../ledger-database.ts";
import { markdown } from "../table.ts";
import { AIM_OF_CHANGE_MS, type Change, measureChange } from "./live.ts";
import { AIM_OF_PAINT_MS, measurePaints, type Paint } from "./paint.ts";
import { explainSlow, plansText } from "./plans.ts";
import { AIM_MS, type PageRequest, pageRequests } from "./requests.ts";
import { fillLedger, type LedgerSize, shownIds } from "./rows.ts";

export interface WebBenchOptions {
  readonly size: LedgerSize;
  /** The rounds of each request, after a first one that is shown separately. */
  readonly rounds: number;
  /** A folder that keeps the ledger, which is filled if it is new, and reused otherwise. */
  readonly keep?: string | undefined;
  /** Measures only requests whose title contains this text, ignoring case; all by default. */
  readonly only?: string | undefined;
}

/**
 * Measures the dashboard on a large ledger: the server's time for each page and each filter, how soon a page is painted, and how
 * soon a change reaches many clients. The dashboard must have been built.
 */
export async function benchWeb({ size, rounds, keep, only }: WebBenchOptions): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), "cloudwright-bench-web-"));
  const endings: (() => Promise<unknown>)[] = [];
  try {
    const database = await startLedgerDatabase(keep === undefined ? {} : { folder: keep });
    endings.push(() => database.stop());
    await fillOnce(database.url, size, keep);
    const dashboard = await startDashboard(database.url, dir);
    endings.push(() => dashboard.stop());
    const cookie = await dashboard.signIn("admin");
    const answers: Answered[] = [];
    const shown = await shownIds(database.url);
    for (const request of requestsWith(only, pageRequests(size.nodes, shown))) {
      const measured = await measure(dashboard, cookie, { request, rounds });
      console.error(cellsOf(measured).join(" | "));
      answers.push(measured);
    }
    const slow = answers.filter((answered) => !isMet(answered)).map(({ request }) => request);
    const plans = await explainSlow(database, dir, slow);
    const parts = [
      about(size, rounds),
      answersTable(answers),
      ...(plans.length === 0 ? [] : [plansText(plans)]),
    ];
    if (only === undefined) {
      const paints = await measurePaints(dashboard, { cookie, rounds: 5, run: shown.run });
      const change = await measureChange(dashboard, database.url, (number) =>
        dashboard.signIn("viewer", `viewer-${number}@example.test`),
      );
      parts.push(paintsTable(paints), sentence(change));
    }
    return parts.join("\n\n");
  } finally {
    for (const end of endings.reverse()) await end();
    rmSync(dir, { recursive: true, force: true });
  }
}

function requestsWith(
  text: string | undefined,
  requests: readonly PageRequest[],
): readonly PageRequest[] {
  if (text === undefined) return requests;
  const found = requests.filter(({ title }) => title.toLowerCase().includes(text.toLowerCase()));
  if (found.length > 0) return found;
  throw new Error(`--only: no request has "${text}" in its title.`);
}

/** Fills the ledger unless the folder says that it is filled. Throws if it was filled to another size or only in part. */
async function fillOnce(url: string, size: LedgerSize, keep: string | undefined): Promise<void> {
  if (keep === undefined) return fillLedger(url, size, console.error);
  const note = join(keep, "filled.json");
  const filling = JSON.stringify(size);
  if (!existsSync(note)) {
    writeFileSync(note, "");
    await fillLedger(url, size, console.error);
    return writeFileSync(note, filling);
  }
  const filled = readFileSync(note, "utf8");
  if (filled === filling) return;
  const found = filled === "" ? "a ledger that was filled in part" : `a ledger of ${filled}`;
  throw new Error(`${keep} holds ${found}, not one of ${filling}: name another folder.`);
}

interface Answered {
  readonly request: PageRequest;
  /** Milliseconds: the first request, with nothing cached, listed beside the others. */
  readonly first: number;
  readonly p50: number;
  readonly p95: number;
  readonly longest: number;
  /** Why it failed; a failed request misses its aim, and the others are still measured. */
  readonly failure?: string;
}

async function measure(
  dashboard: Dashboard,
  cookie: string,
  { request, rounds }: { readonly request: PageRequest; readonly rounds: number },
): Promise<Answered> {
  const ask = (round: number) => dashboard.query(cookie, request.procedure, request.input(round));
  const times: number[] = [];
  try {
    for (let round = 0; round <= rounds; round += 1) {
      const began = performance.now();
      await ask(round);
      times.push(performance.now() - began);
    }
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error);
    return { request, ...UNKNOWN, failure };
  }
  const first = times.shift() ?? Number.NaN;
  times.sort((left, right) => left - right);
  return {
    ...{ request, first },
    p50: quantile(times, 0.5),
    p95: quantile(times, 0.95),
    longest: times.at(-1) ?? 0,
  };
}

const UNKNOWN = { first: Number.NaN, p50: Number.NaN, p95: Number.NaN, longest: Number.NaN };

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function about(size: LedgerSize, rounds: number): string {
  const number = (value: number) => value.toLocaleString("en-GB");
  const [load = 0] = loadavg();
  return (
    `${number(size.clusters)} clusters, ${number(size.nodes)} nodes, ${number(size.services)} load balancers, ` +
    `${number(size.nodes)} routes, ${number(size.runs)} runs, ${number(size.auditEntries)} audit entries; ` +
    `${rounds} requests of each kind after a first, one after another; load at the end ${load.toFixed(2)}.`
  );
}

function answersTable(answers: readonly Answered[]): string {
  return markdown(
    ["what is asked for", "kind", "first, ms", "p50, ms", "p95, ms", "longest, ms", "aim"],
    answers.map(cellsOf),
  );
}

function isMet({ request, p95 }: Pick<Answered, "request" | "p95">): boolean {
  return p95 <= AIM_MS[request.kind];
}

function cellsOf({ request, first, p50, p95, longest, failure }: Answered): readonly string[] {
  const aim = AIM_MS[request.kind];
  if (failure !== undefined)
    return [request.title, request.kind, "–", "–", "–", "–", `**${failure}**`];
  return [
    request.title,
    request.kind,
    first.toFixed(1),
    p50.toFixed(1),
    p95.toFixed(1),
    longest.toFixed(1),
    isMet({ request, p95 }) ? "met" : `**${p95.toFixed(0)} > ${aim}**`,
  ];
}

function paintsTable(paints: readonly Paint[]): string {
  return markdown(
    ["page", "largest part painted, ms", "aim"],
    paints.map(({ page, largestMs }) => [
      page,
      largestMs.toFixed(0),
      largestMs <= AIM_OF_PAINT_MS ? "met" : `**${largestMs.toFixed(0)} > ${AIM_OF_PAINT_MS}**`,
    ]),
  );
}

function sentence({ clients, firstMs, lastMs }: Change): string {
  const met = lastMs <= AIM_OF_CHANGE_MS ? "met" : "**missed**";
  return `A change reached the first of ${clients} clients after ${firstMs.toFixed(0)} ms and the last after ${lastMs.toFixed(0)} ms; within ${AIM_OF_CHANGE_MS} ms is ${met}.`;
}
