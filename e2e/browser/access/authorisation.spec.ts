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

const PROCEDURES: Readonly<Record<string, { readonly type: string }>> = JSON.parse(
  readFileSync(new URL("procedures.json", import.meta.url), "utf8"),
);
const MUTATIONS = Object.keys(PROCEDURES).filter((path) => PROCEDURES[path]?.type === "mutation");
const AGENT = "an authorisation test";
const HOUR_MS = 3_600_000;
const ROLES: readonly Role[] = ["viewer", "operator", "admin"];

/** What the calls below are about. Nothing of it may change before an admin asks. */
interface Fixture {
  readonly cluster: string;
  readonly node: { readonly kind: "Node"; readonly name: string; readonly uid: string };
  readonly person: string;
  readonly session: string;
  readonly intent: string;
  /** Another one that waits for approval. */
  readonly approval: string;
  /** One more, in a batch. */
  readonly inBatch: { readonly id: string; readonly batch: string };
  readonly token: string;
  /** A webhook of the cluster. */
  readonly webhook: string;
  /** A view that an admin shares. */
  readonly view: string;
  /** Of somebody who is none of the three. */
  readonly comment: string;
  readonly incident: string;
}

interface Case {
  readonly name: string;
  readonly path: string;
  /** The least role for which it is allowed. */
  readonly needs: Role;
  readonly input: (fixture: Fixture) => object;
}

const NODE = "cloud-node-controller";
const LIFECYCLE = "cloud-node-lifecycle-controller";
const SERVICE = "service-lb-controller";
/** Nobody listens there. */
const WEBHOOK = { name: "w", form: "slack", rules: { guard: {} }, url: "http://127.0.0.1:9/" };
const VIEW = { name: "stuck", shared: true, list: { page: "nodes", search: "state=stuck" } };

