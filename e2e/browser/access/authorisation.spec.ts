import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import type { APIRequestContext, Browser } from "@playwright/test";
import { rowsOf } from "../../harness/database.ts";
import type { Product } from "../../harness/product.ts";
import { eventually, same } from "../../harness/wait.ts";
import {
  expect,
  type Role,
  type Session,
  SIGNED_OUT,
  sessionOf,
  test,
} from "../fixtures/dashboard.ts";
import { CASES, type Fixture, NODE, VIEW, WEBHOOK } from "./authorisation-cases.ts";

const PROCEDURES: Readonly<Record<string, { readonly type: string }>> = JSON.parse(
  readFileSync(new URL("procedures.json", import.meta.url), "utf8"),
);

const MUTATIONS = Object.keys(PROCEDURES).filter((path) => PROCEDURES[path]?.type === "mutation");

const AGENT = "an authorisation test";

const ROLES: readonly Role[] = ["viewer", "operator", "admin"];

let fixture: Fixture;

let sessions: Record<Role, Session>;

test.beforeAll(async ({ product, cluster, browser, admin }) => {
  await untilReported(product.endpoints.databaseUrl);
  const { metadata } = await product.kube.get("/api/v1/nodes/node-1");
  sessions = {
    admin,
    operator: await sessionOf(product, "operator"),
    viewer: await sessionOf(product, "viewer"),
  };
  const asAdmin = await clientOf({ browser, product }, admin);
  const email = `victim-${randomUUID()}@example.test`;
  const { person: user, signInLink } = await answerOf(asAdmin, "people.create", {
    name: "Vic",
    email,
    role: "viewer",
  });
  const asVictim = await clientOf({ browser, product }, SIGNED_OUT);
  const token = new URL(signInLink.url).searchParams.get("token") ?? "";
  await asVictim.post("/sign-in/redeem", { form: { token } });
  const [session] = await rowsOf<{ id: string }>(
    product.endpoints.databaseUrl,
    "SELECT id FROM sessions WHERE user_id = $1",
    [user.id],
  );
  await addAuthenticator(product, user.id);
  const id = cluster.slice("/c/".length);
  const webhook = await answerOf(asAdmin, "webhooks.create", { ...WEBHOOK, cluster: id });
  const view = await answerOf(asAdmin, "savedViews.save", VIEW);
  const intent = await openIntent(product, id);
  const batch = randomUUID();
  fixture = {
    view: view.id,
    webhook: webhook.id,
    cluster: id,
    comment: await commentOn(product, { cluster: id, intent }),
    incident: await incidentOf(product, id),
    node: { kind: "Node", name: "node-1", uid: String(metadata.uid) },
    person: user.id,
    session: session?.id ?? "",
    intent,
    approval: await openIntent(product, id),
    inBatch: { id: await openIntent(product, id, batch), batch },
    token: await apiToken(product, user.id),
  };
});

/** Waits for the first heartbeat, which makes the cluster known, and for node-1, other nodes, runs and the controller's audit entries. */
async function untilReported(databaseUrl: string): Promise<void> {
  const sql = `SELECT FROM clusters WHERE (SELECT count(*) FROM all_states) > 1
                  AND EXISTS (SELECT FROM all_states WHERE kind = 'Node' AND name = 'node-1')
                  AND (SELECT count(*) FROM runs) > 1 AND (SELECT count(*) FROM audit_entries WHERE cluster_id IS NOT NULL) > 1`;
  await eventually(async () => same((await rowsOf(databaseUrl, sql)).length, 1, "known clusters"), {
    withinMs: 60_000,
  });
}

/** Adds an action that no leader can claim and end in the meantime, because it waits for approval. */
async function openIntent(
  product: Product,
  cluster: string,
  batch: string | null = null,
): Promise<string> {
  const id = randomUUID();
  await rowsOf(
    product.endpoints.databaseUrl,
    `INSERT INTO intents (id, cluster_id, kind, controller, object_kind, object_name, why, actor_id, actor_name,
                          state, requested_at, expires_at, updated_at, batch_id)
     VALUES ($1, $2, 'retry', $3, 'Node', 'node-1', 'waits', 'somebody', 'somebody',
             'awaiting-approval', now(), now() + interval '1 day', now(), $4)`,
    [id, cluster, NODE, batch],
  );
  return id;
}

async function commentOn(
  product: Product,
  { cluster, intent }: Pick<Fixture, "cluster" | "intent">,
): Promise<string> {
  const id = randomUUID();
  await rowsOf(
    product.endpoints.databaseUrl,
    `INSERT INTO comments (id, cluster_id, intent_id, text, author_id, author_name, created_at)
     VALUES ($1, $2, $3, 'seen before', 'somebody', 'somebody', now())`,
    [id, cluster, intent],
  );
  return id;
}

