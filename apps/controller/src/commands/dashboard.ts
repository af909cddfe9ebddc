import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import { int } from "../flags/kinds.ts";
import { PlainError, readNamedFile } from "../plain-error.ts";
import {
  DATABASE_OPTIONS,
  type DatabaseFlags,
  requireDatabaseUrl,
} from "./ledger/local-instance.ts";
import { option } from "./terminal/options.ts";

interface DashboardFlags extends DatabaseFlags {
  readonly host: string;
  readonly port: number;
  readonly publicUrl?: string;
  readonly authSecretFile?: string;
  readonly trustedProxies?: string;
}

/** As many characters as a secret that signs sessions has at least; the dashboard's server asks for the same. */
const SHORTEST_SECRET = 32;

/** Seen from the bundle, from which everything but unit tests runs. */
const SERVER = fileURLToPath(
  new URL("../../web/.next/standalone/apps/web/server.js", import.meta.url),
);

/**
 * `cloudwright dashboard`: serves the dashboard in this process. It reads and writes the ledger alone, so it takes no kubeconfig and no
 * cloud config. Environment variables of the same meaning serve as well; an option goes before them.
 */
export function addDashboardCommand(root: Command): void {
  root
    .command("dashboard")
    .description(
      "serve the dashboard; it needs the ledger's database, and no access to a cluster or cloud",
    )
    .option("--host <address>", "the address to listen on", "127.0.0.1")
    .option("--port <n>", "the port to listen on", option(int(0, 65_535)), 3000)
    .option(
      "--public-url <url>",
      "the address at which browsers reach the dashboard, if that is not the loopback interface; or CLOUDWRIGHT_PUBLIC_URL",
    )
    .option(
      "--auth-secret-file <file>",
      `a file with at least ${SHORTEST_SECRET} random characters, which sign sessions; all replicas need the same one; or CLOUDWRIGHT_AUTH_SECRET`,
    )
    .option(
      "--trusted-proxies <ranges>",
      "addresses or CIDRs of proxies whose X-Forwarded-For is believed; or CLOUDWRIGHT_TRUSTED_PROXIES",
    )
    .option(...DATABASE_OPTIONS.url)
    .option(...DATABASE_OPTIONS.data)
    .action(serve);
}

async function serve(flags: DashboardFlags): Promise<void> {
  Object.assign(process.env, dashboardEnvironment(flags, process.env));
  if (!existsSync(SERVER)) {
    throw new PlainError(
      "The dashboard is not built here: run npm run build in the checkout first.",
    );
  }
  await import(SERVER);
  // The server ends the process itself, on a signal or when it cannot listen.
  await new Promise<never>(() => {});
}

/**
 * What the dashboard's server reads from its environment. Throws PlainError for what is missing or cannot be used: it would only show
 * with the first page otherwise.
 */
export function dashboardEnvironment(
  flags: DashboardFlags,
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  const publicUrl = flags.publicUrl ?? environment.CLOUDWRIGHT_PUBLIC_URL;
  const proxies = flags.trustedProxies ?? environment.CLOUDWRIGHT_TRUSTED_PROXIES;
  if (publicUrl !== undefined && !/^https?:\/\/[^/]/.test(publicUrl)) {
    throw new PlainError(
      `--public-url is "${publicUrl}": give the dashboard's address, such as https://cloudwright.example.org.`,
    );
  }
  return {
    NODE_ENV: "production",
    HOSTNAME: flags.host,
    PORT: String(flags.port),
    DATABASE_URL: requireDatabaseUrl(flags),
    CLOUDWRIGHT_AUTH_SECRET: secretOf(flags.authSecretFile, environment.CLOUDWRIGHT_AUTH_SECRET),
    ...(publicUrl === undefined ? {} : { CLOUDWRIGHT_PUBLIC_URL: publicUrl }),
    ...(proxies === undefined ? {} : { CLOUDWRIGHT_TRUSTED_PROXIES: proxies }),
  };
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
