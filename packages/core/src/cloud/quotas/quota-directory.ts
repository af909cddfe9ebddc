import type { CallContext, Quota, QuotaSource } from "@cloudwright/provider-api";
import type { QuotaUse, ServiceQuotas } from "../../model/records/quota-record.ts";
import type { Clock } from "../../model/time.ts";
import { boundedText } from "../../model/values/bounded-text.ts";
import { withoutSecrets } from "../../model/values/secrets.ts";
import type { CallContexts } from "../calls/call-context.ts";

export interface QuotaDirectoryOptions {
  readonly sources: readonly QuotaSource[];
  readonly contexts: CallContexts;
  readonly clock: Clock;
}

/** The use of the cloud's quotas, which is read while this process leads, as only pages, metrics and alarms need it. */
export interface QuotaDirectory {
  /**
   * Reads the quotas at once and every ten minutes from now on. Returns a function that ends this, and forgets
   * them.
   */
  follow(): () => void;
  /** Must be called after a refusal because of a quota: they are read again within a minute. */
  refused(): void;
  /** Returns the quotas as last read, in the provider's order; empty while nobody follows them. */
  latest(): readonly ServiceQuotas[];
}

const PERIOD_MS = 600_000;
/** Many Services that are refused together are one reason to read. */
const SOONEST_MS = 60_000;

export function createQuotaDirectory(options: QuotaDirectoryOptions): QuotaDirectory {
  let following: QuotaReader | undefined;
  return {
    follow: () => {
      const reader = new QuotaReader(options);
      following = reader;
      return () => {
        reader.stop();
        if (following === reader) following = undefined;
      };
    },
    refused: () => following?.readSoon(),
    latest: () => following?.latest() ?? [],
  };
}

class QuotaReader {
  readonly #options: QuotaDirectoryOptions;
  readonly #ended = new AbortController();
  readonly #known = new Map<string, ServiceQuotas>();
  #cancel = () => {};
  #nextAt = 0;
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;

  constructor(options: QuotaDirectoryOptions) {
    this.#options = options;
    this.#begin();
  }

  latest(): readonly ServiceQuotas[] {
    return this.#options.sources.flatMap(({ service }) => this.#known.get(service) ?? []);
  }

  /** A read in progress may have started before the refusal, so another one follows it. */
  readSoon(): void {
    const soonest = Math.max(this.#options.clock.monotonic(), this.#readAt + SOONEST_MS);
    this.#nextAt = Math.min(this.#nextAt, soonest);
    if (this.#reading === undefined) this.#schedule();
  }

  stop(): void {
    this.#ended.abort();
    this.#cancel();
  }

  #begin(): void {
    this.#readAt = this.#options.clock.monotonic();
    this.#nextAt = this.#readAt + PERIOD_MS;
    this.#reading = this.#read().then(() => {
      this.#reading = undefined;
      if (!this.#ended.signal.aborted) this.#schedule();
    });
  }

  /** Reads one service after the other, as nobody waits for the result. */
  async #read(): Promise<void> {
    const { signal } = this.#ended;
    const context = this.#options.contexts({ signal, priority: "refresh" });
    for (const source of this.#options.sources) {
      const found = await this.#readOne(source, context);
      if (signal.aborted) return;
      this.#known.set(source.service, found);
    }
  }

  async #readOne(source: QuotaSource, context: CallContext): Promise<ServiceQuotas> {
    const { service } = source;
    try {
      const quotas = (await source.list(context)).slice(0, MOST_QUOTAS).map(quotaUse);
      return { service, readAt: this.#options.clock.now(), quotas };
    } catch (error) {
      // The last values stay, with their time.
      return { service, quotas: [], ...this.#known.get(service), problem: problemOf(error) };
    }
  }

  #schedule(): void {
    const { clock } = this.#options;
    this.#cancel();
    this.#cancel = clock.after(Math.max(0, this.#nextAt - clock.monotonic()), () => this.#begin());
  }
}

/** Each heartbeat repeats them; a service has a dozen. */
const MOST_QUOTAS = 50;
const LONGEST_NAME = 100;
const LONGEST_PROBLEM = 400;

function quotaUse({ resource, limit, used }: Quota): QuotaUse {
  return {
    resource: boundedText(resource, LONGEST_NAME),
    ...(limit === undefined ? {} : { limit }),
    ...(used === undefined ? {} : { used }),
  };
}

function problemOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return boundedText(withoutSecrets(message), LONGEST_PROBLEM);
}
