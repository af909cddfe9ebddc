import { messageOf } from "@cloudwright/core/model/values/message-of";
import { connect } from "@cloudwright/store/database/database";
import { environment } from "./environment.ts";
import { log } from "./log.ts";
import { processWide } from "./process-wide.ts";

/** A busy database answers within so long; one that does not is lost, whether it refuses, hangs or is frozen. */
const PATIENCE_MS = 3_000;

/** The database did not answer a question that costs it nothing. */
export class DatabaseSilentError extends Error {
  readonly code = "DATABASE_SILENT";

  constructor() {
    super("The database gave no answer.");
    this.name = "DatabaseSilentError";
  }
}

export type DatabaseCheck = () => Promise<boolean>;

/**
 * Whether the database answers. It asks on a connection of its own, because those of the pages may all hang in the very
 * questions that are in doubt; all who ask meanwhile share one answer.
 */
export function databaseAnswers(): Promise<boolean> {
  return processWide("database-check", () => {
    const db = connect(environment().databaseUrl, { max: 1, patienceMs: PATIENCE_MS });
    return sharedCheck(() => db.pool.query("SELECT 1"), logChange());
  })();
}

/** Asks at most once at a time; a question that fails is an answer, too. */
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

/** Each change once, not each of the many questions that pages ask while the database is away. */
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
 * What the work comes to. While that takes long, the database is asked whether it still answers: as long as it does the work goes
 * on, however slow it is. Throws DatabaseSilentError when it does not.
 */
export async function unlessDatabaseSilent<Result>(
  work: Promise<Result>,
  { answers = databaseAnswers, patienceMs = PATIENCE_MS } = {},
): Promise<Result> {
  const over = new AbortController();
  const silent = watchDatabase({ answers, patienceMs, signal: over.signal });
  // Whichever is late has nobody left to notify.
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

/** Never ends once the signal has fired. */
function elapsed(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
  });
}