async function incidentOf(product: Product, cluster: string): Promise<string> {
  const id = randomUUID();
  await rowsOf(
    product.endpoints.databaseUrl,
    `INSERT INTO incidents (id, cluster_id, subject, snapshot, maker_id, maker_name, made_at)
     VALUES ($1, $2, 'Node node-1', '{}', 'somebody', 'somebody', now())`,
    [id, cluster],
  );
  return id;
}

/** Adds an authenticator app whose codes nobody knows: tests only remove it. */
async function addAuthenticator(product: Product, user: string): Promise<void> {
  await rowsOf(
    product.endpoints.databaseUrl,
    `INSERT INTO authenticators (user_id, sealed_secret, created_at, confirmed_at, last_step)
     VALUES ($1, 'sealed', now(), now(), 0)`,
    [user],
  );
}

async function apiToken(product: Product, user: string): Promise<string> {
  const id = randomUUID();
  await rowsOf(
    product.endpoints.databaseUrl,
    `INSERT INTO api_tokens (id, token_hash, name, user_id, role, created_at, created_by_id, created_by_name, expires_at)
     VALUES ($1, $3, 'laptop', $2, 'viewer', now(), $2, 'Vic', now() + interval '1 day')`,
    [id, user, randomUUID()],
  );
  return id;
}

/** Changes that concern only the user who makes them, and name no other user. */
const OF_ONESELF = ["people.beginAuthenticator", "people.confirmAuthenticator", "preferences.keep"];

test("there is a case for each mutation of the API", () => {
  const paths = [...CASES.map(({ path }) => path), ...OF_ONESELF];
  expect(new Set(paths)).toEqual(new Set(MUTATIONS));
});

for (const role of ROLES) {
  const beyond = CASES.filter(({ needs }) => ROLES.indexOf(needs) > ROLES.indexOf(role));
  for (const { name, path, needs, input } of beyond) {
    test(`as ${role}, ${name} by ${path} is refused, changes nothing and is on the record`, async ({
      browser,
      product,
    }) => {
      const { databaseUrl } = product.endpoints;
      const client = await clientOf({ browser, product }, sessions[role]);
      const before = await everything(databaseUrl);
      const since = await newestEntry(databaseUrl);
      const answer = await call(client, path, input(fixture));
      expect(answer.status()).toBe(403);
      expect(errorOf(await answer.json())).toMatch(path === "intents.cancel" ? /an admin/ : needs);
      expect(await everything(databaseUrl)).toEqual(before);
      expect(await refusals(databaseUrl, since)).toEqual([
        expect.objectContaining({
          actor_name: role,
          result: "refused",
          client_address: "127.0.0.1",
          client_agent: AGENT,
        }),
      ]);
    });
  }
}

test.describe("a request from outside", () => {
  interface Outsider {
    readonly name: string;
    readonly session: () => Session;
    readonly origin: string | undefined;
    readonly status: number;
    readonly actor: string;
    /** The least number of refusals with their own entry: of unknown users, those beyond sixty in ten minutes are only counted. */
    readonly recorded: number;
  }
  const ours = undefined;
  const foreign: readonly Outsider[] = [
    {
      name: "without a session",
      session: () => SIGNED_OUT,
      origin: ours,
      status: 401,
      actor: "Nobody signed in",
      recorded: MUTATIONS.length,
    },
    {
      name: "with a forged cookie",
      session: () => forged(sessions.admin),
      origin: ours,
      status: 401,
      actor: "Nobody signed in",
      recorded: 15,
    },
    {
      name: "with an admin's cookie and a foreign Origin",
      session: () => sessions.admin,
      origin: "https://elsewhere.example",
      status: 403,
      actor: "admin",
      recorded: MUTATIONS.length,
    },
  ];
  for (const { name, session, origin, status, actor, recorded } of foreign) {
    test(`${name} changes nothing and is on the record`, async ({ browser, product }) => {
      const { databaseUrl } = product.endpoints;
      const client = await clientOf({ browser, product }, session(), origin);
      const before = await everything(databaseUrl);
      const since = await newestEntry(databaseUrl);
      for (const path of MUTATIONS) {
        const one = CASES.find((each) => each.path === path);
        const answer = await call(client, path, one?.input(fixture) ?? {});
        expect(answer.status(), path).toBe(status);
        expect(errorOf(await answer.json()), path).toMatch(/signed in|own pages/);
      }
      expect(await everything(databaseUrl)).toEqual(before);
      const entries = await refusals(databaseUrl, since);
      const requests = entries.map(({ after }) => after.request);
      expect(requests).toEqual(MUTATIONS.slice(0, requests.length));
      expect(requests.length).toBeGreaterThanOrEqual(recorded);
      for (const entry of entries) {
        expect(entry).toMatchObject({ actor_name: actor, action: "account.refused" });
      }
    });
  }

  /** Returns the session's own token with a signature that is not ours. */
  function forged(session: Session): Session {
    const cookies = session.cookies.map((cookie) => {
      const [token = ""] = decodeURIComponent(cookie.value).split(".");
      const signature = Buffer.alloc(32, 7).toString("base64");
      return { ...cookie, value: encodeURIComponent(`${token}.${signature}`) };
    });
    return { ...session, cookies };
  }
});

