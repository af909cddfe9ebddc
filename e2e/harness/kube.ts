import { once, setMaxListeners } from "node:events";
import { KubeConfig } from "@kubernetes/client-node";
import { Agent, request } from "undici";
import type { Watchable } from "./wait.ts";

/** A JSON object of the API, loosely typed: the suite checks what is on the wire. */
export interface KubeObject {
  apiVersion?: string;
  kind?: string;
  metadata: {
    name: string;
    namespace?: string;
    uid?: string;
    resourceVersion?: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
    finalizers?: string[];
    deletionTimestamp?: string;
    creationTimestamp?: string;
  };
}

export interface Taint {
  key: string;
  value?: string;
  effect: string;
}

export interface Node extends KubeObject {
  spec: {
    providerID?: string;
    taints?: Taint[];
    unschedulable?: boolean;
    podCIDR?: string;
    podCIDRs?: string[];
  };
  status: {
    addresses?: { type: string; address: string }[];
    conditions?: { type: string; status: string; reason?: string; message?: string }[];
  };
}

export interface KubeEvent extends KubeObject {
  reason: string;
  message: string;
  type: string;
  count?: number;
  involvedObject: { kind: string; name: string; uid?: string };
}

export class KubeFailure extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export type PatchKind = "json" | "merge" | "strategic";
const PATCH_TYPES: Record<PatchKind, string> = {
  json: "application/json-patch+json",
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
};

/** A small client of the Kubernetes API for tests: one keep-alive pool, JSON in and out. */
export class Kube {
  readonly #origin: string;
  readonly #agent: Agent;
  readonly #headers: Record<string, string>;

  constructor(kubeconfig: string) {
    const config = new KubeConfig();
    config.loadFromFile(kubeconfig);
    const cluster = config.getCurrentCluster();
    const user = config.getCurrentUser();
    if (cluster === null) throw new Error(`${kubeconfig} names no cluster`);
    this.#origin = cluster.server;
    this.#agent = new Agent({
      connections: 32,
      connect: {
        ca: decode(cluster.caData),
        cert: decode(user?.certData),
        key: decode(user?.keyData),
        rejectUnauthorized: cluster.skipTLSVerify !== true,
      },
    });
    this.#headers = user?.token === undefined ? {} : { authorization: `Bearer ${user.token}` };
  }

  get<T extends KubeObject>(path: string): Promise<T> {
    return this.#json("GET", path);
  }

  list<T extends KubeObject>(
    path: string,
  ): Promise<{ items: T[]; metadata: { resourceVersion: string } }> {
    return this.#json("GET", path);
  }

  create<T extends KubeObject>(path: string, object: object): Promise<T> {
    return this.#json("POST", path, { body: object });
  }

  patch<T extends KubeObject>(path: string, kind: PatchKind, body: unknown): Promise<T> {
    return this.#json("PATCH", path, { body, type: PATCH_TYPES[kind] });
  }

  delete(path: string): Promise<unknown> {
    return this.#json("DELETE", path);
  }

  async raw(path: string): Promise<string> {
    const answer = await request(this.#origin + path, {
      dispatcher: this.#agent,
      headers: this.#headers,
    });
    return answer.body.text();
  }

  /** Yields the lines of a watch from this resource version. */
  async *watch(path: string, signal: AbortSignal): AsyncGenerator<string> {
    const answer = await request(this.#origin + path, {
      dispatcher: this.#agent,
      headers: this.#headers,
      signal,
      bodyTimeout: 0,
    });
    if (answer.statusCode !== 200)
      throw new KubeFailure(answer.statusCode, await answer.body.text());
    let rest = "";
    for await (const chunk of answer.body) {
      const lines = (rest + Buffer.from(chunk).toString("utf8")).split("\n");
      rest = lines.pop() ?? "";
      yield* lines;
    }
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }

  async #json<T>(
    method: "GET" | "POST" | "PATCH" | "DELETE",
    path: string,
    { body, type = "application/json" }: { body?: unknown; type?: string } = {},
  ): Promise<T> {
    const answer = await request(this.#origin + path, {
      dispatcher: this.#agent,
      method,
      headers: { ...this.#headers, "content-type": type },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await answer.body.text();
    if (answer.statusCode >= 400)
      throw new KubeFailure(answer.statusCode, `${method} ${path}: ${text}`);
    return JSON.parse(text) as T;
  }
}

/** The objects of one kind, kept current by a watch; checks wait with `changed`. */
export class View<T extends KubeObject> implements Watchable {
  readonly #objects = new Map<string, T>();
  readonly #signals = new EventTarget();
  readonly #stop = new AbortController();
  /** Called with every object at each revision. */
  readonly #listeners = new Set<(type: string, object: T) => void>();

  static async open<T extends KubeObject>(kube: Kube, path: string): Promise<View<T>> {
    const view = new View<T>();
    // Many rows wait on the same view.
    setMaxListeners(0, view.#signals);
    const version = await view.#relist(kube, path);
    void view.#follow(kube, path, version);
    return view;
  }

  get(name: string): T | undefined {
    return this.#objects.get(name);
  }

  all(): T[] {
    return [...this.#objects.values()];
  }

  onChange(listener: (type: string, object: T) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async changed(atMostMs: number): Promise<void> {
    const timer = AbortSignal.timeout(Math.max(1, Math.min(atMostMs, 1_000)));
    await once(this.#signals, "change", { signal: timer }).catch(() => undefined);
  }

  close(): void {
    this.#stop.abort();
  }

  async #relist(kube: Kube, path: string): Promise<string> {
    const list = await kube.list<T>(path);
    this.#objects.clear();
    for (const object of list.items) this.#objects.set(keyOf(object), object);
    this.#signals.dispatchEvent(new Event("change"));
    return list.metadata.resourceVersion;
  }

  async #follow(kube: Kube, path: string, from: string): Promise<void> {
    let version = from;
    while (!this.#stop.signal.aborted) {
      version = await this.#watchFrom(kube, path, version);
    }
  }

  /** Runs one watch to its end; returns the resource version from which to continue. */
  async #watchFrom(kube: Kube, path: string, from: string): Promise<string> {
    let version = from;
    try {
      const query = `${path}?watch=true&allowWatchBookmarks=true&resourceVersion=${version}`;
      for await (const line of kube.watch(query, this.#stop.signal)) {
        if (line.trim() !== "") version = this.#take(line);
      }
      return version;
    } catch {
      if (this.#stop.signal.aborted) return version;
      await new Promise((resolve) => setTimeout(resolve, 200));
      return this.#relist(kube, path).catch(() => version);
    }
  }

  #take(line: string): string {
    const event = JSON.parse(line) as { type: string; object: T };
    if (event.type === "ERROR") throw new Error(line);
    const version = event.object.metadata.resourceVersion ?? "";
    if (event.type === "BOOKMARK") return version;
    if (event.type === "DELETED") this.#objects.delete(keyOf(event.object));
    else this.#objects.set(keyOf(event.object), event.object);
    for (const listener of this.#listeners) listener(event.type, event.object);
    this.#signals.dispatchEvent(new Event("change"));
    return version;
  }
}

function keyOf(object: KubeObject): string {
  return object.metadata.name;
}

function decode(data: string | undefined): string | undefined {
  return data === undefined ? undefined : Buffer.from(data, "base64").toString("utf8");
}
