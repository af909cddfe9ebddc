import pg from "pg";
import { listenTo, lockForSession } from "../sql/transaction.ts";
import { KEEP_ALIVE } from "./keep-alive.ts";

/** `resync`: notifications may have been missed, so read everything. Sent after each (re)connect. */
export type Wake =
  | { readonly resync: true }
  | { readonly resync: false; readonly channel: string; readonly payload: string };

export interface ListenInput {
  readonly databaseUrl: string;
  readonly channels: readonly string[];
  /** Of all connections with the same name one listens; the others wait until it is gone. */
  readonly alone?: string;
  readonly handler: (wake: Wake) => void;
  /** Ends the listening. */
  readonly signal: AbortSignal;
  /** Called for each lost or refused connection; listening is retried in any case. */
  readonly onError?: (error: unknown) => void;
}

/**
 * Listens on its own connection until the signal aborts, and reconnects forever with a backoff of 0.1 to 5 s. Returns at once and never
 * leaves a rejected promise. Wake-ups carry no data: subscribe first, then read the current state.
 */
export function listen(input: ListenInput): void {
  let failures = 0;
  let retry: NodeJS.Timeout | undefined;
  const attempt = () => {
    if (input.signal.aborted) return;
    connectAndListen(input, () => {
      failures = 0;
    }).then(undefined, (error: unknown) => {
      input.onError?.(error);
      if (input.signal.aborted) return;
      retry = setTimeout(attempt, backoffMs(failures++));
    });
  };
  input.signal.addEventListener("abort", () => clearTimeout(retry), { once: true });
  attempt();
}

/** Resolves when the signal ends it, rejects when the connection is lost. */
async function connectAndListen(input: ListenInput, connected: () => void): Promise<void> {
  const client = new pg.Client({
    connectionString: input.databaseUrl,
    connectionTimeoutMillis: 5_000,
    ...KEEP_ALIVE,
  });
  const lost = new Promise<never>((_resolve, reject) => {
    client.on("error", reject);
    client.on("end", () => reject(new Error("The database closed the connection.")));
  });
  // The race below may end before the connection is lost.
  lost.catch(() => undefined);
  const attempt = new AbortController();
  const stopped = new Promise<void>((resolve) => {
    const until = { once: true, signal: attempt.signal };
    input.signal.addEventListener("abort", () => resolve(), until);
  });
  try {
    await client.connect();
    if (input.alone !== undefined) {
      const isAlone = lockForSession(client, input.alone).then(() => true);
      // A connection that is stopped while it waits is closed.
      isAlone.catch(() => undefined);
      if (!(await Promise.race([isAlone, lost, stopped.then(() => false)]))) return;
    }
    client.on("notification", ({ channel, payload }) =>
      input.handler({ resync: false, channel, payload: payload ?? "" }),
    );
    for (const channel of input.channels) await listenTo(client, channel);
    connected();
    input.handler({ resync: true });
    await Promise.race([lost, stopped]);
  } finally {
    // Otherwise each reconnection would leave a listener on a signal that lives as long as the process.
    attempt.abort();
    client.end().catch(() => undefined);
  }
}

function backoffMs(failures: number): number {
  return Math.min(5_000, 100 * 2 ** Math.min(failures, 6)) * (0.5 + Math.random() / 2);
}
