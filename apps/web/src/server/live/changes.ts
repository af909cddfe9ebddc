import type { Topic } from "@cloudwright/store/database/topics";
import type { LiveFeed } from "./live-feed.ts";

export interface ChangesInput {
  readonly feed: Pick<LiveFeed, "subscribe">;
  readonly cluster: string;
  readonly signal: AbortSignal;
  /** The minimum time between two answers, so that a burst of changes wakes a page only a few times. */
  readonly pauseMs: number;
}

/**
 * Yields the topics of a cluster that have changed, merged since the last request. It listens from the call on, not from the first `next`,
 * until the signal fires, which also ends the sequence.
 */
export function changesOf(input: ChangesInput): AsyncGenerator<readonly Topic[]> {
  const inbox: Inbox = { pending: new Set(), wake: () => undefined };
  const unsubscribe = input.feed.subscribe(input.cluster, (topics) => {
    for (const topic of topics) inbox.pending.add(topic);
    inbox.wake();
  });
  const end = () => {
    unsubscribe();
    inbox.wake();
  };
  if (input.signal.aborted) end();
  else input.signal.addEventListener("abort", end, { once: true });
  return drain(inbox, input);
}

interface Inbox {
  readonly pending: Set<Topic>;
  wake: () => void;
}

async function* drain(
  inbox: Inbox,
  { signal, pauseMs }: ChangesInput,
): AsyncGenerator<readonly Topic[]> {
  while (!signal.aborted) {
    await new Promise<void>((resolve) => {
      inbox.wake = resolve;
      if (inbox.pending.size > 0 || signal.aborted) resolve();
    });
    if (inbox.pending.size === 0) continue;
    const topics = [...inbox.pending];
    inbox.pending.clear();
    yield topics;
    await pause(pauseMs, signal);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(done, ms);
    function done() {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    }
    signal.addEventListener("abort", done, { once: true });
  });
}

interface SessionWatchInput {
  readonly feed: Pick<LiveFeed, "onAccounts">;
  /** Queries the database. */
  readonly isSignedIn: () => Promise<boolean>;
  /** Milliseconds from an arbitrary origin. */
  readonly now: () => number;
}

interface SessionWatch {
  /** To be called before each change is published. */
  hasEnded(): Promise<boolean>;
  stop(): void;
}

/** How often to check for an end that nobody reports, such as an expired session. */
const CHECK_EVERY_MS = 5_000;

/**
 * Watches whether the session of an open page has ended: it queries the database at once when accounts have changed, and otherwise at
 * intervals.
 */
export function watchSession({ feed, isSignedIn, now }: SessionWatchInput): SessionWatch {
  let checkedAt = now();
  let isSuspect: boolean = false;
  const stop = feed.onAccounts(() => {
    isSuspect = true;
  });
  return {
    hasEnded: async () => {
      if (!isSuspect && now() - checkedAt <= CHECK_EVERY_MS) return false;
      isSuspect = false;
      checkedAt = now();
      return !(await isSignedIn());
    },
    stop,
  };
}
