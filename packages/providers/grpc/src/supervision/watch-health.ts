import { isProviderError } from "@cloudwright/provider-api";
import type { Connection } from "../connection.ts";
import { type Clock, pause } from "./clock.ts";

const CHECK_EVERY_MS = 5_000;
/** The time limit of one check, and how many in a row may remain unanswered: a busy process may miss one. */
const ANSWER_MS = 5_000;
const UNANSWERED_LIMIT = 2;
/** A provider that reports for this long that it is not serving is restarted. */
const NOT_SERVING_MS = 60_000;

export interface HealthWatch {
  readonly connection: Pick<Connection, "health" | "onClosed">;
  readonly clock: Clock;
  /** Ends the watch. */
  readonly signal: AbortSignal;
  onServing(): void;
  /** Called when it reports that it is not serving. */
  onNotServing(): void;
}

/** Why a watch ended: `closed` by the other side, `unwell` by its checks, `stopped` by the signal. */
export interface HealthEnd {
  readonly kind: "closed" | "unwell" | "stopped";
  /** The end of a sentence: `did not answer 2 health checks in a row`. */
  readonly why: string;
}

/** Checks regularly whether the provider serves, until it is lost. Only this detects a process that was stopped or hangs. */
export async function watchHealth(watch: HealthWatch): Promise<HealthEnd> {
  const { connection, clock, signal } = watch;
  const ending = new AbortController();
  const isOver = AbortSignal.any([signal, ending.signal]);
  connection.onClosed(() => ending.abort());
  const checks = new HealthChecks(watch);
  while (!isOver.aborted) {
    const problem = await checks.next(isOver);
    if (isOver.aborted) break;
    if (problem !== undefined) return { kind: "unwell", why: problem };
    await pause(clock, CHECK_EVERY_MS, isOver);
  }
  return signal.aborted
    ? { kind: "stopped", why: "is no longer used" }
    : { kind: "closed", why: "closed the connection" };
}

class HealthChecks {
  readonly #watch: HealthWatch;
  #unanswered = 0;
  #notServingSince: number | undefined;

  constructor(watch: HealthWatch) {
    this.#watch = watch;
  }

  /** Checks once; returns why the provider has to be given up, or undefined. */
  async next(signal: AbortSignal): Promise<string | undefined> {
    const health = await checkOnce(this.#watch, signal);
    if (health === "unanswered") return this.#unansweredOnce();
    this.#unanswered = 0;
    return health === "serving" ? this.#serving() : this.#notServing();
  }

  #unansweredOnce(): string | undefined {
    this.#unanswered += 1;
    return this.#unanswered < UNANSWERED_LIMIT
      ? undefined
      : `did not answer ${UNANSWERED_LIMIT} health checks in a row`;
  }

  #serving(): undefined {
    this.#notServingSince = undefined;
    this.#watch.onServing();
  }

  #notServing(): string | undefined {
    const now = this.#watch.clock.monotonic();
    this.#notServingSince ??= now;
    this.#watch.onNotServing();
    return now - this.#notServingSince < NOT_SERVING_MS
      ? undefined
      : `reported for ${NOT_SERVING_MS / 1_000} s that it is not serving`;
  }
}

type Health = Awaited<ReturnType<Connection["health"]>> | "unanswered";

/** Any answer counts: a provider without the health service is healthy while it is connected. */
async function checkOnce({ connection }: HealthWatch, signal: AbortSignal): Promise<Health> {
  try {
    return await connection.health({ signal, timeoutMs: ANSWER_MS });
  } catch (error) {
    if (isProviderError(error) && error.code === "Unsupported") return "serving";
    return "unanswered";
  }
}
