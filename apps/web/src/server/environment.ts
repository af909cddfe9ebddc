import type { BlockList } from "node:net";
import {
  type OidcSettings,
  parseOidcSettings,
} from "@cloudwright/core/model/sign-in/oidc-settings";
import { messageOf } from "@cloudwright/core/model/values/message-of";
import { z } from "zod";
import { parseProxies } from "./requests/trusted-proxies.ts";

const environmentSchema = z.object({
  DATABASE_URL: z
    .string()
    .min(1, "DATABASE_URL is missing; set it to the ledger's PostgreSQL URL."),
  CLOUDWRIGHT_AUTH_SECRET: z
    .string()
    .min(32, "CLOUDWRIGHT_AUTH_SECRET is missing or short; set at least 32 random characters."),
  CLOUDWRIGHT_PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  CLOUDWRIGHT_LOCAL_SIGN_IN: z.enum(["on", "off"]).default("on"),
  CLOUDWRIGHT_WEBHOOKS_PRIVATE: z
    .enum(["allow", "refuse"], "CLOUDWRIGHT_WEBHOOKS_PRIVATE is allow or refuse.")
    .default("refuse"),
  CLOUDWRIGHT_TRUSTED_PROXIES: z
    .string()
    .default("")
    .transform((text, context) => {
      try {
        return parseProxies(text);
      } catch (error) {
        context.addIssue({ code: "custom", message: String(error) });
        return z.NEVER;
      }
    }),
});

export interface Environment {
  readonly databaseUrl: string;
  readonly authSecret: string;
  /** The origin under which browsers reach the dashboard; undefined means loopback only. */
  readonly publicOrigin: string | undefined;
  /** The proxies whose word on a request's origin is trusted; none by default. */
  readonly trustedProxies: BlockList;
  /** The identity provider; undefined means that only users of this database sign in. */
  readonly oidc: OidcSettings | undefined;
  /** Whether passwords may be used to sign in; otherwise only the identity provider and single-use links. */
  readonly localSignIn: boolean;
  /** Whether webhooks may go to loopback and private addresses; off by default. */
  readonly privateWebhooks: boolean;
}

let parsed: Environment | undefined;

/** Returns the process's settings, parsed once. Throws an Error that names what is missing or wrong. */
export function environment(): Environment {
  parsed ??= parseEnvironment(process.env);
  return parsed;
}

export function parseEnvironment(variables: Readonly<Record<string, string | undefined>>) {
  const result = environmentSchema.safeParse(variables);
  if (!result.success) {
    const problems = result.error.issues.map(
      ({ path, message }) => `${path.join(".")}: ${message}`,
    );
    throw new Error(`The dashboard's settings are not usable. ${problems.join(" ")}`);
  }
  const { DATABASE_URL, CLOUDWRIGHT_AUTH_SECRET, CLOUDWRIGHT_PUBLIC_URL } = result.data;
  const oidc = oidcOf(variables);
  const localSignIn = result.data.CLOUDWRIGHT_LOCAL_SIGN_IN === "on";
  if (!localSignIn && oidc === undefined) throw new Error(NO_WAY_IN);
  return {
    databaseUrl: DATABASE_URL,
    authSecret: CLOUDWRIGHT_AUTH_SECRET,
    publicOrigin:
      CLOUDWRIGHT_PUBLIC_URL === undefined ? undefined : new URL(CLOUDWRIGHT_PUBLIC_URL).origin,
    trustedProxies: result.data.CLOUDWRIGHT_TRUSTED_PROXIES,
    oidc,
    localSignIn,
    privateWebhooks: result.data.CLOUDWRIGHT_WEBHOOKS_PRIVATE === "allow",
  } satisfies Environment;
}

const NO_WAY_IN =
  "The dashboard's settings are not usable. CLOUDWRIGHT_LOCAL_SIGN_IN is off, and there is no OpenID provider at which users could sign in instead: set CLOUDWRIGHT_OIDC_ISSUER.";

function oidcOf(variables: Readonly<Record<string, string | undefined>>): OidcSettings | undefined {
  try {
    return parseOidcSettings(variables);
  } catch (error) {
    throw new Error(`The dashboard's settings are not usable. ${messageOf(error)}`);
  }
}
