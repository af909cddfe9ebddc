import { messageOf } from "@cloudwright/core/model/values/message-of";
import { connect } from "@cloudwright/store/database/database";
import { environment } from "./environment.ts";
import { log } from "./log.ts";
import { processWide } from "./process-wide.ts";

/** Even a busy database answers within this time; one that does not is considered lost, whether it refuses, hangs or is frozen. */
const PATIENCE_MS = 3_000;

/** The database did not answer a trivial query. */
export class DatabaseSilentError extends Error {
  readonly code = "DATABASE_SILENT";

  constructor() {
    super("The database gave no answer.");
    this.name = "DatabaseSilentError";
  }
}

export type DatabaseCheck = () => Promise<boolean>;

/**
 * Reports whether the database answers. It uses a connection of its own, because those of the pages may all hang in the very queries that
 * are in doubt; concurrent callers share one answer.
 */
export function databaseAnswers(): Promise<boolean> {
  return processWide("database-check", () => {
    const db = connect(environment().databaseUrl, { max: 1, patienceMs: PATIENCE_MS });
    return sharedCheck(() => db.pool.query("SELECT 1"), logChange());
  })();
}

/** Runs at most one check at a time; a failed query counts as an answer. */
export function sharedCheck(
  ask: () => Promise<unknown>,
  onAnswer: (answers: boolean, error?: unknown) => void,
): DatabaseCheck {
  let pending: Promise<boolean> | undefined;
  const once = async () => {
    try {
      await ask();
      onAnswer(true);
      return true;
    } catch (error) {
      onAnswer(false, error);
      return false;
    } finally {
      pending = undefined;
    }
  };
  return () => {
    pending ??= once();
    return pending;
  };
}

/** Logs each change once, not each of the many queries that pages make while the database is away. */
function logChange(): (answers: boolean, error?: unknown) => void {
  let last = true;
  return (answers, error) => {
    if (answers === last) return;
    last = answers;
    if (answers) log.info("The database responds again");
    else
      log.warn("The database does not answer", {
        error: messageOf(error),
      });
  };
}

/**
 * Returns the result of the work. If it takes long, the database is checked: while it still answers, the work continues, however slow it
 * is. Throws DatabaseSilentError when it does not.
 */
export async function unlessDatabaseSilent<Result>(
  work: Promise<Result>,
  { answers = databaseAnswers, patienceMs = PATIENCE_MS } = {},
): Promise<Result> {
  const over = new AbortController();
  const silent = watchDatabase({ answers, patienceMs, signal: over.signal });
  // Nobody listens any more to whichever settles later.
  silent.catch(() => undefined);
  work.catch(() => undefined);
  try {
    return await Promise.race([work, silent]);
  } finally {
    over.abort();
  }
}

interface Watch {
  readonly answers: DatabaseCheck;
  readonly patienceMs: number;
  readonly signal: AbortSignal;
}

async function watchDatabase({ answers, patienceMs, signal }: Watch): Promise<never> {
  do await elapsed(patienceMs, signal);
  while (await answers());
  throw new DatabaseSilentError();
}

/** Never resolves once the signal has fired. */
function elapsed(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
  });
}
