import type { Clock, Random } from "@cloudwright/core/model/time";
import { errorFields, type StoreLog } from "../database/log.ts";
import type { Spool, SpoolBatch } from "../spool/spool.ts";
import type { FailureKind } from "./connection.ts";
import { DrainError, type DrainThread, drainThread } from "./drain-thread.ts";
import { lagMeter } from "./lag-meter.ts";
import { createWaiting } from "./waiting.ts";
import { yieldToBursts } from "./yielding.ts";

export interface LedgerWriterOptions {
  readonly spool: Spool;
  readonly databaseUrl: string;
  readonly clock: Clock;
  readonly log: StoreLog;
  /** Spreads reconnections; Math.random by default. */
  readonly random?: Random;
}

export interface LedgerWriterStats {
  /** `none` before the first write. */
  readonly database: "none" | "written" | FailureKind;
  readonly written: number;
  /** Records that were invalid or rejected by the database; they are logged and left out. */
  readonly refused: number;
  /** Since when records have been waiting for the database, milliseconds since the epoch; undefined when it has them all. */
  readonly behindSince: number | undefined;
}

export interface LedgerWriter {
  stats(): LedgerWriterStats;
  /** Writes the remaining records within the limits, and ends. Unwritten ones stay in the spool. */
  stop(limits?: StopLimits): Promise<void>;
}

export interface StopLimits {
  /** 3 s by default. */
  readonly mostMs?: number;
  /** A database that does not answer for this long is abandoned; `mostMs` by default. */
  readonly silentMs?: number;
}

/** Some hundred runs: large enough for a bulk insert, small enough for a small heap. */
const BATCH_BYTES = 512 * 1024;
/** Records come in bursts: waiting for more of them costs the database, and us, a fraction of many small batches. */
const LINGER_MS = 200;
const SWEEP_MS = 300_000;

/**
 * Drains the spool into the database, in order, in transactions of about half a megabyte of records. This thread only passes bytes on:
 * everything else is done in another thread, so that a burst of records does not hold up reconciling. Never throws and never gives up:
 * while the database is away it retries with a backoff of 0.1 to 5 s. The spool's position moves only after a commit, and a record written
 * twice is stored once. While many records come and CPU time is scarce, draining waits for up to 15 s, because it, and a database on the
 * same machine, would slow down reconciling.
 */
export function startLedgerWriter(options: LedgerWriterOptions): LedgerWriter {
  const { spool, clock, log } = options;
  const waiting = createWaiting(clock);
  const yielding = yieldToBursts({ spool, clock, waiting });
  const failures = failureLog(options);
  const lag = lagMeter();
  const thread = watchedThread(options.databaseUrl, clock);
  const done: Done = { database: "none", written: 0, refused: 0 };
  let stopping = false;
  let pending: SpoolBatch | undefined;

  /** Returns how much there was to write; `more`: the batch did not contain everything that was there when it started. */
  const writeNext = async (): Promise<"nothing" | "some" | "more"> => {
    pending ??= spool.read(BATCH_BYTES);
    if (pending === undefined) {
      lag.caughtUp();
      return "nothing";
    }
    const { lines } = pending;
    const isMore = spool.stats().bytes > lines.length;
    lag.began(clock.now());
    const { records, refused, contents } = await thread.write(lines, spool.openRuns());
    spool.commit(pending, contents);
    pending = undefined;
    lag.done(isMore);
    done.database = "written";
    done.written += records;
    done.refused += refused.length;
    for (const reason of refused) log.error({ reason }, "Left a record out of the ledger");
    failures.recovered();
    return isMore ? "more" : "some";
  };
  const attempt = async (): Promise<"nothing" | "some" | "more"> => {
    try {
      return await writeNext();
    } catch (error) {
      done.database = failureOf(error).kind;
      await waiting.forTime(failures.failed(error));
      return stopping ? "nothing" : "more";
    }
  };
  /** Returns true when everything appended before the stop is written: one more batch after the stop must be empty. */
  const round = async (): Promise<boolean> => {
    await yielding.turn(() => stopping);
    const last = stopping;
    const wrote = await attempt();
    if (last) return wrote === "nothing";
    if (wrote !== "more") yielding.caughtUp();
    if (wrote === "nothing") await waiting.forData();
    if (wrote !== "more") await waiting.forTime(LINGER_MS);
    return false;
  };
  const run = async (): Promise<void> => {
    while (!(await round()));
  };

  // A predecessor may have left records.
  if (spool.stats().bytes > 0) lag.appended(clock.now());
  spool.onAppend(() => {
    lag.appended(clock.now());
    yielding.appended();
    waiting.announce();
  });
  const running = run();
  return {
    stats: () => ({ ...done, behindSince: lag.behindSince() }),
    async stop({ mostMs = 3_000, silentMs = mostMs } = {}) {
      stopping = true;
      waiting.stop();
      const late = new Promise<void>((resolve) => clock.after(mostMs, resolve));
      await Promise.race([running, thread.silentFor(silentMs), late]);
      await thread.end();
      spool.onAppend(undefined);
    },
  };
}

