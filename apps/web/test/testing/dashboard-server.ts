import { randomUUID } from "node:crypto";
import type { Role } from "@cloudwright/core/model/roles";
import { connect, type Database } from "@cloudwright/store/database/database";
import { createSignInLink } from "@cloudwright/store/users/sign-in";
import superjson from "superjson";
import { beforeAll } from "vitest";
import { dashboardUrl } from "../../../../packages/store/testing/dashboard-url.ts";
import { startTestServer } from "../../../../packages/store/testing/database-fixture.ts";
import { writeRecords } from "../../../../packages/store/testing/write-records.ts";
import { ledger } from "../../src/server/ledger.ts";
import { apiRequest } from "../../src/server/requests/api-request.ts";
import { peerHeader } from "../../src/server/requests/client.ts";
import { auth } from "../../src/server/sign-in/auth.ts";
import { AUTH_SECRET } from "./auth-secret.ts";

export const ORIGIN = "http://127.0.0.1:3000";
const HOST = "127.0.0.1:3000";

export interface ApiAnswer {
  readonly status: number;
  /** tRPC's code for a refusal; undefined for an answer. */
  readonly code: string | undefined;
  /** The sentence of a refusal. */
  readonly message: string | undefined;
  readonly data: unknown;
}

export interface CallOptions {
  /** The Origin that the request names; undefined for none. */
  readonly origin: string | undefined;
}

/** A browser with one user's session, or without any, that sends requests as if over the network. */
export interface Browser {
  readonly cookie: string | undefined;
  readonly userId: string;
  query(path: string, input?: unknown): Promise<ApiAnswer>;
  mutate(path: string, input?: unknown, options?: CallOptions): Promise<ApiAnswer>;
  /** Returns the headers that it sends with every request. */
  headers(options?: CallOptions): Headers;
}

export interface DashboardServer {
  /** Creates a user with this role, signed in by a link. */
  signedIn(role: Role): Promise<Browser>;
  readonly nobody: Browser;
}

let ownerDatabase: Database | undefined;

/** Returns a client of the ledger with its owner's login: for rows that the dashboard's own login may not write. */
export function owner(): Database {
  if (ownerDatabase === undefined) throw new Error("testDashboard has not started yet");
  return ownerDatabase;
}

/**
 * For a file of tests: the dashboard's server on a ledger of its own that holds these records, from before the file's own set-up
 * until after its last test. It connects with the dashboard's own login, as in the product. Once in a file: the process has one ledger.
 */
export function testDashboard(
  records: Parameters<typeof writeRecords>[1],
  variables: Readonly<Record<string, string>> = {},
): DashboardServer {
  beforeAll(async () => {
    const server = await startTestServer();
    const url = await server.migrated();
    process.env.DATABASE_URL = await dashboardUrl(url);
    process.env.CLOUDWRIGHT_AUTH_SECRET = AUTH_SECRET;
    Object.assign(process.env, variables);
    const opened = connect(url);
    ownerDatabase = opened;
    await writeRecords(url, records);
    return async () => {
      await ledger().close();
      await opened.close();
      await server.dispose();
    };
  });
  return {
    async signedIn(role) {
      const email = `${role}-${randomUUID()}@example.org`;
      const link = await createSignInLink(ledger(), { baseUrl: ORIGIN, email, role });
      const user = await ledger().prisma.user.findUniqueOrThrow({ where: { email } });
      const token = new URL(link).searchParams.get("token") ?? "";
      return browser(await redeemed(token), user.id);
    },
    nobody: browser(undefined, ""),
  };
}

/** Returns the cookie of the session that a link starts. Only Next passes it to a browser, so it is taken from Next. */
async function redeemed(token: string): Promise<string> {
  const { headers } = await auth().api.redeemSignInLink({
    body: { token },
    headers: headersOf(undefined),
    returnHeaders: true,
  });
  const cookies = headers.getSetCookie().map((each) => each.split(";")[0]);
  return cookies.join("; ");
}

/** Returns a form as the dashboard's pages post it, with another Origin, or none, if given. */
export function formRequest(
  path: string,
  fields: Readonly<Record<string, string>>,
  { origin = ORIGIN, cookie }: { readonly origin?: string; readonly cookie?: string } = {},
): Request {
  const body = new URLSearchParams(fields).toString();
  const headers = headersOf(cookie, { origin });
  headers.set("content-type", "application/x-www-form-urlencoded");
  headers.set("content-length", String(body.length));
  headers.set(peerHeader(), anotherAddress());
  return new Request(`${ORIGIN}${path}`, { method: "POST", headers, body });
}

export function browser(cookie: string | undefined, userId: string): Browser {
  const ask = async (path: string, query: string, init: RequestInit): Promise<ApiAnswer> =>
    answerOf(await apiRequest(new Request(`${ORIGIN}/api/trpc/${path}${query}`, init)));
  return {
    cookie,
    userId,
    headers: (options) => headersOf(cookie, options),
    query: (path, input) =>
      ask(path, queryOf(input), { headers: headersOf(cookie, { origin: undefined }) }),
    mutate(path, input, options) {
      const headers = headersOf(cookie, options);
      headers.set("content-type", "application/json");
      const body = input === undefined ? "{}" : JSON.stringify(superjson.serialize(input));
      return ask(path, "", { method: "POST", headers, body });
    },
  };
}

let requests = 0;

/** Gives each form a different address, because attempts from the same one are delayed together. */
function anotherAddress(): string {
  requests += 1;
  return `198.51.${Math.floor(requests / 200) % 256}.${(requests % 200) + 1}`;
}

function headersOf(cookie: string | undefined, options: CallOptions = { origin: ORIGIN }): Headers {
  const { origin } = options;
  return new Headers({
    host: HOST,
    "user-agent": "a browser of the test",
    ...(origin === undefined ? {} : { origin }),
    ...(cookie === undefined ? {} : { cookie }),
  });
}

function queryOf(input: unknown): string {
  if (input === undefined) return "";
  return `?input=${encodeURIComponent(JSON.stringify(superjson.serialize(input)))}`;
}

interface Body {
  readonly result?: { readonly data: Parameters<typeof superjson.deserialize>[0] };
  readonly error?: { readonly json: { message: string; data: { code: string } } };
}

async function answerOf(response: Response): Promise<ApiAnswer> {
  const { result, error } = (await response.json()) as Body;
  const data = result === undefined ? undefined : superjson.deserialize(result.data);
  const refusal = error?.json;
  return { status: response.status, code: refusal?.data.code, message: refusal?.message, data };
}
