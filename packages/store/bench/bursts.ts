import path from "node:path";
import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import { startLedgerWriter } from "../src/ledger/ledger-writer.ts";
import { openSpool } from "../src/spool/spool.ts";
import { memoryLog, newId, runEnd } from "../testing/records.ts";
import { systemClock } from "../testing/system-clock.ts";

export interface BurstRow {
  readonly perSecond: number;
  /** Records per second that were actually appended. */
  readonly reached: number;
  readonly by: string;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  /** CPU time of the whole process, without the writer thread. */
  readonly cpuMs: number;
  /** Time from the end of the burst until all records were in the database; undefined when nothing is written to one. */
  readonly drainedAfterMs: number | undefined;
}

interface BurstInput {
  readonly url: string;
  readonly dir: string;
  readonly nodes: number;
}

const SECONDS = 3;
const TICK_MS = 5;

/** Measures the main thread's lag while this many records per second are appended, with and without a database to drain into. */
export async function measureBursts(input: BurstInput): Promise<readonly BurstRow[]> {
  const rows: BurstRow[] = [];
  for (const perSecond of [0, 5_000, 20_000]) {
    rows.push(await burst(input, perSecond, false));
    rows.push(await burst(input, perSecond, true));
  }
  return rows;
}

async function burst(input: BurstInput, perSecond: number, drained: boolean): Promise<BurstRow> {
  const spool = openSpool({
    dir: path.join(input.dir, `burst-${perSecond}-${drained}`),
    maxBytes: 1e9,
    clock: systemClock,
  });
  const writer = drained
    ? startLedgerWriter({
        spool,
        databaseUrl: input.url,
        clock: systemClock,
        log: memoryLog(),
      })
    : undefined;
  await wait(1_000);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const before = performance.eventLoopUtilization();
  delay.enable();
  const total = perSecond * SECONDS;
  const began = performance.now();
  await appendPaced(total, perSecond, (index) =>
    spool.append(
      runEnd({ id: newId(), object: { kind: "Node", name: `w-${index % input.nodes}` } }),
    ),
  );
  const ended = performance.now();
  const tookMs = ended - began;
  const { active } = performance.eventLoopUtilization(before);
  delay.disable();
  while (writer !== undefined && writer.stats().written < total) await wait(20);
  const drainedAfterMs = writer === undefined ? undefined : performance.now() - ended;
  await writer?.stop();
  spool.close();
  return {
    perSecond,
    reached: total / (tookMs / 1_000),
    by: drained ? "spool and database" : "spool",
    p50: delay.percentile(50) / 1e6,
    p99: delay.percentile(99) / 1e6,
    max: delay.max / 1e6,
    cpuMs: active,
    drainedAfterMs,
  };
}

/** Appends a few records at a time, as reconciles do. An append that is late catches up in steps, not all at once. */
async function appendPaced(
  total: number,
  perSecond: number,
  append: (index: number) => void,
): Promise<void> {
  const most = Math.ceil((perSecond * TICK_MS * 2) / 1_000);
  const began = performance.now();
  let done = 0;
  while (performance.now() - began < SECONDS * 1_000 || done < total) {
    const due = ((performance.now() - began) / 1_000) * perSecond;
    const now = Math.min(total, due, done + most);
    while (done < now) append(done++);
    await wait(TICK_MS);
  }
}
