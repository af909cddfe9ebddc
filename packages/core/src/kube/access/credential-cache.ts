import type { KubeConfig } from "@kubernetes/client-node";
import type { Clock } from "../../model/time.ts";
import type { Credentials } from "./credentials.ts";

/** Files are read again after this time, so that a rotated certificate or token is found. */
export const FRESH_MS = 30_000;

export interface CredentialCache {
  /** Returns fresh credentials at once if they are known. */
  get(): Credentials | Promise<Credentials>;
  /** Makes the next `get` read the kubeconfig again and ask plug-ins again. */
  forget(): void;
}

export interface CredentialCacheOptions {
  readonly clock: Clock;
  readonly first: KubeConfig;
  readonly load: () => Promise<KubeConfig>;
  readonly read: (config: KubeConfig) => Promise<Credentials>;
}

/**
 * Caches credentials for a while, as reading them accesses files and may start a program. Plug-ins keep their own
 * expiry as long as the loaded kubeconfig lives; for a user without one the kubeconfig is loaded again each time.
 */
export function createCredentialCache(options: CredentialCacheOptions): CredentialCache {
  let config: KubeConfig | undefined = options.first;
  let current: Credentials | Promise<Credentials> | undefined;
  let readAt = Number.NEGATIVE_INFINITY;

  async function read(): Promise<Credentials> {
    config = config !== undefined && hasPlugIn(config) ? config : await options.load();
    return options.read(config);
  }

  return {
    get: () => {
      if (current !== undefined && options.clock.monotonic() - readAt < FRESH_MS) return current;
      readAt = options.clock.monotonic();
      const started: Promise<Credentials> = read().then(
        (credentials) => {
          if (current === started) current = credentials;
          return credentials;
        },
        (error: unknown) => {
          if (current === started) current = undefined;
          throw error;
        },
      );
      current = started;
      return started;
    },
    forget: () => {
      config = undefined;
      current = undefined;
    },
  };
}

function hasPlugIn(config: KubeConfig): boolean {
  const user = config.getCurrentUser();
  return Boolean(user?.exec ?? user?.authProvider);
}
