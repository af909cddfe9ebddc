import type { MessageInitShape } from "@bufbuild/protobuf";
import { ProviderError } from "@cloudwright/provider-api";
import { beforeSending } from "./connection/failures.ts";
import type {
  CallOptions,
  Connection,
  ConnectionSource,
  ObjectSource,
  SourceKind,
} from "./connection.ts";
import {
  type Capabilities,
  type InitializeRequestSchema,
  ObjectKind,
  Provider,
} from "./generated/cloudwright/provider/v1/provider_pb.js";
import { ObjectSync } from "./object-sync.ts";

/** What the provider gets to begin with. */
export interface GrpcProviderConfig {
  /** The text of the file that `--cloud-config` names. */
  readonly cloudConfig: string | undefined;
  readonly clusterName: string;
  readonly clusterCidrs: readonly string[];
  /** Flags that upstream hands to a provider, by their names without dashes. */
  readonly settings: Readonly<Record<string, string>>;
  /** Says a sentence to the operator, in the log. */
  warn?(message: string): void;
}

export interface SessionOptions {
  readonly source: ConnectionSource;
  readonly config: GrpcProviderConfig;
  readonly objects: ObjectSource;
}

/** A connection whose process has been handed everything that it needs before a request. */
export interface ReadyLink {
  readonly connection: Connection;
  readonly sync: ObjectSync;
  readonly capabilities: Capabilities;
}

/** Loading a configuration, and a client of the cluster, may take the provider calls to the cloud. */
const INITIALIZE_TIMEOUT_MS = 60_000;
const SYNC_TIMEOUT_MS = 60_000;

/**
 * What is with the process across its restarts: whichever connection there is now, its process is initialised before anything else
 * is asked of it. What one caller has begun goes on when that one gives up, as the others wait for it too.
 */
export class Session {
  readonly #options: SessionOptions;
  readonly #ended = new AbortController();
  readonly #links = new WeakMap<Connection, Promise<ReadyLink>>();
  /** Of the cluster, once this replica leads. */
  #leading: { readonly clusterUid: string | undefined } = { clusterUid: undefined };

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  /** Who is at the other end, and what the provider can do; waits for the first process that says so, and begins nothing. */
  async introduce(signal: AbortSignal): Promise<Pick<ReadyLink, "connection" | "capabilities">> {
    const connection = await this.#firstConnection(signal);
    const options = { signal, timeoutMs: INITIALIZE_TIMEOUT_MS };
    const capabilities = await this.#initialize(connection, { capabilitiesOnly: true }, options);
    return { connection, capabilities };
  }

  /**
   * From now on every process is begun with this identity of the cluster; resolved when the one that is there now is. One that is gone
   * just now, or goes meanwhile, is begun before its next call: that does not keep a replica from leading.
   */
  async lead(clusterUid: string | undefined, signal: AbortSignal): Promise<void> {
    this.#leading = { clusterUid };
    const connection = this.#options.source.current();
    if (connection instanceof ProviderError) return;
    this.#links.delete(connection);
    await this.ready(signal).catch(unlessGone);
  }

  /** Throws ProviderError `Unavailable` while there is no process, and what the process says when it cannot begin. */
  async ready(signal: AbortSignal): Promise<ReadyLink> {
    const { connection } = this.#current();
    let link = this.#links.get(connection);
    if (link === undefined) {
      link = this.#begin(connection);
      this.#links.set(connection, link);
      link.catch(() => this.#links.delete(connection));
    }
    return await raced(link, signal);
  }

  close(): void {
    this.#ended.abort(new Error("The provider is no longer used."));
  }

  #current(): { readonly connection: Connection } {
    const connection = this.#options.source.current();
    if (connection instanceof ProviderError) throw beforeSending(connection);
    return { connection };
  }

  async #firstConnection(signal: AbortSignal): Promise<Connection> {
    const { source } = this.#options;
    const connection = source.current();
    if (!(connection instanceof ProviderError)) return connection;
    let unsubscribe = () => {};
    const connected = new Promise<Connection>((resolve) => {
      unsubscribe = source.onConnected(resolve);
    });
    return await raced(connected, signal).finally(() => unsubscribe());
  }

  async #begin(connection: Connection): Promise<ReadyLink> {
    const { signal } = this.#ended;
    const { clusterUid } = this.#leading;
    const identity = clusterUid === undefined ? {} : { clusterUid };
    const options = { signal, timeoutMs: INITIALIZE_TIMEOUT_MS };
    const capabilities = await this.#initialize(connection, identity, options);
    const send = (request: Parameters<ConstructorParameters<typeof ObjectSync>[1]>[0]) =>
      connection.call(Provider.method.syncObjects, request, {
        signal,
        timeoutMs: SYNC_TIMEOUT_MS,
      });
    const watched = capabilities.watchedObjects.flatMap((kind) => WATCHABLE.get(kind) ?? []);
    const someNodes = capabilities.instances?.needsNodes === true;
    const sync = new ObjectSync(this.#options.objects, send, { watched, someNodes });
    connection.onClosed(() => sync.close());
    return { connection, sync, capabilities };
  }

  async #initialize(
    connection: Connection,
    more: MessageInitShape<typeof InitializeRequestSchema>,
    options: CallOptions,
  ): Promise<Capabilities> {
    const { cloudConfig, clusterName, clusterCidrs, settings, warn } = this.#options.config;
    const request = {
      ...(cloudConfig === undefined ? {} : { cloudConfig }),
      ...{ clusterName, clusterCidrs: [...clusterCidrs], settings },
      ...more,
    };
    const answer = await connection.call(Provider.method.initialize, request, options);
    for (const warning of answer.warnings) warn?.(warning);
    if (answer.capabilities !== undefined) return answer.capabilities;
    throw new ProviderError(
      "Invalid",
      `The provider process ${connection.info.providerName} answered Initialize without its capabilities: report this to its author.`,
      { provider: connection.info.providerName, operation: "Initialize" },
    );
  }
}

function unlessGone(error: unknown): void {
  if (!(error instanceof ProviderError && GONE.has(error.code))) throw error;
}

const GONE: ReadonlySet<string> = new Set(["Unavailable", "TimedOut"]);

const WATCHABLE: ReadonlyMap<ObjectKind, SourceKind> = new Map([
  [ObjectKind.NODE, "Node"],
  [ObjectKind.SERVICE, "Service"],
]);

/** What it resolves to, unless the signal aborts before: then its reason, while the work goes on. */
export async function raced<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let giveUp = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    giveUp = () => reject(signal.reason);
    signal.addEventListener("abort", giveUp, { once: true });
  });
  return await Promise.race([work, aborted]).finally(() =>
    signal.removeEventListener("abort", giveUp),
  );
}