/** In an order in which an admin can do one after the other. */
const CASES: readonly Case[] = [
  { name: "verify", path: "audit.verify", needs: "viewer", input: ({ cluster }) => ({ cluster }) },
  {
    name: "decline",
    path: "approvals.decide",
    needs: "operator",
    input: ({ cluster, approval: id }) => ({ cluster, id, decision: "decline", why: "trying" }),
  },
  {
    name: "decline a batch",
    path: "approvals.decideBatch",
    needs: "operator",
    input: ({ cluster, inBatch: { id, batch } }) => ({
      ...{ cluster, batch, actions: [{ id }], decision: "decline", why: "trying" },
    }),
  },
  {
    name: "no approval any more",
    path: "approvals.setPolicy",
    needs: "admin",
    input: ({ cluster }) => ({ cluster, required: false, why: "trying" }),
  },
  { name: "cancel", path: "intents.cancel", needs: "admin", input: ofIntent },
  {
    name: "retry",
    path: "intents.retry",
    needs: "operator",
    input: (fixture) => ofNode(fixture, {}),
  },
  action("retry", "operator", (fixture) => ofNode(fixture, { kind: "retry" })),
  {
    ...action("retry", "operator", (fixture) => ({
      ...ofNode(fixture, { kind: "retry" }, "node-4"),
      controller: "node-route-controller",
    })),
    name: "repair of routes",
  },
  {
    ...action("retry", "operator", (fixture) => ({
      ...ofNode(fixture, { kind: "retry" }),
      controller: "volume-label-controller",
      object: { kind: "PersistentVolume", name: "pv-1", uid: "uid-pv-1" },
    })),
    name: "retry of a volume",
  },
  action("hold", "operator", (fixture) => ofNode(fixture, { kind: "hold", until: soon() })),
  action("release", "operator", (fixture) => ofNode(fixture, { kind: "release" }, "node-2")),
  action("override", "admin", (fixture) => ({
    ...ofNode(fixture, { kind: "override", until: soon() }, "node-3"),
    confirmation: "node-3",
  })),
  action("pause", "admin", (fixture) => ofController(fixture, { kind: "pause", until: soon() })),
  action("resume", "admin", (fixture) => ofController(fixture, { kind: "resume" }, LIFECYCLE)),
  action("release-guard", "admin", (fixture) => ({
    ...ofController(fixture, { kind: "release-guard", nodes: [fixture.node] }, LIFECYCLE),
    confirmation: "1",
  })),
  action("set-setting", "admin", (fixture) =>
    ofController(
      fixture,
      { kind: "set-setting", setting: "node-monitor-period", from: "5s", value: "10s" },
      LIFECYCLE,
    ),
  ),
  action("shorten-retention", "admin", (fixture) => ({
    ...ofController(
      fixture,
      { kind: "shorten-retention", setting: "ledger-retention-runs", from: "30d", value: "3d" },
      "cloudwright-controller",
    ),
    confirmation: "3d",
  })),
  action("loosen-guard", "admin", (fixture) => ({
    ...ofController(
      fixture,
      { kind: "loosen-guard", setting: "node-deletion-guard", from: "5,10%,10m", value: "off" },
      LIFECYCLE,
    ),
    confirmation: "off",
  })),
  serviceOptions("hold", "operator", (fixture) =>
    ofService(fixture, { kind: "hold", until: soon() }, "held"),
  ),
  serviceOptions("release", "operator", (fixture) =>
    ofService(fixture, { kind: "release" }, "released"),
  ),
  action("reensure", "operator", (fixture) => ofService(fixture, { kind: "reensure" }, "web")),
  action("adopt", "admin", (fixture) => ({
    ...ofService(fixture, { kind: "adopt", balancer: "lb-1" }, "legacy"),
    confirmation: "lb-1",
  })),
  {
    name: "a batch of previews of adoptions",
    path: "intents.requestBatch",
    needs: "admin",
    input: (fixture) => {
      const { cluster, ...request } = ofService(
        fixture,
        { kind: "adopt", balancer: "lb-1" },
        "old",
      );
      return { batch: randomUUID(), cluster, requests: [{ ...request, kind: "preview" }] };
    },
  },
  action("abandon", "admin", (fixture) => ({
    ...ofService(fixture, { kind: "abandon" }, "doomed"),
    confirmation: "doomed",
  })),
  action("remove-orphan", "admin", (fixture) => ({
    ...ofService(fixture, { kind: "remove-orphan", balancer: "lb-9" }, "lb-9"),
    object: { kind: "LoadBalancer", name: "lb-9" },
    confirmation: "lb-9",
  })),
  users("sessions.revoke", ({ session }) => ({ id: session })),
  users("sessions.revokeAll", ({ person: user }) => ({ userId: user })),
  users("people.setPassword", ({ person: user }) => ({
    id: user,
    password: "correct horse battery",
  })),
  users("people.removeAuthenticator", ({ person: user }) => ({ id: user })),
  users("people.setClusters", ({ person: user, cluster }) => ({ id: user, clusters: [cluster] })),
  users("people.changeRole", ({ person: user }) => ({ id: user, role: "admin" })),
  users("people.disable", ({ person: user }) => ({ id: user })),
  users("people.enable", ({ person: user }) => ({ id: user })),
  users("people.create", () => ({
    name: "Mallory",
    email: "mallory@example.test",
    role: "admin",
  })),
  users("tokens.create", ({ cluster }) => ({
    ...{ kind: "service", name: "backup", role: "viewer", clusters: [cluster], days: 1 },
  })),
  users("tokens.revoke", ({ token }) => ({ id: token })),
  users("webhooks.create", ({ cluster }) => ({ ...WEBHOOK, name: "another", cluster })),
  users("webhooks.change", ({ webhook: id }) => ({ ...WEBHOOK, name: "changed", id })),
  users("webhooks.pause", ({ webhook: id }) => ({ id, paused: true })),
  users("webhooks.rotateSecret", ({ webhook: id }) => ({ id })),
  users("webhooks.test", ({ webhook: id }) => ({ id })),
  users("webhooks.remove", ({ webhook: id }) => ({ id })),
  {
    ...users("savedViews.save", ({ cluster }) => ({ ...VIEW, name: randomUUID(), cluster })),
    needs: "viewer",
  },
  {
    ...users("comments.add", ({ cluster, intent: id }) => ({
      ...{ cluster, about: { kind: "action", id }, text: "tried" },
    })),
    needs: "operator",
  },
  users("comments.withdraw", ({ cluster, comment: id }) => ({ cluster, id })),
  {
    ...users("incidents.share", ({ cluster, node: { kind: of, name } }) => ({
      ...{ cluster, about: { kind: "object", of, name } },
    })),
    needs: "viewer",
  },
  users("incidents.remove", ({ cluster, incident: id }) => ({ cluster, id })),
  users("savedViews.change", ({ view: id }) => ({ id, name: "changed" })),
  users("savedViews.remove", ({ view: id }) => ({ id })),
];

