import type { Clock } from "../../model/time.ts";
import { sleep } from "../sleep.ts";

export interface IssuedToken {
  readonly token: string;
  /** Milliseconds since the epoch, by the issuer's clock. */
  readonly expiresAt: number;
}

export interface TokenSourceOptions {
  /** Requests a new token, once. Throws KubeError. */
  readonly issue: () => Promise<IssuedToken>;
  readonly clock: Clock;
  /** Called for each renewal that failed while the last token is still valid; it is retried automatically. */
  onError(error: unknown): void;
}

/** A bearer token that is renewed on use: no timer runs for a token that nobody needs. */
export interface TokenSource {
  /** Returns a valid token. Throws the error of the last attempt if there is none. */
  get(): Promise<string>;
  /** Called when the API server refused the token: the next `get` requests a new one. */
  forget(): void;
}

/** spec/00 §14: four attempts, the first pause half a second, each pause twice the one before. */
const ATTEMPTS = 4;
const FIRST_PAUSE_MS = 500;
/** A token is renewed when a fifth of its lifetime is left. */
const USED_PART = 0.8;
/** A shorter lifetime means that a clock is wrong: no API server issues tokens for less. */
const SHORTEST_LIFE_MS = 600_000;
/** After a failed renewal the next one does not start sooner, while the old token is valid. */
const NEXT_RENEWAL_MS = 10_000;
/** A refusal so soon concerns a request that was sent with the previous token. */
const TOO_NEW_MS = 1_000;

/** Keeps one token by the rules of spec/00 §14. Simultaneous callers share one request. */
export function createTokenSource(options: TokenSourceOptions): TokenSource {
  return new Source(options);
}

interface HeldToken {
  readonly token: string;
  readonly since: number;
  readonly renewAt: number;
  readonly expiresAt: number;
}

class Source implements TokenSource {
  readonly #options: TokenSourceOptions;
  #held: HeldToken | undefined;
  #issuing: Promise<HeldToken> | undefined;
  #renewNotBefore = Number.NEGATIVE_INFINITY;

  constructor(options: TokenSourceOptions) {
    this.#options = options;
  }

  async get(): Promise<string> {
    const now = this.#options.clock.now();
    const held = this.#held;
    if (held === undefined || now >= held.expiresAt) return (await this.#issue()).token;
    if (now >= held.renewAt && now >= this.#renewNotBefore) this.#renew();
    return held.token;
  }

  forget(): void {
    const held = this.#held;
    if (held === undefined || this.#options.clock.now() - held.since < TOO_NEW_MS) return;
    this.#held = undefined;
  }

  /** Runs while calls go on with the old token. */
  #renew(): void {
    if (this.#issuing !== undefined) return;
    this.#issue().catch((error: unknown) => {
      this.#renewNotBefore = this.#options.clock.now() + NEXT_RENEWAL_MS;
      this.#options.onError(error);
    });
  }

  #issue(): Promise<HeldToken> {
    this.#issuing ??= this.#issueAnew().finally(() => {
      this.#issuing = undefined;
    });
    return this.#issuing;
  }

  async #issueAnew(): Promise<HeldToken> {
    const { token, expiresAt } = await this.#attempts();
    const since = this.#options.clock.now();
    const lifeMs = Math.max(expiresAt - since, SHORTEST_LIFE_MS);
    const held = {
      token,
      since,
      renewAt: since + lifeMs * USED_PART,
      expiresAt: since + lifeMs,
    };
    this.#held = held;
    return held;
  }

  async #attempts(): Promise<IssuedToken> {
    const { issue, clock } = this.#options;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await issue();
      } catch (error) {
        if (attempt >= ATTEMPTS) throw error;
      }
      await sleep(clock, FIRST_PAUSE_MS * 2 ** (attempt - 1));
    }
  }
}
