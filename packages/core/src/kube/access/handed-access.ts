import type { Clock } from "../../model/time.ts";
import { FRESH_MS } from "./credential-cache.ts";
import type { Credentials } from "./credentials.ts";
import type { ClusterAccess } from "./kubeconfig.ts";

/** What one thread knows of a cluster's access, as data with which another can be started. */
export interface HandedAccess extends Pick<ClusterAccess, "server" | "source"> {
  readonly credentials: Credentials;
}

export interface HandedAccessOptions {
  readonly clock: Clock;
  readonly load: () => Promise<ClusterAccess>;
}

/**
 * Undefined while the credentials are being read, or if they cannot be: the other thread then has to read them
 * itself.
 */
export function handOver(access: ClusterAccess): HandedAccess | undefined {
  const credentials = access.credentials();
  if (!(credentials instanceof Promise)) {
    return { server: access.server, source: access.source, credentials };
  }
  // The next caller asks again, and learns what is wrong.
  credentials.catch(() => {});
  return undefined;
}

/**
 * The access of a thread that was given another thread's credentials: it uses them until they are old or refused, and only then
 * loads the code that reads a kubeconfig, which would take a fifth of its start.
 */
export function handedAccess(
  { server, source, credentials }: HandedAccess,
  { clock, load }: HandedAccessOptions,
): ClusterAccess {
  const handedAt = clock.monotonic();
  let wasRefused = false;
  let own: ClusterAccess | undefined;
  let loading: Promise<ClusterAccess> | undefined;

  async function loaded(): Promise<Credentials> {
    loading ??= load().finally(() => {
      loading = undefined;
    });
    own = await loading;
    return own.credentials();
  }

  return {
    server,
    source,
    credentials: () => {
      if (own !== undefined) return own.credentials();
      const isFresh = !wasRefused && clock.monotonic() - handedAt < FRESH_MS;
      return isFresh ? credentials : loaded();
    },
    renew: () => {
      wasRefused = true;
      own?.renew();
    },
  };
}
