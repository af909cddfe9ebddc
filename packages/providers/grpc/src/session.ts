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

/** The provider's initial configuration. */
export interface GrpcProviderConfig {
  /** The text of the file that `--cloud-config` names. */
  readonly cloudConfig: string | undefined;
  readonly clusterName: string;
  readonly clusterCidrs: readonly string[];
  /** Flags that upstream passes to a provider, by their names without dashes. */
  readonly settings: Readonly<Record<string, string>>;
  /** Logs a sentence for the operator. */
  warn?(message: string): void;
}

export interface SessionOptions {
  readonly source: ConnectionSource;
  readonly config: GrpcProviderConfig;
  readonly objects: ObjectSource;
}

/** A connection whose process has received everything that it needs before a request. */
export interface ReadyLink {
  readonly connection: Connection;
  readonly sync: ObjectSync;
  readonly capabilities: Capabilities;
}

/** Loading a configuration, and creating a client of the cluster, may require calls to the cloud. */
const INITIALIZE_TIMEOUT_MS = 60_000;
const SYNC_TIMEOUT_MS = 60_000;

/**
 * The provider across restarts of its process: whichever connection is current, its process is initialised before any other
 * request. What one caller has begun continues if that caller gives up, as the others wait for it too.
 */
export class Session {
  readonly #options: SessionOptions;
  readonly #ended = new AbortController();
  readonly #links = new WeakMap<Connection, Promise<ReadyLink>>();
  /** The cluster's identity, once this replica leads. */
  #leading: { readonly clusterUid: string | undefined } = { clusterUid: undefined };

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  /** Returns the process's identity and capabilities; waits for the first process that reports them, and initialises nothing. */
  async introduce(signal: AbortSignal): Promise<Pick<ReadyLink, "connection" | "capabilities">> {
    const connection = await this.#firstConnection(signal);
    const options = { signal, timeoutMs: INITIALIZE_TIMEOUT_MS };
    const capabilities = await this.#initialize(connection, { capabilitiesOnly: true }, options);
    return { connection, capabilities };
  }

  /**
   * Initialises every process with this identity of the cluster from now on; resolves when the current one is. If there is none,
   * or if it ends meanwhile, the next one is initialised before its next call: that does not keep a replica from leading.
   */
  async lead(clusterUid: string | undefined, signal: AbortSignal): Promise<void> {
    this.#leading = { clusterUid };
    const connection = this.#options.source.current();
    if (connection instanceof ProviderError) return;
    this.#links.delete(connection);
    await this.ready(signal).catch(unlessGone);
  }

  /**
   * Returns a connection to an initialised process. Throws ProviderError `Unavailable` while there is no process, and the
   * process's error if it cannot begin.
   */
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

/** Waits for the work, unless the signal aborts before: then throws its reason, while the work continues. */
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
