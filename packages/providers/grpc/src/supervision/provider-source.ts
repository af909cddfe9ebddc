import type { ProviderError } from "@cloudwright/provider-api";
import { notConnected } from "../connection/failures.ts";
import type { Connection, ConnectionSource } from "../connection.ts";
import type { Clock } from "./clock.ts";

/** A provider outside this process: one that we start, or a sidecar. */
export interface ProviderSource extends ConnectionSource {
  status(): SourceStatus;
  /** Closes the connection, and ends the process if we started it. Resolves when it is gone. */
  close(): Promise<void>;
}

export interface SourceStatus {
  /** Whether it responds. */
  readonly isUp: boolean;
  /** One sentence for the operator: what it is, or what is wrong with it. */
  readonly sentence: string;
  /** When that began, milliseconds since the epoch. */
  readonly since: number;
  /** How often it was restarted or reconnected to. */
  readonly restarts: number;
}

export interface SourceReporter {
  /** Called when it starts or stops responding, and when the sentence that says why it does not respond changes. */
  onStatus?(status: SourceStatus): void;
}

type Listener = Parameters<ConnectionSource["onConnected"]>[0];

/** The current connection for calls, or why there is none. */
export class SourceState {
  readonly #name: string;
  readonly #clock: Clock;
  readonly #reporter: SourceReporter;
  readonly #listeners = new Set<Listener>();
  #connection: Connection | undefined;
  #status: SourceStatus;

  constructor(
    name: string,
    clock: Clock,
    {
      reporter,
      sentence,
    }: {
      readonly reporter: SourceReporter;
      /** The sentence until it first responds. */
      readonly sentence: string;
    },
  ) {
    this.#name = name;
    this.#clock = clock;
    this.#reporter = reporter;
    this.#status = { isUp: false, sentence, since: clock.now(), restarts: 0 };
  }

  current(): Connection | ProviderError {
    const { isUp, sentence } = this.#status;
    if (isUp && this.#connection !== undefined) return this.#connection;
    return notConnected(this.#name, "connect", sentence);
  }

  onConnected(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get status(): SourceStatus {
    return this.#status;
  }

  /** Records that it responds, over this connection. */
  up(connection: Connection, sentence: string): void {
    const isNew = connection !== this.#connection;
    this.#connection = connection;
    this.#change({ isUp: true, sentence });
    if (!isNew) return;
    for (const listener of this.#listeners) listener(connection);
  }

  /** Records that it does not respond; calls are Unavailable with this sentence until it does. */
  down(sentence: string): void {
    this.#change({ isUp: false, sentence });
  }

  restarted(): void {
    this.#status = { ...this.#status, restarts: this.#status.restarts + 1 };
  }

  #change(change: Pick<SourceStatus, "isUp" | "sentence">): void {
    const { isUp, sentence, restarts, since } = this.#status;
    if (isUp === change.isUp && sentence === change.sentence) return;
    this.#status = { ...change, restarts, since: isUp === change.isUp ? since : this.#clock.now() };
    this.#reporter.onStatus?.(this.#status);
  }
}
