import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { dashboardLogin } from "./dashboard-login.ts";
import { freePort } from "./free-port.ts";
import { COMPILED, PROJECT_ROOT, runCloudwright, start } from "./processes.ts";
import { demand, eventually } from "./wait.ts";

const SERVER = join(PROJECT_ROOT, "apps/web/.next/standalone/apps/web/server.js");

export interface Dashboard {
  readonly origin: string;
  /** Signs its sessions, and must not leak. */
  readonly authSecret: string;
  /** Sends a request without following redirects. `session` is a cookie. */
  send(path: string, how?: Sending): Promise<Reply>;
  /** Returns the cookie of a new session with this role, obtained by a link; for the role's own user unless an email address is given. */
  signIn(role: "viewer" | "operator" | "admin", email?: string): Promise<string>;
  /** Calls a read procedure of its API in that session, and unwraps the result. */
  query<Value>(session: string, procedure: string, input?: object): Promise<Value>;
  stop(signal?: NodeJS.Signals): Promise<unknown>;
}

export interface Sending {
  readonly session?: string;
  /** Sent by POST, with the dashboard's own origin. */
  readonly body?: { readonly type: "json" | "form"; readonly text: string };
}

export interface Reply {
  readonly status: number;
  readonly location: string | undefined;
  readonly cookies: readonly string[];
  readonly text: string;
}

export interface DashboardOptions {
  readonly port?: number;
  /** If it differs from that of the previous server, all users are signed out. */
  readonly authSecret?: string;
  /** Addresses whose `X-Forwarded-For` it trusts (`CLOUDWRIGHT_TRUSTED_PROXIES`); none by default. */
  readonly trustedProxies?: string;
  /** Additional variables. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Whether webhooks may be sent to this machine (`CLOUDWRIGHT_WEBHOOKS_PRIVATE`); not by default. */
  readonly privateWebhooks?: boolean;
}

export function isDashboardBuilt(): boolean {
  return existsSync(SERVER);
}

/**
 * Starts the dashboard's server on this database, with its own login even if the connection string is the owner's. The dashboard must
 * have been built.
 */
export async function startDashboard(
  databaseUrl: string,
  dir: string,
  options: DashboardOptions = {},
): Promise<Dashboard> {
  if (!isDashboardBuilt()) throw new Error("the dashboard is not built: run npm run build");
  const port = options.port ?? (await freePort());
  const origin = `http://127.0.0.1:${port}`;
  const authSecret = options.authSecret ?? randomBytes(32).toString("base64url");
  const started = start(process.execPath, [SERVER], {
    log: join(dir, "dashboard.log"),
    env: {
      NODE_ENV: "production",
      NODE_COMPILE_CACHE: COMPILED,
      PORT: String(port),
      HOSTNAME: "127.0.0.1",
      DATABASE_URL: await dashboardLogin(databaseUrl),
      CLOUDWRIGHT_PUBLIC_URL: origin,
      CLOUDWRIGHT_AUTH_SECRET: authSecret,
      CLOUDWRIGHT_TRUSTED_PROXIES: options.trustedProxies ?? "",
      ...options.environment,
      CLOUDWRIGHT_WEBHOOKS_PRIVATE: options.privateWebhooks === true ? "allow" : "refuse",
    },
  });
  const send = (path: string, how: Sending = {}) => reply(origin, path, how);
  await eventually(async () => {
    demand(started.child.exitCode === null, `the dashboard ended: ${started.output()}`);
    const { status } = await send("/healthz");
    demand(status === 200, `the dashboard's health is ${status}`);
  });
  return {
    origin,
    authSecret,
    send,
    signIn: async (role, email = `${role}@example.test`) => {
      const flags = ["--base-url", origin, "--role", role, "--email", email];
      const env = { DATABASE_URL: databaseUrl };
      const link = await runCloudwright(["sign-in-link", ...flags], { env });
      const token = new URL(link.trim()).searchParams.get("token") ?? "";
      const text = new URLSearchParams({ token, next: "/" }).toString();
      const { cookies, location } = await send("/sign-in/redeem", { body: { type: "form", text } });
      if (cookies.length === 0) throw new Error(`signing in led to ${location} without a cookie`);
      return cookies.map((cookie) => cookie.split(";")[0]).join("; ");
    },
    query: async <Value>(session: string, procedure: string, input?: object) => {
      const { status, text } = await send(queryPath(procedure, input), { session });
      if (status !== 200) throw new Error(`${procedure} answered ${status}: ${text}`);
      return (JSON.parse(text) as { result: { data: { json: Value } } }).result.data.json;
    },
    stop: (signal) => started.stop(signal),
  };
}

/** Returns the path of a read of the API. */
export function queryPath(procedure: string, input?: object): string {
  const path = `/api/trpc/${procedure}`;
  if (input === undefined) return path;
  return `${path}?input=${encodeURIComponent(JSON.stringify({ json: input }))}`;
}

const TYPES = { json: "application/json", form: "application/x-www-form-urlencoded" };

async function reply(origin: string, path: string, { session, body }: Sending): Promise<Reply> {
  const answer = await fetch(origin + path, {
    method: body === undefined ? "GET" : "POST",
    redirect: "manual",
    headers: {
      ...(session === undefined ? {} : { cookie: session }),
      ...(body === undefined ? {} : { origin, "content-type": TYPES[body.type] }),
    },
    ...(body === undefined ? {} : { body: body.text }),
  });
  return {
    status: answer.status,
    location: answer.headers.get("location") ?? undefined,
    cookies: answer.headers.getSetCookie(),
    text: await answer.text(),
  };
}
