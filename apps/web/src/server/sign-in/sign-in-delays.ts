export interface SignInAttempt {
  readonly address: string;
  /** As typed, in lower case. */
  readonly email: string;
  /** Set after a right password. */
  readonly step?: "code";
}

/** For an account with a code, a right password is only half of a sign-in. */
export type AttemptOutcome = "signed-in" | "code" | "refused";

export interface SignInDelays {
  /**
   * Returns how long this attempt must wait before its password or code is checked, in milliseconds; undefined if too many are waiting
   * already.
   */
  begin(attempt: SignInAttempt, now: number): number | undefined;
  /** Reports the outcome of an attempt that was begun. */
  end(
    attempt: SignInAttempt,
    how: { readonly outcome: AttemptOutcome; readonly now: number },
  ): void;
}

/** This many wrong passwords and codes cause no delay, because people mistype. */
const FREE_FAILURES = 3;
const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 10_000;
/** After this long without a failure, the count of an address or an account starts over. */
const FORGOTTEN_AFTER_MS = 15 * 60_000;
const KEYS_MOST = 10_000;
/**
 * Attempts waiting at once: per address and account, per address, and in total. For codes, per account from any address: there are few
 * possible codes, and anyone who sends one has the password.
 */
const WAITING_MOST = { pair: 2, code: 2, address: 10, all: 100 } as const;

/**
 * Slows down guessing without locking anyone out: after repeated wrong passwords and codes, each further attempt from the address, and each
 * on the account from anywhere, waits longer before it is checked, up to ten seconds. A right one still succeeds. Only this process's
 * attempts count.
 */
export function signInDelays(): SignInDelays {
  const failures = failureCounts();
  const waiting = new Map<string, number>();
  const change = (key: string, by: number) => {
    const count = (waiting.get(key) ?? 0) + by;
    if (count === 0) waiting.delete(key);
    else waiting.set(key, count);
  };
  return {
    begin(attempt, now) {
      const places = placesOf(attempt);
      if (places.some(({ key, most }) => (waiting.get(key) ?? 0) >= most)) return undefined;
      for (const { key } of places) change(key, 1);
      return Math.max(...keysOf(attempt).map((key) => delayAfter(failures.count(key, now))));
    },
    end(attempt, { outcome, now }) {
      for (const { key } of placesOf(attempt)) change(key, -1);
      if (outcome === "refused") for (const key of keysOf(attempt)) failures.add(key, now);
      // Signing in to one's own account does not clear the address for guessing others. A right password alone does not clear the account:
      // otherwise its holder could guess the code without a delay.
      else if (outcome === "signed-in") failures.forget(accountKey(attempt));
    },
  };
}

/** Doubles with each failure beyond the free ones. */
function delayAfter(failures: number): number {
  if (failures < FREE_FAILURES) return 0;
  return Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (failures - FREE_FAILURES));
}

function keysOf(attempt: SignInAttempt): readonly string[] {
  return [`address ${attempt.address}`, accountKey(attempt)];
}

function accountKey({ email }: SignInAttempt): string {
  return `account ${email}`;
}

function placesOf({ address, email, step }: SignInAttempt) {
  const code = { key: JSON.stringify(["code", email]), most: WAITING_MOST.code };
  return [
    ...(step === "code" ? [code] : []),
    { key: JSON.stringify([address, email]), most: WAITING_MOST.pair },
    { key: JSON.stringify([address]), most: WAITING_MOST.address },
    { key: "all", most: WAITING_MOST.all },
  ];
}

/** Ordered by last failure, so that the oldest is forgotten first when there are too many. */
function failureCounts() {
  const known = new Map<string, { readonly count: number; readonly at: number }>();
  const count = (key: string, now: number): number => {
    const found = known.get(key);
    return found === undefined || now - found.at >= FORGOTTEN_AFTER_MS ? 0 : found.count;
  };
  return {
    count,
    add(key: string, now: number): void {
      const next = { count: count(key, now) + 1, at: now };
      known.delete(key);
      known.set(key, next);
      const [oldest] = known.keys();
      if (known.size > KEYS_MOST && oldest !== undefined) known.delete(oldest);
    },
    forget(key: string): void {
      known.delete(key);
    },
  };
}
