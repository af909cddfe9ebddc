import { type CallContext, isProviderError, ProviderError } from "@cloudwright/provider-api";
import type { OpenStackConfig } from "../config/config.ts";
import type { Identity } from "../config/identity.ts";
import { type Connection, connect } from "./connection.ts";
import { type Catalog, loginBody, secretsOf, tokenSchema } from "./keystone.ts";
import { SharedWork } from "./shared-work.ts";

/** What Keystone issued. */
export interface Token {
  readonly id: string;
  readonly catalog: Catalog;
  /** Undefined for an unscoped token. */
  readonly project: { readonly id: string; readonly name?: string | undefined } | undefined;
  /** Monotonic milliseconds: when to renew it, and until when it is valid. */
  readonly renewAt: number;
  readonly expiresAt: number;
}

export interface LoginOptions {
  readonly userAgent: string;
  /** Returns monotonic milliseconds. */
  readonly monotonic: () => number;
}

/** The fraction of a token's lifetime after which it is renewed. */
const RENEWED_AFTER = 0.8;
/** The pause between two failed renewals of a token that is still valid. */
const RENEW_AGAIN_MS = 30_000;

/** One identity with its connections and its token. */
export class Login {
  readonly connection: Connection;
  readonly #identity: Identity;
  readonly #monotonic: () => number;
  readonly #renewal = new SharedWork<Token>();
  #token: Token | undefined;
  #notRenewedBefore = 0;

  constructor(config: OpenStackConfig, { userAgent, monotonic }: LoginOptions) {
    const { identity, tls, metadata } = config;
    const secrets = secretsOf(identity.credentials);
    const timeoutMs = metadata.requestTimeout;
    this.connection = connect({ tls, userAgent, timeoutMs, secrets });
    this.#identity = identity;
    this.#monotonic = monotonic;
  }

  /** Returns a valid token. One that is about to expire is renewed by one of its callers, while the others still use it. */
  async token(context: CallContext): Promise<Token> {
    const now = this.#monotonic();
    const token = this.#token;
    if (token === undefined || now >= token.expiresAt) return this.#renewed(context);
    const isDue = now >= token.renewAt && now >= this.#notRenewedBefore;
    if (!isDue || this.#renewal.isRunning) return token;
    this.#notRenewedBefore = now + RENEW_AGAIN_MS;
    try {
      return await this.#renewed(context);
    } catch (error) {
      context.signal.throwIfAborted();
      if (isProviderError(error)) return token;
      throw error;
    }
  }

  /** Discards a token that a service did not accept, whatever lifetime Keystone gave it. */
  refused(token: Token): void {
    if (this.#token === token) this.#token = undefined;
  }

  #renewed(context: CallContext): Promise<Token> {
    return this.#renewal.join(context.signal, async () => {
      this.#token = await this.#login(context);
      return this.#token;
    });
  }

  async #login(context: CallContext): Promise<Token> {
    const { authUrl, credentials } = this.#identity;
    const call = { operation: "token_create", target: authUrl };
    try {
      return await context.call({ ...call, mutates: false }, async (signal, mayLeave) => {
        const answer = await this.connection.send(
          {
            ...call,
            ...{ service: "identity", method: "POST", headers: {}, schema: tokenSchema },
            url: `${authUrl}/auth/tokens`,
            body: loginBody(credentials),
          },
          { signal, mayLeave },
        );
        return { ...answer, value: this.#tokenOf(answer.value, answer.header("x-subject-token")) };
      });
    } catch (error) {
      throw isProviderError(error) ? explained(error, this.#identity) : error;
    }
  }

  /** Its lifetime is measured by our own clock from now on, as Keystone's clock may differ. */
  #tokenOf({ token }: (typeof tokenSchema)["_output"], id: string | undefined): Token {
    const { authUrl } = this.#identity;
    if (id === undefined) throw wrongAddress(authUrl, "its answer has no X-Subject-Token");
    const now = this.#monotonic();
    const issuedAt = token.issued_at === undefined ? Date.now() : Date.parse(token.issued_at);
    const lifeMs = Math.max(0, Date.parse(token.expires_at) - issuedAt);
    return {
      id,
      catalog: token.catalog,
      project: token.project,
      renewAt: now + RENEWED_AFTER * lifeMs,
      expiresAt: now + lifeMs,
    };
  }
}

/** Explains why a login failed to the author of cloud.conf. It is never NotFound: that would be taken for a missing instance. */
function explained(error: ProviderError, identity: Identity): ProviderError {
  const { status, body } = error.call;
  const isUnknown = error.code === "NotFound" && /could not find/i.test(body?.message ?? "");
  if (error.code === "Unauthorized" || isUnknown) {
    const what =
      identity.credentials.method === "token"
        ? "the token of cloud.conf, which has expired or was revoked and cannot be renewed; set a new one, or an application credential"
        : "our credentials; correct them in cloud.conf";
    const why = body?.message === undefined ? "" : ` (${body.message})`;
    const message = `Keystone refused ${what}${why}.`;
    return new ProviderError("Unauthorized", message, { ...error.call, cause: error });
  }
  if (status === 404 || status === 300) {
    return wrongAddress(identity.authUrl, `it answered ${status}`, error);
  }
  return error;
}

function wrongAddress(authUrl: string, why: string, cause?: ProviderError): ProviderError {
  return new ProviderError(
    "Unavailable",
    `There is no Keystone v3 at ${authUrl}: ${why}; correct auth-url in cloud.conf.`,
    { provider: "openstack", operation: "token_create", target: authUrl, ...cause?.call, cause },
  );
}