interface Done {
  database: LedgerWriterStats["database"];
  written: number;
  refused: number;
}

/** Returns the writer thread, and how long the database has not answered. */
function watchedThread(databaseUrl: string, clock: Clock) {
  let silentMs = 0;
  let onWaits = () => {};
  const thread = drainThread(databaseUrl, {
    onHeard: () => {
      silentMs = 0;
    },
    // Counted in signs, not by a clock: a stopped process, or a thread without CPU time, hears nothing either, and that is not the
    // database's silence.
    onWaits: (ms) => {
      silentMs += ms;
      onWaits();
    },
  });
  const sweep = orphanSweep(thread, clock);
  return {
    async write(...batch: Parameters<DrainThread["write"]>): ReturnType<DrainThread["write"]> {
      silentMs = 0;
      try {
        await sweep();
        return await thread.write(...batch);
      } finally {
        silentMs = 0;
      }
    },
    /** Resolves when the database has been silent for this long. */
    silentFor: (ms: number) =>
      new Promise<void>((resolve) => {
        onWaits = () => {
          if (silentMs >= ms) resolve();
        };
        onWaits();
      }),
    end: () => thread.end(),
  };
}

/** Marks the runs of vanished instances as interrupted from time to time. */
function orphanSweep(thread: DrainThread, clock: Clock): () => Promise<void> {
  let sweptAt = Number.NEGATIVE_INFINITY;
  return async () => {
    if (clock.now() - sweptAt < SWEEP_MS) return;
    await thread.interruptOrphans();
    sweptAt = clock.now();
  };
}

/** Logs a failure once, and again only when its cause changes; returns how long to wait before the next attempt. */
function failureLog({ log, random = Math.random }: LedgerWriterOptions) {
  let count = 0;
  let reported: string | undefined;
  return {
    failed(error: unknown): number {
      const { kind, ...fields } = failureOf(error);
      if (reported !== fields.error) log.warn(fields, MESSAGES[kind]);
      reported = fields.error;
      count += 1;
      return Math.min(5_000, 100 * 2 ** Math.min(count, 6)) * (0.5 + random() / 2);
    },
    recovered() {
      if (count > 0) log.info({ attempts: count }, "The ledger's database is writable again");
      count = 0;
      reported = undefined;
    },
  };
}

function failureOf(error: unknown): {
  readonly kind: FailureKind;
  readonly error: string;
  readonly code?: string;
} {
  return error instanceof DrainError ? error.failure : { kind: "away", ...errorFields(error) };
}

const MESSAGES = {
  away: "The ledger's database cannot be written: records wait in the spool, and writing is retried",
  schema:
    "The ledger's database lacks this release's schema: run `cloudwright migrate`; records wait in the spool",
  login:
    "The ledger's database refuses this login: see `cloudwright database logins`; records wait in the spool, and writing is retried",
  record: "The ledger's database refused a record",
} as const;
