import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import type { RefusalLog } from "../audit/refusal-log.ts";
import { PrismaClient } from "../generated/client.ts";
import { KEEP_ALIVE } from "./keep-alive.ts";

/** A process's access to the database. Nothing connects before the first query. */
export interface Database {
  readonly pool: pg.Pool;
  readonly prisma: PrismaClient;
  /** Where refused requests are recorded; without it each one gets its own audit entry. */
  readonly refusals?: RefusalLog;
  close(): Promise<void>;
}

export interface ConnectOptions {
  /** Most simultaneous connections; 10 by default. */
  readonly max?: number;
  /** How long connecting and a query may take, milliseconds; 10,000 and 30,000 by default. */
  readonly patienceMs?: number;
  /** How long an idle connection stays open, milliseconds; 10,000 by default. */
  readonly idleMs?: number;
  /** Called when an idle connection breaks; the pool replaces it by itself. */
  readonly onIdleError?: (error: Error) => void;
}

/**
 * Creates the client for a database URL lazily: importing or calling this connects to nothing (Next imports modules at build). A query
 * fails after 10 s without a connection, or when it takes longer than 30 s, unless `patienceMs` says otherwise.
 */
export function connect(databaseUrl: string, options: ConnectOptions = {}): Database {
  let pool: pg.Pool | undefined;
  let prisma: PrismaClient | undefined;
  const openPool = () => {
    pool ??= createPool(databaseUrl, options);
    return pool;
  };
  return {
    get pool() {
      return openPool();
    },
    get prisma() {
      prisma ??= new PrismaClient({ adapter: new PrismaPg(openPool()) });
      return prisma;
    },
    async close() {
      await prisma?.$disconnect();
      await pool?.end();
      prisma = undefined;
      pool = undefined;
    },
  };
}

function createPool(connectionString: string, options: ConnectOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    max: options.max ?? 10,
    connectionTimeoutMillis: options.patienceMs ?? 10_000,
    query_timeout: options.patienceMs ?? 30_000,
    idleTimeoutMillis: options.idleMs ?? 10_000,
    ...KEEP_ALIVE,
  });
  // Without a listener the end of an idle connection would end the process.
  pool.on("error", (error) => options.onIdleError?.(error));
  return pool;
}
