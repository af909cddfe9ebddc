import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import {
  OIDC_DEFAULTS,
  type OidcVariable,
  parseOidcSettings,
} from "@cloudwright/core/model/sign-in/oidc-settings";
import { messageOf } from "@cloudwright/core/model/values/message-of";
import type { Command } from "commander";
import { int } from "../flags/kinds.ts";
import { PlainError, readNamedFile } from "../plain-error.ts";
import { requireBaseUrl, requireFree, requireProxies } from "./dashboard/addresses.ts";
import {
  DATABASE_OPTIONS,
  type DatabaseFlags,
  requireDatabaseUrl,
} from "./ledger/local-instance.ts";
import { option } from "./terminal/options.ts";

interface OidcFlags {
  readonly oidcIssuer?: string;
  readonly oidcClientId?: string;
  readonly oidcClientSecretFile?: string;
  readonly oidcName?: string;
  readonly oidcScopes?: string;
  readonly oidcGroupsClaim?: string;
  readonly oidcRoles?: string;
  readonly oidcClusters?: string;
  readonly localSignIn?: string;
}

interface DashboardFlags extends DatabaseFlags, OidcFlags {
  readonly host: string;
  readonly port: number;
  readonly publicUrl?: string;
  readonly authSecretFile?: string;
  readonly trustedProxies?: string;
  readonly allowPrivateWebhooks?: boolean;
}

/** The minimum length in characters of the secret that signs sessions; the dashboard's server requires the same. */
const SHORTEST_SECRET = 32;

const PUBLIC_URL = "https://cloudwright.example.org";

/** Relative to the bundle, from which everything but unit tests runs. */
const SERVER = fileURLToPath(
  new URL("../../web/.next/standalone/apps/web/server.js", import.meta.url),
);

/**
 * `cloudwright dashboard`: serves the dashboard in this process. It reads and writes only the ledger, so it needs neither a
 * kubeconfig nor a cloud config. Environment variables with the same meaning work as well; options take precedence.
 */
export function addDashboardCommand(root: Command): void {
  const command = root
    .command("dashboard")
    .description(
      "serve the dashboard; it needs the ledger's database, and no access to a cluster or cloud",
    )
    .option("--host <address>", "the address to listen on", "127.0.0.1")
    .option("--port <n>", "the port to listen on", option(int(1, 65_535)), 3000)
    .option(
      "--public-url <url>",
      "the address at which browsers reach the dashboard, if that is not the loopback interface; or CLOUDWRIGHT_PUBLIC_URL",
    )
    .option(
      "--auth-secret-file <file>",
      `a file with at least ${SHORTEST_SECRET} random characters, used to sign sessions; all replicas need the same one; or CLOUDWRIGHT_AUTH_SECRET`,
    )
    .option(
      "--trusted-proxies <ranges>",
      "addresses or CIDRs of proxies whose X-Forwarded-For is believed; or CLOUDWRIGHT_TRUSTED_PROXIES",
    )
    .option(
      "--allow-private-webhooks",
      "allow webhooks to loopback and private addresses; or CLOUDWRIGHT_WEBHOOKS_PRIVATE=allow",
    )
    .option(...DATABASE_OPTIONS.url)
    .option(...DATABASE_OPTIONS.data);
  addOidcOptions(command).action(serve);
}

function addOidcOptions(command: Command): Command {
  return command
    .option(
      "--oidc-issuer <url>",
      "the issuer of the OpenID provider at which users sign in; or CLOUDWRIGHT_OIDC_ISSUER (each option below has its own variable)",
    )
    .option(
      "--oidc-client-id <id>",
      "the client id under which the dashboard is registered at the provider",
    )
    .option(
      "--oidc-client-secret-file <file>",
      "a file with the client's secret; or CLOUDWRIGHT_OIDC_CLIENT_SECRET; none for a public client",
    )
    .option(
      "--oidc-name <name>",
      "what the button on the sign-in page calls the provider (default: its host)",
    )
    .option("--oidc-scopes <scopes>", `the scopes to request (default: "${OIDC_DEFAULTS.scopes}")`)
    .option(
      "--oidc-groups-claim <claim>",
      `the claim with a user's groups, or the path to it, such as realm_access.roles (default: "${OIDC_DEFAULTS.groupsClaim}")`,
    )
    .option(
      "--oidc-roles <rules>",
      'which group gives which role, such as "ops=operator; platform=admin"; the highest one applies, and users without a role are refused',
    )
    .option(
      "--oidc-clusters <rules>",
      'which group gives which clusters, by name or id, such as "team-a=prod-eu,prod-us; platform=*" (default: all clusters, unless an admin restricts the user)',
    )
    .option(
      "--local-sign-in <on|off>",
      "whether passwords sign in as well; single-use links always do (default: on)",
    );
}

