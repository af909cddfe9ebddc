export interface SignInAttempt {
  readonly address: string;
  /** In lower case, as it was typed. */
  readonly email: string;
  /** After a right password. */
  readonly step?: "code";
}

/** A right password is half of a sign-in where a code is asked for. */
export type AttemptOutcome = "signed-in" | "code" | "refused";

export interface SignInDelays {
  /** How long this attempt waits before its password or code is looked at, milliseconds; undefined when too many wait already. */
  begin(attempt: SignInAttempt, now: number): number | undefined;
  /** What came of an attempt that was begun. */
  end(
    attempt: SignInAttempt,
    how: { readonly outcome: AttemptOutcome; readonly now: number },
  ): void;
}

/** So many wrong passwords and codes cost nothing: people mistype. */
const FREE_FAILURES = 3;
const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 10_000;
/** After so long without a wrong one an address or an account begins anew. */
const FORGOTTEN_AFTER_MS = 15 * 60_000;
const KEYS_MOST = 10_000;
/**
 * Attempts that wait at once: of one address on one account, of one address, and of all. Of codes those on one account from
 * anywhere: there are few codes, and whoever sends one has the password.
 */
const WAITING_MOST = { pair: 2, code: 2, address: 10, all: 100 } as const;

/**
 * Makes guessing slow and locks nobody out: after repeated wrong passwords and codes each further attempt from the address, and each on
 * the account from anywhere, waits longer before it is looked at, up to ten seconds. The right one is let in all the same.
 * Counted in this process alone.
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
      // Whoever has an account of their own does not thereby clear the address for guessing others. A password alone does not
      // clear the account: whoever has it would guess the code without a delay.
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

/** In the order of the last failure, so that the oldest is forgotten first when there are too many. */
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
