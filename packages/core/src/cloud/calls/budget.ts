import { type CallRef, ProviderError } from "@cloudwright/provider-api";
import type { CallPriority } from "../../model/call-priority.ts";
import { DEFAULT_MAX_RETRY_AFTER_MS } from "../../model/language/duration.ts";
import type { Clock } from "../../model/time.ts";
import { CallQueue } from "./call-queue.ts";
import { RecentCount } from "./recent-count.ts";

export interface CloudBudgetOptions {
  /** The provider's name, for messages. */
  readonly provider: string;
  readonly clock: Clock;
  /** How long a call may wait for its turn before it fails as throttled, milliseconds; 10,000 unless given. */
  readonly maxWaitMs?: number;
  /** How long the cloud may refuse every call before that is more than throttling, milliseconds; ten minutes unless given. */
  readonly maxClosedMs?: number;
}

/**
 * The allowance of one cloud API. It is without limit until the first 429; from then on it lets nothing out until the
 * cloud's Retry-After has passed, goes on a little below the rate that the cloud has served, and gives one call a second back each second
 * (DESIGN.md "Budget"). When the cloud has refused every call for longer than `maxClosedMs`, each pause is followed by one call
 * alone, and its answer decides whether others follow.
 */
export interface CloudBudget {
  /**
   * Waits for the turn of one call; answers for how many milliseconds. Throws ProviderError `Throttled` without waiting
   * when the turn cannot come within `maxWaitMs`, and the signal's reason when that aborts.
   */
  acquire(priority: CallPriority, signal: AbortSignal): Promise<number>;
  /** Reports that the cloud answered 429 to a call that left at `sentAt` (monotonic milliseconds). */
  throttled(error: ProviderError, sentAt: number): void;
  /** Reports that the cloud answered a call with anything else. */
  answered(): void;
  /** Reports that the cloud could not serve a call that left: it gave no answer, or one that says so. */
  failed(error: ProviderError): void;
  /** Milliseconds until a call that asks now could leave. */
  waitMs(): number;
  snapshot(): BudgetSnapshot;
}

export interface BudgetSnapshot {
  readonly callsLastMinute: number;
  readonly throttledLastMinute: number;
  /** Calls a second; undefined while there is no limit. */
  readonly allowedPerSecond: number | undefined;
  /** When calls are let out again, milliseconds since the epoch; undefined unless they are held back. */
  readonly resumesAt: number | undefined;
  /** Since when no call was served, although some left, milliseconds since the epoch; undefined while the last one was. */
  readonly failingSince: number | undefined;
  /** Since when the cloud has refused every call, milliseconds since the epoch; undefined until that is longer than `maxClosedMs`. */
  readonly closedSince: number | undefined;
}

export function createCloudBudget(options: CloudBudgetOptions): CloudBudget {
  return new AdaptiveBudget(options);
}

const DEFAULT_MAX_WAIT_MS = 10_000;
/** How long others wait for the answer to the one call: one that is given up brings none. */
const PROBE_MS = 10_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
const LEAST_PER_SECOND = 1;
const REGAINED_PER_SECOND = 1;
/** What is left of the rate that was served when the first 429 came, and of our own rate when a later one does. */
const LEFT_OF_SERVED = 0.9;
const LEFT_OF_RATE = 0.7;
/** A rate that has grown to this, and to twice what the cloud has served, is no limit any more. */
const UNLIMITED_FROM = 100;

class AdaptiveBudget implements CloudBudget {
  readonly #options: CloudBudgetOptions;
  readonly #clock: Clock;
  readonly #calls: RecentCount;
  readonly #answers: RecentCount;
  readonly #throttles: RecentCount;
  readonly #waiting = new CallQueue();
  /** Calls a second, from the first 429 until it has grown back. */
  #rate: number | undefined;
  #unlimitedFrom = UNLIMITED_FROM;
  #tokens = 1;
  #countedAt = 0;
  #heldUntil = 0;
  #loweredAt = Number.NEGATIVE_INFINITY;
  #throttlesInARow = 0;
  #lastThrottle: CallRef | undefined;
  #failingSince: number | undefined;
  /** Of the first 429 since a call was served, monotonic milliseconds. */
  #refusedFrom: number | undefined;
  #probeUntil = 0;
  #alarm: (() => void) | undefined;

  constructor(options: CloudBudgetOptions) {
    this.#options = options;
    this.#clock = options.clock;
    this.#calls = new RecentCount(options.clock);
    this.#answers = new RecentCount(options.clock);
    this.#throttles = new RecentCount(options.clock);
  }