async function serve(flags: DashboardFlags): Promise<void> {
  Object.assign(process.env, dashboardEnvironment(flags, process.env));
  if (!existsSync(SERVER)) {
    throw new PlainError(
      "The dashboard is not built here: run npm run build in the checkout first.",
    );
  }
  await requireFree(flags);
  await import(SERVER);
  // The server ends the process itself, on a signal.
  await new Promise<never>(() => {});
}

/**
 * Returns the environment of the dashboard's server. Throws PlainError for values that are missing or invalid, which otherwise
 * would only fail at the first page.
 */
export function dashboardEnvironment(
  flags: DashboardFlags,
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  const publicUrl = flags.publicUrl ?? environment.CLOUDWRIGHT_PUBLIC_URL;
  const proxies = flags.trustedProxies ?? environment.CLOUDWRIGHT_TRUSTED_PROXIES;
  if (publicUrl !== undefined) requireBaseUrl("--public-url", publicUrl, PUBLIC_URL);
  if (proxies !== undefined) requireProxies(proxies);
  return {
    ...signInVariables(flags, { ...environment, CLOUDWRIGHT_PUBLIC_URL: publicUrl }),
    NODE_ENV: "production",
    HOSTNAME: flags.host,
    PORT: String(flags.port),
    DATABASE_URL: requireDatabaseUrl(flags),
    CLOUDWRIGHT_AUTH_SECRET: secretOf(flags.authSecretFile, environment.CLOUDWRIGHT_AUTH_SECRET),
    ...(publicUrl === undefined ? {} : { CLOUDWRIGHT_PUBLIC_URL: publicUrl }),
    ...(proxies === undefined ? {} : { CLOUDWRIGHT_TRUSTED_PROXIES: proxies }),
    ...(flags.allowPrivateWebhooks === true ? { CLOUDWRIGHT_WEBHOOKS_PRIVATE: "allow" } : {}),
  };
}

/** Returns the sign-in variables from the options, checked together with those from the environment. */
function signInVariables(
  flags: OidcFlags,
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  const secretFile = flags.oidcClientSecretFile;
  const given = {
    CLOUDWRIGHT_OIDC_ISSUER: flags.oidcIssuer,
    CLOUDWRIGHT_OIDC_CLIENT_ID: flags.oidcClientId,
    CLOUDWRIGHT_OIDC_CLIENT_SECRET:
      secretFile === undefined
        ? undefined
        : readNamedFile("--oidc-client-secret-file", secretFile).trim(),
    CLOUDWRIGHT_OIDC_NAME: flags.oidcName,
    CLOUDWRIGHT_OIDC_SCOPES: flags.oidcScopes,
    CLOUDWRIGHT_OIDC_GROUPS_CLAIM: flags.oidcGroupsClaim,
    CLOUDWRIGHT_OIDC_ROLES: flags.oidcRoles,
    CLOUDWRIGHT_OIDC_CLUSTERS: flags.oidcClusters,
    CLOUDWRIGHT_LOCAL_SIGN_IN: flags.localSignIn,
  } satisfies Readonly<Record<OidcVariable | "CLOUDWRIGHT_LOCAL_SIGN_IN", string | undefined>>;
  const variables = Object.fromEntries(
    Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  checkSignIn({ ...environment, ...variables });
  return variables;
}

function checkSignIn(variables: Readonly<Record<string, string | undefined>>): void {
  const hasProvider = hasOidc(variables);
  const local = variables.CLOUDWRIGHT_LOCAL_SIGN_IN ?? "on";
  if (local !== "on" && local !== "off") {
    throw new PlainError(`--local-sign-in is "${local}": it must be on or off.`);
  }
  if (local === "on" || hasProvider) return;
  throw new PlainError(
    "--local-sign-in is off, and there is no OpenID provider at which users could sign in instead: give --oidc-issuer, or turn --local-sign-in on.",
  );
}

function hasOidc(variables: Readonly<Record<string, string | undefined>>): boolean {
  try {
    return parseOidcSettings(variables) !== undefined;
  } catch (error) {
    throw new PlainError(`${messageOf(error)} See cloudwright dashboard --help.`);
  }
}

function secretOf(file: string | undefined, variable: string | undefined): string {
  const secret = file === undefined ? variable : readNamedFile("--auth-secret-file", file).trim();
  if (secret === undefined) {
    throw new PlainError(
      "No secret to sign sessions with: give --auth-secret-file, or set CLOUDWRIGHT_AUTH_SECRET.",
    );
  }
  if (secret.length >= SHORTEST_SECRET) return secret;
  const where = file === undefined ? "CLOUDWRIGHT_AUTH_SECRET" : `--auth-secret-file=${file}`;
  throw new PlainError(
    `${where} has ${secret.length} characters: it must have at least ${SHORTEST_SECRET}, such as the output of openssl rand -base64 32.`,
  );
}
