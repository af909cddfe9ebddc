import type { KubeConnection } from "../calls/kube-client.ts";
import type { CallOptions, KubeList, KubeObject, Lease, Target } from "../client.ts";
import { KubeError, type KubeErrorCode } from "../errors.ts";
import type { WatchEvent, WatchOptions } from "../informer/watch-stream.ts";

/** One Lease behind a KubeConnection, with the API server's rules for versions, for tests with a manual clock. */
export interface LeaseApi {
  readonly client: KubeConnection;
  readonly lease: Lease | undefined;
  readonly calls: string[];
  /** The code with which every call fails until it is reset. */
  failWith: KubeErrorCode | undefined;
  /** Calls hang until their signal ends them. */
  hang: boolean;
  /** Edits the Lease like somebody else, or deletes it. */
  edit(change: (lease: Lease) => Lease | undefined): void;
}

type Watcher = (event: WatchEvent<KubeObject>) => void;

export function createLeaseApi(options: { readonly watchable: boolean }): LeaseApi {
  const watchers = new Set<Watcher>();
  const state: { lease: Lease | undefined; version: number } = { lease: undefined, version: 0 };

  function store(lease: Lease | undefined): Lease | undefined {
    const old = state.lease;
    state.version += 1;
    const resourceVersion = String(state.version);
    const written =
      lease === undefined
        ? undefined
        : { ...lease, metadata: { ...lease.metadata, uid: "lease-uid", resourceVersion } };
    state.lease = written;
    const type = written === undefined ? "DELETED" : old === undefined ? "ADDED" : "MODIFIED";
    for (const watcher of watchers) watcher({ type, object: written ?? old ?? {} });
    return written;
  }

  const api: LeaseApi = {
    get lease() {
      return state.lease;
    },
    calls: [],
    failWith: undefined,
    hang: false,
    edit: (change) => {
      if (state.lease !== undefined) store(change(state.lease));
    },
    client: {
      get: (_, called) => answer("get", called, () => found(state.lease)),
      list: (_, called) =>
        answer("list", called, () => {
          if (!options.watchable) throw failure("Forbidden", "list");
          return listOf(state.lease, state.version);
        }),
      create: (_, object, called) =>
        answer("create", called, () => {
          if (state.lease !== undefined) throw failure("AlreadyExists", "create");
          return store(object as Lease);
        }),
      update: (_, object, called) =>
        answer("update", called, () => {
          const current = found(state.lease);
          if (current.metadata?.resourceVersion !== object.metadata?.resourceVersion) {
            throw failure("Conflict", "update");
          }
          return store(object as Lease);
        }),
      watch: (_: Target, called) => watchUntilAborted(watchers, called),
      ...NOT_FOR_LEASES,
    },
  };

  async function answer<T>(
    verb: string,
    called: CallOptions | undefined,
    make: () => unknown,
  ): Promise<T> {
    if (verb !== "list") api.calls.push(verb);
    if (api.hang) await aborted(called?.signal);
    if (called?.signal?.aborted) throw failure("Unavailable", verb);
    if (api.failWith !== undefined) throw failure(api.failWith, verb);
    return make() as T;
  }

  return api;
}

const NOT_FOR_LEASES = {
  patch: () => Promise.reject(failure("Invalid", "patch")),
  delete: () => Promise.reject(failure("Invalid", "delete")),
  raw: () => Promise.reject(failure("Invalid", "get")),
  close: () => Promise.resolve(),
};

function watchUntilAborted<T>(watchers: Set<Watcher>, options: WatchOptions<T>): Promise<void> {
  return new Promise((resolve) => {
    const watcher = options.onEvent as Watcher;
    watchers.add(watcher);
    options.onHeard();
    options.signal?.addEventListener("abort", () => {
      watchers.delete(watcher);
      resolve();
    });
  });
}

function found(lease: Lease | undefined): Lease {
  if (lease === undefined) throw failure("NotFound", "get");
  return lease;
}

function listOf(lease: Lease | undefined, version: number): KubeList<Lease> {
  return {
    items: lease === undefined ? [] : [lease],
    metadata: { resourceVersion: String(version) },
  };
}

function failure(code: KubeErrorCode, verb: string): KubeError {
  return new KubeError(code, `${code} in this test`, { verb, resource: "leases" });
}

function aborted(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    signal?.addEventListener("abort", () => resolve());
  });
}
