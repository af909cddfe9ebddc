import type { OidcSettings } from "@cloudwright/core/model/sign-in/oidc-settings";
import * as client from "openid-client";
import { log } from "../../log.ts";
import { processWide } from "../../process-wide.ts";
import { errorOf } from "./oidc-error.ts";

/** The provider to send users to, and what its answers are verified with. */
export type IdentityProvider = client.Configuration;

const TIMEOUT_SECONDS = 8;

interface Known {
  found?: Promise<IdentityProvider | undefined>;
}

/**
 * Returns the provider's discovered configuration; undefined while it cannot be reached. It is requested at the first sign-in and, until it
 * succeeds, at each further one, so that a provider that was down when the dashboard started is found later.
 */
export async function identityProvider(
  settings: OidcSettings,
): Promise<IdentityProvider | undefined> {
  const known = processWide<Known>("identity-provider", () => ({}));
  known.found ??= discovered(settings);
  const found = await known.found;
  if (found === undefined) delete known.found;
  return found;
}

async function discovered(settings: OidcSettings): Promise<IdentityProvider | undefined> {
  const issuer = new URL(settings.issuer);
  const isPlain = issuer.protocol === "http:";
  try {
    return await client.discovery(issuer, settings.clientId, undefined, authentication(settings), {
      timeout: TIMEOUT_SECONDS,
      // Verifies the signature of the id token as well as the connection that it came over.
      execute: [
        client.enableNonRepudiationChecks,
        ...(isPlain ? [client.allowInsecureRequests] : []),
      ],
    });
  } catch (error) {
    log.warn("The identity provider does not answer", { issuer: issuer.href, ...errorOf(error) });
    return undefined;
  }
}

/** Presents the secret as the provider expects it: in the header, which is the standard's default, or in the body. */
function authentication({ clientSecret }: OidcSettings): client.ClientAuth {
  if (clientSecret === undefined) return client.None();
  const byHeader = client.ClientSecretBasic(clientSecret);
  const inBody = client.ClientSecretPost(clientSecret);
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    return (methods.includes("client_secret_basic") ? byHeader : inBody)(server, ...rest);
  };
}
