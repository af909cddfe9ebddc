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
  /** How many milliseconds a call may wait for its turn before it fails as throttled; 10,000 by default. */
  readonly maxWaitMs?: number;
  /**
   * How many milliseconds the cloud may refuse every call before that counts as more than throttling; ten minutes by default.
   */
  readonly maxClosedMs?: number;
}

/**
 * The budget of one cloud API. It has no limit until the first 429. Then it lets nothing through until the cloud's Retry-After has
 * passed, continues slightly below the rate that the cloud has served, and raises the limit by one call a second each second (DESIGN.md
 * "Budget"). If the cloud has refused every call for longer than `maxClosedMs`, only one call follows each pause, and its answer decides
 * whether others do.
 */
export interface CloudBudget {
  /**
   * Waits for the turn of one call and returns the milliseconds waited. Throws ProviderError `Throttled` without
   * waiting if the turn cannot come within `maxWaitMs`, and the signal's reason when that aborts.
   */
  acquire(priority: CallPriority, signal: AbortSignal): Promise<number>;
  /** Reports a 429 for a call that was sent at `sentAt` (monotonic milliseconds). */
  throttled(error: ProviderError, sentAt: number): void;
  /** Reports any other answer of the cloud. */
  answered(): void;
  /** Reports that the cloud could not serve a call that was sent: there was no answer, or one that says so. */
  failed(error: ProviderError): void;
  /** Returns the milliseconds until a new call could be sent. */
  waitMs(): number;
  snapshot(): BudgetSnapshot;
}

export interface BudgetSnapshot {
  readonly callsLastMinute: number;
  readonly throttledLastMinute: number;
  /** Calls a second; undefined while there is no limit. */
  readonly allowedPerSecond: number | undefined;
  /** When calls are let through again, in milliseconds since the epoch; undefined unless they are held back. */
  readonly resumesAt: number | undefined;
  /**
   * Since when all calls that were sent have failed, in milliseconds since the epoch; undefined if the last one was
   * served.
   */
  readonly failingSince: number | undefined;
  /**
   * Since when the cloud has refused every call, in milliseconds since the epoch; undefined until that is longer than `maxClosedMs`.
   */
  readonly closedSince: number | undefined;
}

export function createCloudBudget(options: CloudBudgetOptions): CloudBudget {
  return new AdaptiveBudget(options);
}

const DEFAULT_MAX_WAIT_MS = 10_000;
/** How long others wait for the answer to the single call: an abandoned one has no answer. */
const PROBE_MS = 10_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
const LEAST_PER_SECOND = 1;
const REGAINED_PER_SECOND = 1;
/**
 * The factor by which the limit is set below the served rate at the first 429, and below our own rate at a later
 * one.
 */
const LEFT_OF_SERVED = 0.9;
const LEFT_OF_RATE = 0.7;
/** When the rate has grown to this, and to twice what the cloud has served, the limit is lifted. */
const UNLIMITED_FROM = 100;

class AdaptiveBudget implements CloudBudget {
  readonly #options: CloudBudgetOptions;
  readonly #clock: Clock;
  readonly #calls: RecentCount;
  readonly #answers: RecentCount;
  readonly #throttles: RecentCount;
  readonly #waiting = new CallQueue();
  /** Calls a second, from the first 429 until the limit is lifted. */
  #rate: number | undefined;
  #unlimitedFrom = UNLIMITED_FROM;
  #tokens = 1;
  #countedAt = 0;
  #heldUntil = 0;
  #loweredAt = Number.NEGATIVE_INFINITY;
  #throttlesInARow = 0;
  #lastThrottle: CallRef | undefined;
  #failingSince: number | undefined;
  /** The time of the first 429 since a call was served, in monotonic milliseconds. */
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

  /** Only refusals by the cloud count: when a pause is over, time without calls adds nothing. */
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

  /** Only one 429 of a burst lowers the limit: the others of the same burst were sent before it was known. */
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

  /** Nothing is earned while calls are held back: after the pause one call goes before the others. */
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
