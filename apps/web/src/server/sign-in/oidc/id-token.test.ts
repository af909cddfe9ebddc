import { generateKeyPairSync, type KeyObject, sign as signBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { OidcSettings } from "@cloudwright/core/model/sign-in/oidc-settings";
import { afterAll, beforeAll, expect, it } from "vitest";
import { identityProvider } from "./identity-provider.ts";
import { beginSignIn, type Flow, finishSignIn, type PendingSignIn } from "./oidc-flow.ts";

/* A provider whose id tokens are each wrong in one way. */

const NOW = Math.floor(Date.now() / 1_000);

interface Claims {
  readonly iss: string;
  readonly sub: string;
  readonly aud: string;
  readonly exp: number;
  readonly iat: number;
  readonly nonce: string;
  readonly email: string;
  readonly groups: readonly string[];
}

const right = generateKeyPairSync("rsa", { modulusLength: 2_048 });
const wrong = generateKeyPairSync("rsa", { modulusLength: 2_048 });
const jwks = {
  keys: [{ ...right.publicKey.export({ format: "jwk" }), kid: "k", alg: "RS256", use: "sig" }],
};

let issuer: string;
let settings: OidcSettings;
let idToken = "";
const server = createServer((request, response) => answer(request.url ?? "", response));

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  settings = {
    ...{ issuer, clientId: "cloudwright", clientSecret: "secret", name: "id" },
    ...{ scopes: "openid", groupsClaim: "groups", clusters: undefined },
    roles: [{ group: "ops", gives: "operator" }],
  };
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

function answer(url: string, response: ServerResponse): void {
  const bodies: Readonly<Record<string, object>> = {
    "/.well-known/openid-configuration": {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ["code"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["RS256"],
    },
    "/jwks": jwks,
    "/token": { access_token: "a", token_type: "Bearer", id_token: idToken },
  };
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(bodies[url] ?? {}));
}

/** Returns the outcome of signing in with an id token of these claims. */
async function signInWith(sign: (claims: Claims) => string) {
  const provider = await identityProvider(settings);
  if (provider === undefined) throw new Error("The provider was not found.");
  const flow: Flow = { settings, provider, redirectUri: "http://127.0.0.1:1/callback" };
  const { pending } = await beginSignIn(flow, { next: "/", now: Date.now() });
  idToken = sign(claimsOf(pending));
  const search = `?${new URLSearchParams({ code: "c", state: pending.state })}`;
  return finishSignIn(flow, { search, pending });
}

function claimsOf({ nonce }: PendingSignIn): Claims {
  return {
    ...{ iss: issuer, sub: "ana-1", aud: "cloudwright", nonce },
    ...{ iat: NOW, exp: NOW + 300, email: "Ana@Example.org", groups: ["ops"] },
  };
}

function signed(claims: Claims, key: KeyObject = right.privateKey): string {
  const text = `${part({ alg: "RS256", kid: "k" })}.${part(claims)}`;
  return `${text}.${signBytes("sha256", Buffer.from(text), key).toString("base64url")}`;
}

function part(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

it("a valid id token identifies the user, and its groups give the role", async () => {
  expect(await signInWith((claims) => signed(claims))).toEqual({
    ...{ issuer, subject: "ana-1", email: "ana@example.org", name: "ana" },
    ...{ role: "operator", clusters: undefined },
  });
});

it.each<[string, (claims: Claims) => string]>([
  ["signed with another key", (claims) => signed(claims, wrong.privateKey)],
  ["without a signature", (claims) => `${part({ alg: "none" })}.${part(claims)}.`],
  ["that has expired", (claims) => signed({ ...claims, exp: NOW - 300, iat: NOW - 600 })],
  ["for another client", (claims) => signed({ ...claims, aud: "other" })],
  ["of another issuer", (claims) => signed({ ...claims, iss: "https://evil.example" })],
  ["with another nonce", (claims) => signed({ ...claims, nonce: "other" })],
  ["that is none", () => "a.b.c"],
])("an id token %s is refused", async (_, sign) => {
  await expect(signInWith(sign)).rejects.toThrow();
});