function action(kind: string, needs: Role, input: Case["input"]): Case {
  return {
    name: kind,
    path: "intents.request",
    needs,
    input: (fixture) => ({ planHash: "made-up", kind, ...input(fixture) }),
  };
}

function serviceOptions(kind: string, needs: Role, input: Case["input"]): Case {
  return { ...action(kind, needs, input), name: `${kind} of a Service` };
}

function users(path: string, input: Case["input"]): Case {
  return { name: path, path, needs: "admin", input };
}

function ofIntent({ cluster, intent }: Fixture) {
  return { cluster, id: intent };
}

function ofNode({ cluster, node }: Fixture, action: object, name = node.name) {
  return {
    id: randomUUID(),
    cluster,
    controller: NODE,
    object: { ...node, name },
    why: "trying what may be done",
    ...("kind" in action ? { action } : {}),
  };
}

function ofService({ cluster }: Fixture, action: object, name: string) {
  return {
    id: randomUUID(),
    cluster,
    controller: SERVICE,
    object: { kind: "Service", namespace: "shop", name, uid: `uid-${name}` },
    why: "trying what may be done",
    action,
  };
}

function ofController({ cluster }: Fixture, action: object, name = NODE) {
  return {
    id: randomUUID(),
    cluster,
    controller: name,
    object: { kind: "Controller", name },
    why: "trying what may be done",
    action,
  };
}

function soon(): number {
  return Date.now() + HOUR_MS;
}

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

/** The first heartbeat makes the cluster known; nodes, of which any may be the first, and runs follow, and with them entries of the controller. */
async function untilReported(databaseUrl: string): Promise<void> {
  const sql = `SELECT FROM clusters WHERE (SELECT count(*) FROM all_states) > 1
                  AND EXISTS (SELECT FROM all_states WHERE kind = 'Node' AND name = 'node-1')
                  AND (SELECT count(*) FROM runs) > 1 AND (SELECT count(*) FROM audit_entries WHERE cluster_id IS NOT NULL) > 1`;
  await eventually(async () => same((await rowsOf(databaseUrl, sql)).length, 1, "known clusters"), {
    withinMs: 60_000,
  });
}

/** One that no leader can claim and end meanwhile: it waits for an approval. */
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

/** An app whose codes nobody has: all that is asked of it is to be removed. */
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

/** What concerns whoever asks alone, and names nobody else. */
const OF_ONESELF = ["people.beginAuthenticator", "people.confirmAuthenticator", "preferences.keep"];

test("there is a case for each change that the API offers", () => {
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

test.describe("whoever is not signed in, or comes from elsewhere,", () => {
  interface Outsider {
    readonly name: string;
    readonly session: () => Session;
    readonly origin: string | undefined;
    readonly status: number;
    readonly actor: string;
    /** Of nobody who is known, more than sixty refusals in ten minutes are only counted: so many at least have an entry of their own. */
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
    test(`${name}, changes nothing, on the record`, async ({ browser, product }) => {
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

  /** The session's own token with a signature that is not ours. */
  function forged(session: Session): Session {
    const cookies = session.cookies.map((cookie) => {
      const [token = ""] = decodeURIComponent(cookie.value).split(".");
      const signature = Buffer.alloc(32, 7).toString("base64");
      return { ...cookie, value: encodeURIComponent(`${token}.${signature}`) };
    });
    return { ...session, cookies };
  }
});

test("a page's cursor is of no use in another cluster", async ({ browser, product }) => {
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

test("a user who is no admin reads neither the users nor other users' sessions", async ({
  browser,
  product,
}) => {
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

test("an admin may do each of them", async ({ browser, product }) => {
  const client = await clientOf({ browser, product }, sessions.admin);
  for (const { name, path, input } of CASES) {
    const answer = await call(client, path, input(fixture));
    expect(answer.status(), `${name}: ${await answer.text()}`).toBe(200);
  }
});

/** A client with this session, of the dashboard's own pages unless it says otherwise. */
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

/** All that users could change, as it is now. */
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