  async acquire(priority: CallPriority, signal: AbortSignal): Promise<number> {
    signal.throwIfAborted();
    if (this.#waiting.size === 0 && this.waitMs() === 0) {
      this.#spend();
      return 0;
    }
    const expectedMs = this.waitMs() + this.#queueMs(priority);
    if (expectedMs > (this.#options.maxWaitMs ?? DEFAULT_MAX_WAIT_MS)) throw this.#full(expectedMs);
    const since = this.#clock.monotonic();
    const turn = this.#waiting.join(priority, signal);
    this.#setAlarm();
    await turn;
    return this.#clock.monotonic() - since;
  }

  throttled(error: ProviderError, sentAt: number): void {
    const now = this.#clock.monotonic();
    this.#failingSince = undefined;
    this.#throttles.add();
    this.#lastThrottle = error.call;
    const stale = sentAt <= this.#loweredAt;
    if (!stale) this.#lower(now);
    const pauseMs = error.call.retryAfterMs ?? this.#ownPauseMs();
    this.#heldUntil = Math.max(this.#heldUntil, now + pauseMs);
    this.#refusedFrom ??= now;
    this.#endProbe();
  }

  answered(): void {
    this.#failingSince = undefined;
    this.#countAnswer();
    this.#refusedFrom = undefined;
    this.#endProbe();
  }

  failed(error: ProviderError): void {
    this.#failingSince ??= this.#clock.now();
    if (error.call.status !== undefined) this.#countAnswer();
    this.#endProbe();
  }

  waitMs(): number {
    const now = this.#clock.monotonic();
    const heldUntil = Math.max(this.#heldUntil, this.#probeUntil);
    if (now < heldUntil) return heldUntil - now;
    this.#refill(now);
    if (this.#rate === undefined || this.#tokens >= 1) return 0;
    return ((1 - this.#tokens) / this.#rate) * 1_000;
  }

  snapshot(): BudgetSnapshot {
    const now = this.#clock.monotonic();
    this.#refill(now);
    const heldMs = this.#heldUntil - now;
    return {
      callsLastMinute: this.#calls.within(60_000),
      throttledLastMinute: this.#throttles.within(60_000),
      allowedPerSecond: this.#rate,
      resumesAt: heldMs > 0 ? this.#clock.now() + heldMs : undefined,
      failingSince: this.#failingSince,
      closedSince: this.#closedSince(now),
    };
  }

  /** Closed is what the cloud has closed: a pause that is over adds nothing while nobody calls. */
  #closedSince(now: number): number | undefined {
    if (this.#refusedFrom === undefined) return undefined;
    const closedMs = Math.min(now, this.#heldUntil) - this.#refusedFrom;
    if (closedMs < (this.#options.maxClosedMs ?? DEFAULT_MAX_RETRY_AFTER_MS)) return undefined;
    return this.#clock.now() - (now - this.#refusedFrom);
  }

  #endProbe(): void {
    this.#probeUntil = 0;
    this.#setAlarm();
  }

  #countAnswer(): void {
    this.#answers.add();
    this.#throttlesInARow = 0;
  }

  /** One 429 a burst lowers it: the others of the same burst left before it was known. */
  #lower(now: number): void {
    const served = this.#answers.within(1_000) * LEFT_OF_SERVED;
    const left = this.#rate === undefined ? served : this.#rate * LEFT_OF_RATE;
    this.#rate = Math.max(LEAST_PER_SECOND, left);
    this.#unlimitedFrom = Math.max(UNLIMITED_FROM, 2 * this.#rate);
    this.#loweredAt = now;
    this.#throttlesInARow += 1;
    this.#tokens = 1;
    this.#countedAt = now;
  }

  #ownPauseMs(): number {
    return Math.min(FIRST_PAUSE_MS * 2 ** (this.#throttlesInARow - 1), LONGEST_PAUSE_MS);
  }

  /** Nothing is gained while calls are held back: after the pause one call goes ahead of the others. */
  #refill(now: number): void {
    if (this.#rate === undefined) return;
    const from = Math.max(this.#countedAt, this.#heldUntil);
    const seconds = Math.max(0, now - from) / 1_000;
    this.#countedAt = Math.max(this.#countedAt, now);
    this.#tokens = Math.min(Math.max(1, this.#rate), this.#tokens + this.#rate * seconds);
    this.#rate += REGAINED_PER_SECOND * seconds;
    if (this.#rate >= this.#unlimitedFrom) this.#rate = undefined;
  }

  #spend(): void {
    if (this.#rate !== undefined) this.#tokens -= 1;
    const now = this.#clock.monotonic();
    if (this.#closedSince(now) !== undefined) this.#probeUntil = now + PROBE_MS;
    this.#calls.add();
  }

  #queueMs(priority: CallPriority): number {
    const ahead = this.#waiting.ahead(priority);
    return this.#rate === undefined ? 0 : (ahead / this.#rate) * 1_000;
  }

  #setAlarm(): void {
    this.#alarm?.();
    this.#alarm = undefined;
    if (this.#waiting.size === 0) return;
    this.#alarm = this.#clock.after(Math.ceil(this.waitMs()), () => this.#letOut());
  }

  #letOut(): void {
    while (this.waitMs() === 0 && this.#waiting.letNextGo()) this.#spend();
    this.#setAlarm();
  }

  #full(waitMs: number): ProviderError {
    const { provider } = this.#options;
    const cause = this.#lastThrottle;
    return new ProviderError(
      "Throttled",
      `${provider} was not asked: it allows no more calls for now; they resume automatically.`,
      {
        provider,
        operation: cause?.operation ?? "any call",
        retryAfterMs: Math.ceil(waitMs),
        ...(cause?.requestId === undefined ? {} : { requestId: cause.requestId }),
      },
    );
  }
}
