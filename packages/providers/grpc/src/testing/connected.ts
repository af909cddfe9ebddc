import { ProviderError } from "@cloudwright/provider-api";
import { connectTo } from "../connection/connect.ts";
import type {
  Connection,
  ConnectionSource,
  LeaseFence,
  ObjectSource,
  SourceChange,
  SourceObject,
} from "../connection.ts";
import type { ContractServer } from "./contract-server.ts";

/** A source whose connection a test sets. */
export class TestSource implements ConnectionSource {
  readonly #listeners = new Set<(connection: Connection) => void>();
  #connection: Connection | undefined;

  current(): Connection | ProviderError {
    if (this.#connection !== undefined) return this.#connection;
    const call = { provider: "memory", operation: "connect" };
    return new ProviderError("Unavailable", "The provider process is not running.", call);
  }

  onConnected(listener: (connection: Connection) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Connects to this start of a process; without one, the source has no connection. */
  async use(server: ContractServer | undefined): Promise<void> {
    this.#connection?.close();
    this.#connection = undefined;
    if (server === undefined) return;
    const signal = AbortSignal.timeout(20_000);
    this.#connection = await connectTo(server.socketPath, { userAgent: "test/1", signal });
    for (const listener of this.#listeners) listener(this.#connection);
  }
}

/** Objects of a cluster that a test sets. */
export class TestObjects implements ObjectSource {
  readonly #objects = new Map<string, SourceObject>();
  readonly #listeners = new Set<(change: SourceChange) => void>();
  /** How often an object was serialised. */
  written = 0;

  put(kind: SourceObject["kind"], name: string, resourceVersion: string): void {
    const namespace = kind === "Node" ? "" : "shop";
    const uid = `${kind}-${name}`;
    const json = () => {
      this.written += 1;
      return JSON.stringify({ kind, metadata: { name, namespace, uid, resourceVersion } });
    };
    this.#objects.set(uid, { kind, uid, resourceVersion, namespace, name, json });
    this.#notify({ kind, uid, isGone: false });
  }

  remove(kind: SourceObject["kind"], name: string): void {
    const uid = `${kind}-${name}`;
    this.#objects.delete(uid);
    this.#notify({ kind, uid, isGone: true });
  }

  node(name: string): SourceObject | undefined {
    return this.#objects.get(`Node-${name}`);
  }

  service(uid: string): SourceObject | undefined {
    return this.#objects.get(uid);
  }

  all(kind: SourceObject["kind"]): Iterable<SourceObject> {
    return [...this.#objects.values()].filter((one) => one.kind === kind);
  }

  onChange(listener: (change: SourceChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #notify(change: SourceChange): void {
    for (const listener of this.#listeners) listener(change);
  }
}

export const HELD: LeaseFence = {
  current: () => ({ holder: "replica-1", term: 7, validUntil: Date.now() + 10_000 }),
};

export const CONFIG = {
  cloudConfig: "[global]",
  clusterName: "kubernetes",
  clusterCidrs: ["10.0.0.0/8"],
  settings: {},
};
