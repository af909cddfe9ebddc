import { type CallContext, isProviderError } from "@cloudwright/provider-api";
import type { OpenStackConfig, WatchedConfig } from "../config/config.ts";
import { Login, type LoginOptions } from "./login.ts";
import { SharedWork } from "./shared-work.ts";

export interface SessionsOptions extends LoginOptions {
  readonly config: WatchedConfig;
  /** Receives a sentence for the operator. */
  warn(message: string): void;
}

/** The pause between two attempts to log in with a changed configuration, in milliseconds. */
const TRY_AGAIN_MS = 30_000;

/** Holds the current login, and replaces it as soon as the files change and Keystone accepts the new one. */
export class Sessions {
  readonly #options: SessionsOptions;
  readonly #switching = new SharedWork<void>();
  #login: Login;
  #config: OpenStackConfig;
  #notTriedBefore = 0;

  constructor(options: SessionsOptions) {
    this.#options = options;
    this.#config = options.config.atStart;
    this.#login = new Login(this.#config, options);
  }

  async login(context: CallContext): Promise<Login> {
    const config = await this.#options.config.current();
    const isDue = this.#options.monotonic() >= this.#notTriedBefore;
    if (isDue && !isSameIdentity(config, this.#config)) {
      await this.#switching.join(context.signal, () => this.#switchTo(config, context));
    }
    return this.#login;
  }

  /** The configuration with the current identity. */
  get config(): OpenStackConfig {
    return this.#config;
  }

  close(): Promise<void> {
    return this.#login.connection.destroy();
  }

  /** Tests the new login before using it: half-rotated credentials must not replace working ones. */
  async #switchTo(config: OpenStackConfig, context: CallContext): Promise<void> {
    const next = new Login(config, this.#options);
    try {
      await next.token(context);
    } catch (error) {
      await next.connection.close();
      if (!isProviderError(error)) throw error;
      this.#notTriedBefore = this.#options.monotonic() + TRY_AGAIN_MS;
      this.#options.warn(
        `The changed credentials or certificates are not used yet, and the previous ones stay in use: ${error.message}`,
      );
      return;
    }
    const former = this.#login;
    this.#login = next;
    this.#config = config;
    // Pending answers still arrive; closing is not waited for.
    former.connection.close().catch((error: unknown) => {
      this.#options.warn(`The previous connections could not be closed: ${String(error)}`);
    });
  }
}

function isSameIdentity(one: OpenStackConfig, other: OpenStackConfig): boolean {
  if (one === other) return true;
  const keyOf = ({ identity, tls }: OpenStackConfig) => JSON.stringify([identity, tls]);
  return keyOf(one) === keyOf(other);
}
