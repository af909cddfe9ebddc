import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { freePort } from "./free-port.ts";

/** A real OpenID provider (oidc-provider) on this machine, whose login page accepts any password. */
export interface IdentityProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Its users by login name; a test may change them at any time. */
  readonly users: Map<string, Readonly<Record<string, unknown>>>;
  start(): Promise<void>;
  /** Simulates an outage: the address and the users stay. */
  stop(): Promise<void>;
}

export interface IdentityProviderOptions {
  readonly redirectUris: readonly string[];
  /** Whether the claims are in the id token, or only at the userinfo endpoint, as in the standard. */
  readonly claimsInIdToken?: boolean;
  readonly port?: number;
}

/** Creates it without starting to serve. */
export async function identityProvider({
  redirectUris,
  claimsInIdToken = true,
  port,
}: IdentityProviderOptions): Promise<IdentityProvider> {
  const listenPort = port ?? (await freePort());
  const issuer = `http://127.0.0.1:${listenPort}`;
  const clientId = "cloudwright";
  const clientSecret = "the-secret-of-the-client-0123456789";
  const users = new Map<string, Readonly<Record<string, unknown>>>();
  const { Provider } = await import("oidc-provider");
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: redirectUris,
        grant_types: ["authorization_code"],
        response_types: ["code"],
      },
    ],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name", "groups"] },
    conformIdTokenClaims: !claimsInIdToken,
    pkce: { required: () => true },
    features: { devInteractions: { enabled: true } },
    cookies: { keys: ["a key of the test"] },
    ttl: { Session: 600, Interaction: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
    findAccount: (_: unknown, id: string) => {
      const claims = users.get(id);
      return claims && { accountId: id, claims: () => ({ sub: id, ...claims }) };
    },
  });
  const listen = provider.callback();
  let server: Server | undefined;
  return {
    ...{ issuer, clientId, clientSecret, users },
    async start() {
      server = createServer(listen).listen(listenPort, "127.0.0.1");
      await once(server, "listening");
    },
    async stop() {
      server?.closeAllConnections();
      await new Promise((resolve) => server?.close(resolve) ?? resolve(undefined));
      server = undefined;
    },
  };
}

/** A browser without pages that keeps cookies. */
class CookieJar {
  readonly #cookies = new Map<string, string>();

  async send(url: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set("cookie", [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; "));
    const answer = await fetch(url, { ...init, headers, redirect: "manual" });
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      this.#cookies.set(name, value);
    }
    return answer;
  }
}

/**
 * Signs in at the provider as a user would, from the URL that the dashboard redirects to; returns the URL that the provider
 * redirects back to.
 */
export async function signInAtProvider(url: string, login: string): Promise<string> {
  const { origin } = new URL(url);
  const jar = new CookieJar();
  let answer = await jar.send(url);
  for (let step = 0; step < 12; step++) {
    const location = answer.headers.get("location");
    if (location !== null) {
      const next = new URL(location, origin).href;
      if (!next.startsWith(origin)) return next;
      answer = await jar.send(next);
      continue;
    }
    answer = await submit(jar, { origin, page: await answer.text(), login });
  }
  throw new Error("The provider does not lead back.");
}

/** Submits the form of its login or consent page. */
function submit(
  jar: CookieJar,
  {
    origin,
    page,
    login,
  }: { readonly origin: string; readonly page: string; readonly login: string },
): Promise<Response> {
  const action = /action="([^"]+)"/.exec(page)?.[1];
  const prompt = /name="prompt" value="([^"]+)"/.exec(page)?.[1];
  if (action === undefined || prompt === undefined) {
    throw new Error(`The provider shows no form: ${page.slice(0, 300)}`);
  }
  const fields = { prompt, ...(prompt === "login" ? { login, password: "any" } : {}) };
  return jar.send(new URL(action, origin).href, {
    method: "POST",
    body: new URLSearchParams(fields),
  });
}
