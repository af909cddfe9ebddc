import type { KubeConfig } from "@kubernetes/client-node";
import type { Clock } from "../../model/time.ts";
import type { Credentials } from "./credentials.ts";

/** After so long files are read again, so that a rotated certificate or token is found. */
export const FRESH_MS = 30_000;

export interface CredentialCache {
  /** At once what is known and fresh. */
  get(): Credentials | Promise<Credentials>;
  /** Reads the kubeconfig itself anew at the next `get`, and asks plug-ins again. */
  forget(): void;
}

export interface CredentialCacheOptions {
  readonly clock: Clock;
  readonly first: KubeConfig;
  readonly load: () => Promise<KubeConfig>;
  readonly read: (config: KubeConfig) => Promise<Credentials>;
}

/**
 * Keeps credentials for a while: reading them touches files and may start a program. Plug-ins keep their own expiry as
 * long as the loaded kubeconfig lives; a user without one is loaded anew each time.
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
