import { lookup } from "node:dns";
import type { LookupFunction } from "node:net";
import { createSecureContext } from "node:tls";
import { type Dispatcher, EnvHttpProxyAgent, Pool, ProxyAgent } from "undici";
import type { Clock } from "../../model/time.ts";
import type { Credentials } from "../access/credentials.ts";

/**
 * Each watch holds a connection for its whole duration, so there must be many more connections than watches. But each
 * costs a handshake of some milliseconds, so there should not be one for every call in progress under full load.
 */
const CONNECTIONS = 24;
const CONNECT_TIMEOUT_MS = 10_000;
/** Shorter than API servers (90 s) and the load balancers before them (60 s) keep an idle connection. */
const KEEP_ALIVE_MS = 30_000;

export interface LookupTiming {
  readonly clock: Pick<Clock, "monotonic">;
  /** Called with the milliseconds that each name lookup took, whatever its result. */
  readonly onLookup?: (durationMs: number) => void;
}

/** Opens connections to one origin, through the proxy of the kubeconfig or, as in client-go, of the environment. */
export function openConnections(
  origin: URL,
  { tls, proxyUrl }: Credentials,
  names: LookupTiming,
): Dispatcher {
  const limits = { connections: CONNECTIONS, keepAliveTimeout: KEEP_ALIVE_MS };
  // Certificates and key are parsed once rather than for every connection.
  const context = origin.protocol === "https:" ? { secureContext: createSecureContext(tls) } : {};
  const connect = {
    ...tls,
    ...context,
    timeout: CONNECT_TIMEOUT_MS,
    lookup: timedLookup(names),
  };
  if (proxyUrl !== undefined)
    return new ProxyAgent({ ...limits, uri: proxyUrl, requestTls: connect });
  const proxy = proxyOfEnvironment(origin);
  if (proxy === undefined) return new Pool(origin, { ...limits, connect });
  // This agent also knows NO_PROXY, and then connects directly.
  const proxies = { httpProxy: proxy, httpsProxy: proxy };
  return new EnvHttpProxyAgent({ ...limits, ...proxies, connect, requestTls: connect });
}

/** The system's name lookup; addresses need none. */
function timedLookup({ clock, onLookup }: LookupTiming): LookupFunction {
  return (hostname, options, callback) => {
    const startedAt = clock.monotonic();
    lookup(hostname, options, (error, address, family) => {
      onLookup?.(clock.monotonic() - startedAt);
      callback(error, address, family);
    });
  };
}

function proxyOfEnvironment({ protocol, hostname }: URL): string | undefined {
  if (isLoopback(hostname)) return undefined;
  const { https_proxy, HTTPS_PROXY, http_proxy, HTTP_PROXY } = process.env;
  const proxy = protocol === "https:" ? (https_proxy ?? HTTPS_PROXY) : (http_proxy ?? HTTP_PROXY);
  return proxy === "" ? undefined : proxy;
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || hostname.startsWith("127.");
}
