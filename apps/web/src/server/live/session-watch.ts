import type { LiveFeed } from "./live-feed.ts";

export interface SessionWatchInput {
  readonly feed: Pick<LiveFeed, "onAccounts">;
  /** Asks the database. */
  readonly isSignedIn: () => Promise<boolean>;
  /** Milliseconds, of any beginning. */
  readonly now: () => number;
}

export interface SessionWatch {
  /** To be asked before each change is told. */
  hasEnded(): Promise<boolean>;
  stop(): void;
}

/** An end that nobody told of, such as a session that ran out. */
const CHECK_EVERY_MS = 5_000;

/** Whether the session of an open page has ended: the database is asked at once when accounts have changed, else now and then. */
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
