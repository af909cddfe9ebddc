import type { IncomingHttpHeaders } from "node:http";
import { fencedDispatch } from "@cloudwright/provider-api/http";
import type { Dispatcher } from "undici";
import type { Credentials, TlsOptions } from "../access/credentials.ts";
import type { ClusterAccess } from "../access/kubeconfig.ts";
import { type LookupTiming, openConnections } from "./connections.ts";

export interface HttpRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path and query, without the server's own prefix. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
  /** Whether it is sent although the fence is closed; reads are in any case. */
  readonly passesFence?: boolean;
}

export interface HttpAnswer {
  readonly statusCode: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Dispatcher.ResponseData["body"];
}

/** Keep-alive HTTP/1.1 to one cluster. Connections are made anew when the certificates they were made with change. */
export interface Transport {
  readonly host: string;
  /** Throws what undici throws when no answer comes. An answer 401 is tried once more with credentials read anew. */
  send(request: HttpRequest): Promise<HttpAnswer>;
  /** Breaks every open request and connection. */
  close(): Promise<void>;
}

export interface TransportOptions extends LookupTiming {
  /** A write whose first byte would leave while it is closed fails with NotSent. */
  readonly fence?: () => boolean;
}

export function createTransport(access: ClusterAccess, options: TransportOptions): Transport {
  const url = new URL(access.server);
  const prefix = url.pathname === "/" ? "" : url.pathname.replace(/\/+$/, "");
  const pools = createPools(new URL(url.origin), options);

  async function attempt(request: HttpRequest): Promise<HttpAnswer> {
    const credentials = await orAborted(access.credentials(), request.signal);
    const { reading, writing } = pools.current(credentials);
    const isFree = request.method === "GET" || request.passesFence === true;
    return (isFree ? reading : writing).request({
      origin: url.origin,
      method: request.method,
      path: prefix + request.path,
      headers: { ...request.headers, ...credentials.headers },
      body: request.body ?? null,
      signal: request.signal,
      // Deadlines are the caller's: a watch may be silent for long, a list may take its time.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  return {
    host: url.host,
    send: async (request) => {
      const answer = await attempt(request);
      if (answer.statusCode !== 401) return answer;
      await answer.body.dump();
      access.renew();
      return attempt(request);
    },
    close: pools.close,
  };
}

/** A credential plug-in may hang, and knows no signal: then the caller leaves without it. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      reject(
        new Error("the kubeconfig's credentials were not there in time", { cause: signal.reason }),
      );
    };
    if (signal.aborted) giveUp();
    signal.addEventListener("abort", giveUp, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", giveUp));
  });
}

interface Pools {
  current(credentials: Credentials): Connections;
  close(): Promise<void>;
}

interface Connections {
  readonly made: Credentials;
  readonly reading: Dispatcher;
  /** The same ones, behind the fence. */
  readonly writing: Dispatcher;
}

function createPools(origin: URL, { fence, ...names }: TransportOptions): Pools {
  const all = new Set<Dispatcher>();
  let newest: Connections | undefined;

  function replace(credentials: Credentials): Connections {
    const old = newest?.reading;
    const reading = openConnections(origin, credentials, names);
    const writing = fence === undefined ? reading : fencedDispatch(reading, fence);
    const opened = { made: credentials, reading, writing };
    newest = opened;
    all.add(reading);
    // Lets running requests end on their old connections.
    void old?.close().then(
      () => all.delete(old),
      () => all.delete(old),
    );
    return opened;
  }

  return {
    current: (credentials) =>
      newest !== undefined && isSameConnection(newest.made, credentials)
        ? newest
        : replace(credentials),
    close: async () => {
      newest = undefined;
      await Promise.all([...all].map((pool) => pool.destroy()));
      all.clear();
    },
  };
}

const TLS_FIELDS: readonly (keyof TlsOptions)[] = [
  "ca",
  "cert",
  "key",
  "servername",
  "rejectUnauthorized",
];

function isSameConnection(one: Credentials, other: Credentials): boolean {
  if (one === other) return true;
  if (one.proxyUrl !== other.proxyUrl) return false;
  return TLS_FIELDS.every((field) => one.tls[field] === other.tls[field]);
}
