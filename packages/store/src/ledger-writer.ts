import type { Clock, Random } from "@cloudwright/core/model/time";
import { lazyConnection } from "./ledger/connection.ts";
import { kindOfFailure } from "./ledger/failure.ts";
import { interruptOrphans } from "./ledger/orphans.ts";
import { ledgerSink } from "./ledger/sink.ts";
import { createWaiting } from "./ledger/waiting.ts";
import { errorFields, type StoreLog } from "./log.ts";
import type { Spool, SpoolBatch } from "./spool.ts";

export interface LedgerWriterOptions {
  readonly spool: Spool;
  readonly databaseUrl: string;
  readonly clock: Clock;
  readonly log: StoreLog;
  /** Spreads reconnections; Math.random by default. */
  readonly random?: Random;
}

export interface LedgerWriterStats {
  readonly connected: boolean;
  readonly written: number;
  /** Records that were none of ours or that the database would not take; they are logged and left out. */
  readonly refused: number;
  /** Since when records wait for the database, milliseconds since the epoch; undefined when it has them all. */
  readonly behindSince: number | undefined;
}

export interface LedgerWriter {
  stats(): LedgerWriterStats;
  /** Writes what is left, for at most so long (3 s by default), and ends. What remains stays in the spool. */
  stop(mostMs?: number): Promise<void>;
}

const BATCH_RECORDS = 1_000;
/** Records come in bursts: a batch that waits for more of them costs the database, and us, a fraction of many small ones. */
const LINGER_MS = 200;
const SWEEP_MS = 300_000;

/**
 * Drains the spool into the database, in order, in transactions of at most 1,000 records. Never throws and never gives up:
 * while the database is away it tries again with a backoff of 0.1 to 5 s. The spool's position moves only after a commit,
 * and what is written twice is there once.
 */
export function startLedgerWriter(options: LedgerWriterOptions): LedgerWriter {
  const { spool, clock } = options;
  const connection = lazyConnection(options.databaseUrl);
  const sink = ledgerSink(connection, options.log);
  const waiting = createWaiting(clock);
  const failures = failureLog(options);
  const lag = lagMeter();
  let stopping = false;
  let sweptAt = Number.NEGATIVE_INFINITY;
  let pending: SpoolBatch | undefined;

  /** Answers how much there was to write; after a full batch there is likely more. */
  const writeNext = async (): Promise<"nothing" | "some" | "more"> => {
    pending ??= spool.read(BATCH_RECORDS);
    if (pending === undefined) return "nothing";
    const isFull = pending.values.length === BATCH_RECORDS;
    lag.began(clock.now());
    await sweep();
    await sink.write(pending.values);
    spool.commit(pending);
    pending = undefined;
    lag.done();
    failures.over();
    return isFull ? "more" : "some";
  };
  const sweep = async (): Promise<void> => {
    if (clock.now() - sweptAt < SWEEP_MS) return;
    await interruptOrphans(await connection.client());
    sweptAt = clock.now();
  };
  const attempt = async (): Promise<"nothing" | "some" | "more"> => {
    try {
      return await writeNext();
    } catch (error) {
      connection.drop();
      await waiting.forTime(failures.another(error));
      return stopping ? "nothing" : "more";
    }
  };
  /** True when all is written that there was at the stop: what was appended before it is looked for once after it. */
  const round = async (): Promise<boolean> => {
    const last = stopping;
    const wrote = await attempt();
    if (last) return wrote === "nothing";
    if (wrote === "nothing") await waiting.forData();
    if (wrote !== "more") await waiting.forTime(LINGER_MS);
    return false;
  };
  const run = async (): Promise<void> => {
    while (!(await round()));
  };

  spool.onAppend(() => {
    lag.appended(clock.now());
    waiting.announce();
  });
  const running = run();
  return {
    stats: () => ({
      connected: connection.isOpen(),
      written: sink.written(),
      refused: sink.refused(),
      behindSince: lag.behindSince(),
    }),
    async stop(mostMs = 3_000) {
      stopping = true;
      waiting.stop();
      await Promise.race([running, new Promise<void>((resolve) => clock.after(mostMs, resolve))]);
      connection.drop();
      spool.onAppend(undefined);
    },
  };
}

/** How old the oldest record is that the database has not got, to the precision of a batch. */
function lagMeter() {
  let oldestInBatch: number | undefined;
  let oldestAfterBatch: number | undefined;
  return {
    appended(nowMs: number) {
      oldestAfterBatch ??= nowMs;
    },
    began(nowMs: number) {
      if (oldestInBatch !== undefined) return;
      oldestInBatch = oldestAfterBatch ?? nowMs;
      oldestAfterBatch = undefined;
    },
    done() {
      oldestInBatch = undefined;
    },
    behindSince: () => oldestInBatch ?? oldestAfterBatch,
  };
}

/** Tells of a failure once, and again only when another cause shows; answers how long to wait. */
function failureLog({ log, random = Math.random }: LedgerWriterOptions) {
  let count = 0;
  let told: string | undefined;
  return {
    another(error: unknown): number {
      const fields = errorFields(error);
      if (told !== fields.error) log.warn(fields, MESSAGES[kindOfFailure(error)]);
      told = fields.error;
      count += 1;
      return Math.min(5_000, 100 * 2 ** Math.min(count, 6)) * (0.5 + random() / 2);
    },
    over() {
      if (count > 0) log.info({ attempts: count }, "The ledger's database can be written again");
      count = 0;
      told = undefined;
    },
  };
}

const MESSAGES = {
  away: "The ledger's database cannot be written: records wait in the spool and it is tried again",
  schema:
    "The ledger's database lacks this release's schema: run `cloudwright migrate`; records wait in the spool",
  record: "The ledger's database refused a record",
} as const;
