import { clustersOfGroups, roleOfGroups } from "@cloudwright/core/model/sign-in/group-rules";
import { groupsOf, type OidcSettings } from "@cloudwright/core/model/sign-in/oidc-settings";
import { openText, type Seal, sealText } from "@cloudwright/store/text/sealed-text";
import { storableText } from "@cloudwright/store/text/storable-text";
import type { ExternalIdentity } from "@cloudwright/store/users/external-sign-in";
import * as client from "openid-client";
import { z } from "zod";
import type { IdentityProvider } from "./identity-provider.ts";

/** What a browser at the provider must come back with; kept in a sealed cookie. */
const pendingSchema = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** Where to go afterwards. */
  next: z.string(),
  until: z.number(),
});
export type PendingSignIn = z.infer<typeof pendingSchema>;

/** How many seconds a user may spend at the provider. */
export const PENDING_SECONDS = 10 * 60;

export interface Flow {
  readonly settings: OidcSettings;
  readonly provider: IdentityProvider;
  readonly redirectUri: string;
}

/** Returns the provider's page for this sign-in, and what has to come back from there. */
export async function beginSignIn(
  { settings, provider, redirectUri }: Flow,
  { next, now }: { readonly next: string; readonly now: number },
): Promise<{ readonly url: URL; readonly pending: PendingSignIn }> {
  const pending = {
    state: client.randomState(),
    nonce: client.randomNonce(),
    verifier: client.randomPKCECodeVerifier(),
    next,
    until: now + PENDING_SECONDS * 1_000,
  };
  const url = client.buildAuthorizationUrl(provider, {
    redirect_uri: redirectUri,
    scope: settings.scopes,
    state: pending.state,
    nonce: pending.nonce,
    code_challenge: await client.calculatePKCECodeChallenge(pending.verifier),
    code_challenge_method: "S256",
  });
  return { url, pending };
}

/**
 * Returns who came back. openid-client checks state, nonce, PKCE, issuer, audience, times and signature, and throws if any is wrong.
 * Returns undefined if the provider gives no e-mail address.
 */
export async function finishSignIn(
  flow: Flow,
  { search, pending }: { readonly search: string; readonly pending: PendingSignIn },
): Promise<ExternalIdentity | undefined> {
  const { settings, provider, redirectUri } = flow;
  const tokens = await client.authorizationCodeGrant(provider, new URL(redirectUri + search), {
    expectedState: pending.state,
    expectedNonce: pending.nonce,
    pkceCodeVerifier: pending.verifier,
    idTokenExpected: true,
  });
  const idToken = tokens.claims();
  if (idToken === undefined) throw new Error("The identity provider sent no id token.");
  const claims = await withUserInfo(flow, idToken, tokens.access_token);
  const found = identitySchema.safeParse(claims).data;
  if (found === undefined) return undefined;
  const groups = groupsOf(claims, settings.groupsClaim);
  return {
    issuer: idToken.iss,
    subject: idToken.sub,
    email: found.email,
    name: found.name ?? found.preferred_username ?? found.email.split("@", 1)[0] ?? found.email,
    role: roleOfGroups(groups, settings.roles),
    clusters:
      settings.clusters === undefined ? undefined : clustersOfGroups(groups, settings.clusters),
  };
}

type Claims = Readonly<Record<string, unknown>>;

/** Some providers put only the subject in the id token, and offer the rest at their user info endpoint. */
async function withUserInfo(
  { settings, provider }: Flow,
  idToken: client.IDToken,
  accessToken: string,
): Promise<Claims> {
  const isWhole = idToken.email !== undefined && groupsOf(idToken, settings.groupsClaim).length > 0;
  if (isWhole || provider.serverMetadata().userinfo_endpoint === undefined) return idToken;
  return { ...(await client.fetchUserInfo(provider, accessToken, idToken.sub)), ...idToken };
}

const NAME_MOST = 100;
const nameSchema = z
  .string()
  .transform((text) => text.trim().slice(0, NAME_MOST).trim())
  .pipe(storableText(NAME_MOST).min(1))
  .optional()
  .catch(undefined);

const identitySchema = z.object({
  email: storableText(254)
    .trim()
    .toLowerCase()
    .regex(/^[^\s@]+@[^\s@]+$/),
  name: nameSchema,
  preferred_username: nameSchema,
});

/** Returns the cookie's value. */
export function sealPending(pending: PendingSignIn, secret: string): string {
  return sealText(JSON.stringify(pending), sealOf(secret));
}

/** Returns undefined for a cookie that is not ours or has expired. */
export function openPending(
  sealed: string,
  { secret, now }: { readonly secret: string; readonly now: number },
): PendingSignIn | undefined {
  const text = openText(sealed, sealOf(secret));
  if (text === undefined) return undefined;
  const pending = pendingSchema.parse(JSON.parse(text));
  return pending.until > now ? pending : undefined;
}

function sealOf(secret: string): Seal {
  return { secret, purpose: "sign-in at the identity provider" };
}
