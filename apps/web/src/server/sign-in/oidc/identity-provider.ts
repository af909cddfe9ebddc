import type { OidcSettings } from "@cloudwright/core/model/sign-in/oidc-settings";
import * as client from "openid-client";
import { log } from "../../log.ts";
import { processWide } from "../../process-wide.ts";
import { errorOf } from "./oidc-error.ts";

/** Where users are sent to, and what its answers are checked with. */
export type IdentityProvider = client.Configuration;

const TIMEOUT_SECONDS = 8;

interface Known {
  found?: Promise<IdentityProvider | undefined>;
}

/**
 * The provider as it describes itself; undefined while it cannot be asked. It is asked at the first sign-in and, until it has
 * answered, at each further one, so that a provider that was down when the dashboard started is found once it is up.
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
      // The signature of the id token is checked as well as the connection that it came by.
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

/** As the provider wants to be shown the secret: by the header that is the default of the standard, or in the body. */
function authentication({ clientSecret }: OidcSettings): client.ClientAuth {
  if (clientSecret === undefined) return client.None();
  const byHeader = client.ClientSecretBasic(clientSecret);
  const inBody = client.ClientSecretPost(clientSecret);
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    return (methods.includes("client_secret_basic") ? byHeader : inBody)(server, ...rest);
  };
}