test("a page's cursor is rejected in another cluster", async ({ browser, product }) => {
  const client = await clientOf({ browser, product }, sessions.viewer);
  for (const [path, by] of [
    ["nodes.list", "name"],
    ["runs.list", "started"],
    ["audit.list", "inserted"],
  ] as const) {
    const list = { filter: {}, sort: { by, descending: false }, limit: 1 };
    const page = await client.get(queryOf(path, { ...list, cluster: fixture.cluster }));
    expect(page.status(), path).toBe(200);
    const cursor = (await page.json()).result.data.json.nextCursor;
    expect(typeof cursor, path).toBe("string");
    const elsewhere = await client.get(queryOf(path, { ...list, cluster: "another", cursor }));
    expect(elsewhere.status(), path).toBe(400);
    expect(errorOf(await elsewhere.json())).toContain("belongs to another cluster");
  }
});

test("only an admin reads the users and other users' sessions", async ({ browser, product }) => {
  for (const role of ["viewer", "operator"] as const) {
    const client = await clientOf({ browser, product }, sessions[role]);
    for (const path of ["people.list", "sessions.list", "tokens.list"]) {
      const answer = await client.get(queryOf(path, path === "sessions.list" ? {} : undefined));
      expect(answer.status(), `${path} as ${role}`).toBe(403);
    }
    expect((await client.get(queryOf("sessions.mine"))).status()).toBe(200);
    expect((await client.get(queryOf("tokens.mine"))).status()).toBe(200);
    expect((await client.get(queryOf("people.admins"))).status()).toBe(200);
  }
});

test("an admin may make each of these calls", async ({ browser, product }) => {
  const client = await clientOf({ browser, product }, sessions.admin);
  for (const { name, path, input } of CASES) {
    const answer = await call(client, path, input(fixture));
    expect(answer.status(), `${name}: ${await answer.text()}`).toBe(200);
  }
});

/** Returns a client with this session, whose Origin is by default that of the dashboard's own pages. */
async function clientOf(
  { browser, product }: { readonly browser: Browser; readonly product: Product },
  storageState: Session,
  origin = product.endpoints.dashboard,
): Promise<APIRequestContext> {
  const context = await browser.newContext({
    baseURL: product.endpoints.dashboard,
    storageState,
    userAgent: AGENT,
    extraHTTPHeaders: { origin },
  });
  return context.request;
}

function call(client: APIRequestContext, path: string, input: object) {
  return client.post(`/api/trpc/${path}`, { data: { json: input } });
}

async function answerOf(client: APIRequestContext, path: string, input: object) {
  const answer = await call(client, path, input);
  expect(answer.status(), await answer.text()).toBe(200);
  return (await answer.json()).result.data.json;
}

function queryOf(path: string, input?: object): string {
  const text =
    input === undefined ? "" : `?input=${encodeURIComponent(JSON.stringify({ json: input }))}`;
  return `/api/trpc/${path}${text}`;
}

function errorOf(answer: { readonly error: { readonly json: { readonly message: string } } }) {
  return answer.error.json.message;
}

/** Returns the current state of everything that users could change. */
async function everything(databaseUrl: string) {
  const tables = {
    intents: "SELECT id, state, updated_at FROM intents ORDER BY id",
    users: "SELECT * FROM users ORDER BY id",
    accounts: "SELECT * FROM accounts ORDER BY id",
    sessions: "SELECT id, user_id FROM sessions ORDER BY id",
    authenticators: "SELECT * FROM authenticators ORDER BY user_id",
    tokens: "SELECT * FROM sign_in_tokens ORDER BY token_hash",
    apiTokens: "SELECT * FROM api_tokens ORDER BY id",
    views: "SELECT * FROM saved_views ORDER BY id",
    comments: "SELECT * FROM comments ORDER BY id",
    incidents: "SELECT * FROM incidents ORDER BY id",
  };
  const rows = Object.entries(tables).map(async ([name, sql]) => [
    name,
    await rowsOf(databaseUrl, sql),
  ]);
  return Object.fromEntries(await Promise.all(rows));
}

interface Entry {
  readonly actor_name: string;
  readonly action: string;
  readonly result: string;
  readonly after: { readonly request?: string };
}

async function newestEntry(databaseUrl: string): Promise<Date> {
  const sql =
    "SELECT COALESCE(max(at), to_timestamp(0)) AS at FROM audit_entries WHERE result = 'refused'";
  const [row] = await rowsOf<{ at: Date }>(databaseUrl, sql);
  return row?.at ?? new Date(0);
}

function refusals(databaseUrl: string, since: Date): Promise<readonly Entry[]> {
  const sql = `SELECT * FROM audit_entries WHERE result = 'refused' AND actor_kind <> 'controller' AND at > $1
                ORDER BY chain, seq`;
  return rowsOf<Entry>(databaseUrl, sql, [since]);
}
