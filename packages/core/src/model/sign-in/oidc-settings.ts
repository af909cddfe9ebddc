import { z } from "zod/mini";
import type { Role } from "../roles.ts";
import { type GroupRule, parseClusterRules, parseRoleRules } from "./group-rules.ts";

/** The identity provider with which users sign in, and what its groups grant here. */
export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  /** Absent for a public client, which only PKCE protects. */
  readonly clientSecret: string | undefined;
  /** The provider's name on the button of the sign-in page. */
  readonly name: string;
  readonly scopes: string;
  /** A claim, or the path to it separated by dots. */
  readonly groupsClaim: string;
  readonly roles: readonly GroupRule<Role>[];
  /** Absent: clusters do not depend on groups. */
  readonly clusters: readonly GroupRule<readonly string[]>[] | undefined;
}

export const OIDC_DEFAULTS = {
  scopes: "openid profile email",
  groupsClaim: "groups",
} as const;

const LOOPBACK = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?(\/|$)/;

const given = z.pipe(
  z.optional(z.string()),
  z.transform((text) => (text?.trim() === "" ? undefined : text?.trim())),
);

const schema = z.object({
  CLOUDWRIGHT_OIDC_ISSUER: given.check(
    z.refine(isIssuer, {
      error:
        "is no issuer: give its address with https, such as https://id.example.org/realms/ops.",
    }),
  ),
  CLOUDWRIGHT_OIDC_CLIENT_ID: given,
  CLOUDWRIGHT_OIDC_CLIENT_SECRET: given,
  CLOUDWRIGHT_OIDC_NAME: given,
  CLOUDWRIGHT_OIDC_SCOPES: given.check(
    z.refine((text) => text === undefined || text.split(/\s+/).includes("openid"), {
      error: "lacks openid, without which the provider does not say who signs in.",
    }),
  ),
  CLOUDWRIGHT_OIDC_GROUPS_CLAIM: given,
  CLOUDWRIGHT_OIDC_ROLES: z.pipe(
    given,
    z.transform((text, context) => rules(text, parseRoleRules, context)),
  ),
  CLOUDWRIGHT_OIDC_CLUSTERS: z.pipe(
    given,
    z.transform((text, context) => rules(text, parseClusterRules, context)),
  ),
  CLOUDWRIGHT_PUBLIC_URL: given,
});

/** The names of all variables that are read here. */
const OIDC_VARIABLES = [
  "CLOUDWRIGHT_OIDC_ISSUER",
  "CLOUDWRIGHT_OIDC_CLIENT_ID",
  "CLOUDWRIGHT_OIDC_CLIENT_SECRET",
  "CLOUDWRIGHT_OIDC_NAME",
  "CLOUDWRIGHT_OIDC_SCOPES",
  "CLOUDWRIGHT_OIDC_GROUPS_CLAIM",
  "CLOUDWRIGHT_OIDC_ROLES",
  "CLOUDWRIGHT_OIDC_CLUSTERS",
] as const;
export type OidcVariable = (typeof OIDC_VARIABLES)[number];

/**
 * Returns undefined without an issuer. Throws an Error with one sentence that names what is missing or wrong, and never the
 * secret.
 */
export function parseOidcSettings(
  variables: Readonly<Record<string, string | undefined>>,
): OidcSettings | undefined {
  const { data, error } = schema.safeParse(variables);
  if (data === undefined) throw new Error(error.issues.map(problemOf).join(" "));
  const issuer = data.CLOUDWRIGHT_OIDC_ISSUER;
  if (issuer === undefined) return undefined;
  const needed = (name: keyof typeof data) => `${name} is missing: OIDC needs it.`;
  const { CLOUDWRIGHT_OIDC_CLIENT_ID: clientId, CLOUDWRIGHT_OIDC_ROLES: roles } = data;
  if (clientId === undefined) throw new Error(needed("CLOUDWRIGHT_OIDC_CLIENT_ID"));
  if (roles === undefined) throw new Error(needed("CLOUDWRIGHT_OIDC_ROLES"));
  if (data.CLOUDWRIGHT_PUBLIC_URL === undefined) throw new Error(needed("CLOUDWRIGHT_PUBLIC_URL"));
  return {
    ...{ issuer, clientId, roles },
    clientSecret: data.CLOUDWRIGHT_OIDC_CLIENT_SECRET,
    name: data.CLOUDWRIGHT_OIDC_NAME ?? new URL(issuer).hostname,
    scopes: data.CLOUDWRIGHT_OIDC_SCOPES ?? OIDC_DEFAULTS.scopes,
    groupsClaim: data.CLOUDWRIGHT_OIDC_GROUPS_CLAIM ?? OIDC_DEFAULTS.groupsClaim,
    clusters: data.CLOUDWRIGHT_OIDC_CLUSTERS,
  };
}

/** Allowed without TLS only on this machine: anybody who can change the provider's answers can sign in as anybody. */
function isIssuer(text: string | undefined): boolean {
  if (text === undefined) return true;
  return URL.canParse(text) && (new URL(text).protocol === "https:" || LOOPBACK.test(text));
}

function rules<Rules>(
  text: string | undefined,
  parse: (text: string) => Rules,
  context: z.core.ParsePayload,
): Rules | undefined {
  if (text === undefined) return undefined;
  try {
    return parse(text);
  } catch (error) {
    const message = error instanceof Error ? error.message : "";
    context.issues.push({ code: "custom", message, input: text });
    return z.NEVER;
  }
}

function problemOf({ path, message }: z.core.$ZodIssue): string {
  return `${path.join(".")} ${message}`;
}

/** Returns the groups among a user's claims; none if the claim is neither text nor a list of texts. */
export function groupsOf(
  claims: Readonly<Record<string, unknown>>,
  path: string,
): readonly string[] {
  const found = groupsSchema.safeParse(
    Object.hasOwn(claims, path) ? claims[path] : at(claims, path),
  );
  if (!found.success) return [];
  return typeof found.data === "string" ? [found.data] : found.data;
}

const groupsSchema = z.union([z.string(), z.readonly(z.array(z.string()))]);

function at(claims: object, path: string): unknown {
  let value: unknown = claims;
  for (const member of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, member))
      return undefined;
    value = Reflect.get(value, member);
  }
  return value;
}
