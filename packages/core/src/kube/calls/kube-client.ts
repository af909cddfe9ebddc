import type { Clock } from "../../model/time.ts";
import { parsedJson } from "../../model/values/json.ts";
import type { ClusterAccess } from "../access/kubeconfig.ts";
import type {
  CallOptions,
  KubeClient,
  KubeList,
  KubeObject,
  Patch,
  PatchKind,
  Target,
} from "../client.ts";
import { isKubeError, KubeError } from "../errors.ts";
import { readWatch, type WatchOptions } from "../informer/watch-stream.ts";
import {
  type CallPort,
  type CallRequest,
  type KubeCallReport,
  makeCall,
  openCall,
} from "./call.ts";
import { noAnswer } from "./no-answer.ts";
import { createRateLimit } from "./rate-limit.ts";
import { resourceName, resourcePath } from "./resource-path.ts";
import { createTransport, type HttpRequest } from "./transport.ts";

export interface KubeClientOptions {
  readonly access: ClusterAccess;
  /** Calls a second on average; 0 or less means no limit. */
  readonly qps: number;
  /** Calls at once before the average counts. */
  readonly burst: number;
  readonly clock: Clock;
  readonly userAgent: string;
  /** Checked right before a write's first byte is sent; false stops the write. Absent: writes are always sent. */
  readonly fence?: () => boolean;
  /** Called at the end of every call, for metrics. */
  readonly onCall?: (call: KubeCallReport) => void;
  /** Called each time the API server's name was resolved. */
  readonly onLookup?: (lookup: NameLookup) => void;
}

export interface NameLookup {
  /** Name and port, as in the records of calls. */
  readonly host: string;
  readonly durationMs: number;
}

/** A client that holds connections and supports watches. */
export interface KubeConnection extends KubeClient {
  /**
   * Follows changes until the server ends the watch (resolves) or it fails (KubeError). `onEvent` is called in order;
   * an error that it throws ends the watch.
   */
  watch<T extends KubeObject>(target: Target, options: WatchOptions<T>): Promise<void>;
  /** Breaks every open call and connection. */
  close(): Promise<void>;
}

const CONTENT_TYPES: Readonly<Record<PatchKind, string>> = {
  strategic: "application/strategic-merge-patch+json",
  merge: "application/merge-patch+json",
  json: "application/json-patch+json",
};

/** Creates a client over keep-alive connections; the contract is KubeClient's. */
export function createKubeClient(options: KubeClientOptions): KubeConnection {
  const { access, clock, fence, onLookup } = options;
  const transport = createTransport(access, {
    clock,
    ...(fence === undefined ? {} : { fence }),
    onLookup: (durationMs) => onLookup?.({ host: transport.host, durationMs }),
  });
  const port: CallPort = { ...options, transport, limit: createRateLimit(options) };

  async function ask<T>(asked: Asked): Promise<T> {
    const call = toCall(asked);
    return (await makeCall(port, call, (text, status) => readObject(text, status, call))) as T;
  }

  return {
    get: (target, called = {}) => ask({ verb: "get", method: "GET", target, called }),
    list: async <T extends KubeObject>(target: Target, called: CallOptions = {}) => {
      const call = toCall({ verb: "list", method: "GET", target, called });
      return makeCall(port, call, (text, status) =>
        toList<T>(readObject(text, status, call), call),
      );
    },
    create: (target, body, called = {}) => {
      const { name: owner, ...collection } = target;
      const isBelow = target.subresource !== undefined;
      const name = (isBelow ? owner : body.metadata?.name) ?? "";
      const into = isBelow ? target : collection;
      return ask({ verb: "create", method: "POST", target: into, name, body, called });
    },
    update: (target, body, called = {}) =>
      ask({ verb: "update", method: "PUT", target, body, called }),
    patch: (target, patch, called = {}) =>
      ask({ verb: "patch", method: "PATCH", target, body: patch.body, patch, called }),
    delete: async (target, preconditions, called = {}) => {
      const body = { apiVersion: "v1", kind: "DeleteOptions", preconditions };
      await ask({ verb: "delete", method: "DELETE", target, body, called });
    },
    raw: (path, called = {}) => makeCall(port, toRawCall(path, called), (text) => text),
    watch: (target, watched) => watch(port, target, watched),
    close: transport.close,
  };
}

interface Asked {
  readonly verb: string;
  readonly method: HttpRequest["method"];
  readonly target: Target;
  readonly called: CallOptions;
  readonly name?: string;
  readonly body?: unknown;
  readonly patch?: Patch;
}

function toCall({ verb, method, target, called, name, body, patch }: Asked): CallRequest {
  return {
    verb,
    method,
    resource: resourceName(target),
    name: name ?? target.name ?? "",
    path: resourcePath(target, called.query),
    options: called,
    ...(body === undefined ? {} : { body }),
    ...(patch === undefined
      ? {}
      : { contentType: CONTENT_TYPES[patch.kind], patchKind: patch.kind }),
  };
}

function toRawCall(path: string, options: CallOptions): CallRequest {
  const search = new URLSearchParams(options.query).toString();
  const whole = search === "" ? path : `${path}?${search}`;
  return { verb: "get", method: "GET", resource: path, name: "", path: whole, options };
}

function readObject(text: string, status: number, call: CallRequest): object {
  const value = parsedJson(text);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw new KubeError("Unavailable", notTheApi("an object"), {
    verb: call.verb,
    resource: call.resource,
    status,
  });
}

function toList<T>(value: object, call: CallRequest): KubeList<T> {
  const { items, metadata } = value as Partial<KubeList<T>>;
  if (typeof metadata?.resourceVersion === "string" && (items === null || Array.isArray(items))) {
    return { items: items ?? [], metadata };
  }
  throw new KubeError("Unavailable", notTheApi("a list"), {
    verb: call.verb,
    resource: call.resource,
  });
}

function notTheApi(wanted: string): string {
  return `the answer is not ${wanted} of the Kubernetes API; check what is between it and this process`;
}

/**
 * The deadline and the report of a watch cover only its first bytes; after that it ends with the caller's signal or the
 * server.
 */
async function watch<T extends KubeObject>(
  port: CallPort,
  target: Target,
  options: WatchOptions<T>,
): Promise<void> {
  const call = toCall({ verb: "watch", method: "GET", target, called: options });
  const ref = { verb: "watch", resource: call.resource };
  const answer = await openCall(port, call);
  const stop = () => answer.body.destroy();
  if (options.signal?.aborted) stop();
  options.signal?.addEventListener("abort", stop, { once: true });
  try {
    await readWatch(answer, options, ref);
  } catch (error) {
    throw isKubeError(error) ? error : noAnswer(error, ref, {});
  } finally {
    options.signal?.removeEventListener("abort", stop);
  }
}
