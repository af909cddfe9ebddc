import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Role, roleIncludes } from "@cloudwright/core/model/roles";
import { beforeAll, describe, expect, it } from "vitest";
import {
  CLUSTER,
  heartbeat,
  nodePart,
  objectState,
} from "../../../packages/store/testing/records.ts";
import { ledger } from "../src/server/ledger.ts";
import { type Browser, owner, testDashboard } from "./testing/dashboard-server.ts";

interface Sample {
  readonly type: "query" | "mutation" | "subscription";
  readonly input?: unknown;
}

const SAMPLES: Readonly<Record<string, Sample>> = JSON.parse(
  readFileSync(
    fileURLToPath(new URL("../../../e2e/browser/access/procedures.json", import.meta.url)),
    "utf8",
  ),
);
const PATHS = Object.keys(SAMPLES);
const QUERIES = PATHS.filter((path) => SAMPLES[path]?.type === "query");
const MUTATIONS = PATHS.filter((path) => SAMPLES[path]?.type === "mutation");

/** The queries that viewers may not make, and who may. All others are open to every signed-in user. */
const READ_BY_ADMINS = new Set(["people.list", "sessions.list", "tokens.list"]);
/** The role that each change needs if it is about another user's account, session or action. */
const NEEDS: Readonly<Record<string, Role>> = {
  "approvals.decide": "operator",
  "approvals.decideBatch": "operator",
  "approvals.setPolicy": "admin",
  "audit.verify": "viewer",
  "comments.add": "operator",
  "comments.withdraw": "admin",
  "incidents.remove": "admin",
  "incidents.share": "viewer",
  "intents.cancel": "admin",
  "intents.request": "viewer",
  "intents.requestBatch": "admin",
  "intents.retry": "operator",
  // About the user themselves only.
  "people.beginAuthenticator": "viewer",
  "people.changeRole": "admin",
  "people.confirmAuthenticator": "viewer",
  "people.create": "admin",
  "people.disable": "admin",
  "people.enable": "admin",
  "people.removeAuthenticator": "admin",
  "people.setClusters": "admin",
  "people.setPassword": "admin",
  "preferences.keep": "viewer",
  "savedViews.change": "admin",
  "savedViews.remove": "admin",
  "savedViews.save": "viewer",
  "sessions.revoke": "admin",
  "sessions.revokeAll": "admin",
  "tokens.create": "admin",
  "tokens.revoke": "admin",
  "webhooks.change": "admin",
  "webhooks.create": "admin",
  "webhooks.pause": "admin",
  "webhooks.remove": "admin",
  "webhooks.rotateSecret": "admin",
  "webhooks.test": "admin",
};
const ROLES: readonly Role[] = ["viewer", "operator", "admin"];
/** The changes that each role may not make. */
const TOO_LITTLE = MUTATIONS.flatMap((path) =>
  ROLES.filter((role) => !roleIncludes(role, NEEDS[path] ?? "viewer")).map(
    (role) => [path, role] as const,
  ),
);

const NODE_PART = nodePart({ createdAt: Date.now(), providerID: "x://w-1" });
const server = testDashboard([
  heartbeat(),
  objectState({ name: "w-1", uid: "uid-1", node: NODE_PART }),
]);
let browsers: Readonly<Record<Role, Browser>>;
/** The batch in which the victim's action was requested. */
const BATCH = randomUUID();
/** The owner of the account, session, action, API token, shared view, comment and incident that the requests target. */
let victim: Readonly<
  Record<"id" | "session" | "intent" | "token" | "view" | "comment" | "incident", string>
>;

beforeAll(async () => {
  browsers = {
    viewer: await server.signedIn("viewer"),
    operator: await server.signedIn("operator"),
    admin: await server.signedIn("admin"),
  };
  const { userId: id } = await server.signedIn("viewer");
  const session = await ledger().prisma.session.findFirstOrThrow({ where: { userId: id } });
  const [intent, token, view] = [await openIntent(id), await apiToken(id), await sharedView(id)];
  const comment = await commentOn(intent, id);
  const incident = await incidentOf(id);
  victim = { ...{ id, session: session.id }, intent, token, view, comment, incident };
});

async function openIntent(actorId: string): Promise<string> {
  const at = new Date();
  const { id } = await owner().prisma.intent.create({
    data: {
      ...{ id: randomUUID(), clusterId: CLUSTER, kind: "retry" },
      ...{ controller: "cloud-node-controller", objectKind: "Node", objectName: "w-2" },
      ...{ why: "waits", actorId, actorName: "Vic", state: "requested", batchId: BATCH },
      ...{ requestedAt: at, updatedAt: at, expiresAt: new Date(at.getTime() + 3_600_000) },
    },
  });
  return id;
}

async function apiToken(userId: string): Promise<string> {
  const at = new Date();
  const { id } = await ledger().prisma.apiToken.create({
    data: {
      ...{ id: randomUUID(), tokenHash: randomUUID(), name: "laptop", role: "viewer", userId },
      ...{ createdAt: at, createdById: userId, createdByName: "Vic" },
      expiresAt: new Date(at.getTime() + 3_600_000),
    },
  });
  return id;
}

async function sharedView(ownerId: string): Promise<string> {
  const at = new Date();
  const { id } = await ledger().prisma.savedView.create({
    data: {
      ...{ id: randomUUID(), ownerId, name: "stuck", shared: true, page: "nodes" },
      ...{ search: "state=stuck", createdAt: at, updatedAt: at },
    },
  });
  return id;
}

async function commentOn(intentId: string, authorId: string): Promise<string> {
  const { id } = await ledger().prisma.comment.create({
    data: {
      ...{ id: randomUUID(), clusterId: CLUSTER, intentId, text: "seen before" },
      ...{ authorId, authorName: "Vic", createdAt: new Date() },
    },
  });
  return id;
}

async function incidentOf(makerId: string): Promise<string> {
  const { id } = await ledger().prisma.incident.create({
    data: {
      ...{ id: randomUUID(), clusterId: CLUSTER, subject: "Node w-2", snapshot: {} },
      ...{ makerId, makerName: "Vic", madeAt: new Date() },
    },
  });
  return id;
}

/** Returns the sample's input, aimed at the victim; without a cursor, which belongs to an answer. */
function inputOf(path: string): unknown {
  const names: Readonly<Record<string, string>> = {
    ...{ $cluster: CLUSTER, $node: "w-1", $namespace: "shop", $service: "web", $volume: "pv-1" },
    ...{ $user: victim.id, $session: victim.session, $intent: victim.intent, $run: randomUUID() },
    $batch: BATCH,
    ...{
      $token: victim.token,
      $view: victim.view,
      $comment: victim.comment,
      $incident: victim.incident,
    },
  };
  const fill = (value: unknown): unknown => {
    if (typeof value === "string") return names[value] ?? value;
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map(fill);
    const members = Object.entries(value).filter(([name]) => name !== "cursor");
    return Object.fromEntries(members.map(([name, member]) => [name, fill(member)]));
  };
  return fill(SAMPLES[path]?.input);
}

/** Returns everything about the victim that the changes could have changed. */
async function stateOfVictim(): Promise<unknown> {
  const { prisma } = ledger();
  const { id, session, intent } = victim;
  return {
    user: await prisma.user.findUnique({
      where: { id },
      include: { accounts: true, authenticator: true },
    }),
    sessions: await prisma.session.count({ where: { id: session } }),
    intent: await prisma.intent.findUnique({ where: { id: intent } }),
    users: await prisma.user.count(),
    intents: await prisma.intent.count(),
    tokens: await prisma.apiToken.findMany(),
    views: await prisma.savedView.findMany(),
    comments: await prisma.comment.findMany(),
    incidents: await prisma.incident.findMany(),
  };
}

function refusalsOf(path: string, actorId: string): Promise<number> {
  const after = { path: ["request"], equals: path };
  return ledger().prisma.auditEntry.count({ where: { actorId, result: "refused", after } });
}

it("knows the required role of each procedure", () => {
  expect(new Set(Object.keys(NEEDS))).toEqual(new Set(MUTATIONS));
  expect([...READ_BY_ADMINS].filter((path) => !QUERIES.includes(path))).toEqual([]);
});

describe("a client that is not signed in", () => {
  it.each(QUERIES)("reads nothing through %s", async (path) => {
    const answer = await server.nobody.query(path, inputOf(path));
    expect(answer).toMatchObject({ status: 401, code: "UNAUTHORIZED", data: undefined });
    expect(answer.message).toMatch(/sign/i);
  });

  it.each(MUTATIONS)("changes nothing through %s, and the attempt is recorded", async (path) => {
    const before = await stateOfVictim();
    const answer = await server.nobody.mutate(path, inputOf(path));
    expect(answer).toMatchObject({ status: 401, code: "UNAUTHORIZED", data: undefined });
    expect(await stateOfVictim()).toEqual(before);
    expect(await refusalsOf(path, "nobody")).toBe(1);
  });

  it("is not let in by a forged cookie", async () => {
    const { cookie = "" } = browsers.admin;
    const forged = new Headers({ cookie: cookie.replace(/=.{8}/, "=forged01") });
    const { signedInOf } = await import("../src/server/sign-in/viewer.ts");
    expect(await signedInOf(forged)).toBeUndefined();
    expect(await signedInOf(new Headers({ cookie }))).toBeDefined();
  });
});

describe("an admin's browser on a page of another site", () => {
  it.each(MUTATIONS)("changes nothing through %s, and the attempt is recorded", async (path) => {
    const before = await stateOfVictim();
    for (const origin of ["https://evil.example", "http://127.0.0.1:9999", "null", undefined]) {
      const answer = await browsers.admin.mutate(path, inputOf(path), { origin });
      expect(answer, origin).toMatchObject({ status: 403, code: "FORBIDDEN", data: undefined });
      expect(answer.message, origin).toMatch(/own pages/);
    }
    expect(await stateOfVictim()).toEqual(before);
    expect(await refusalsOf(path, browsers.admin.userId)).toBeGreaterThan(0);
    // After sixty in ten minutes, a user's refusals are only counted, so the count is reset for each path.
    await ledger().refusals?.flush();
  });
});

describe("an insufficient role", () => {
  it.each(TOO_LITTLE)("%s is refused to a %s, naming the required role", async (path, role) => {
    const before = await stateOfVictim();
    const answer = await browsers[role].mutate(path, inputOf(path));
    const refusal = await refused(path, answer);
    expect(refusal.code, path).toBe("FORBIDDEN");
    expect(refusal.message).toMatch(
      path === "intents.cancel" ? /or an admin/ : /needs|role|admin/i,
    );
    expect(await stateOfVictim()).toEqual(before);
  });

  it.each(QUERIES)("reads through %s only what is open to everybody", async (path) => {
    for (const role of ["viewer", "operator"] as const) {
      const { code, message } = await browsers[role].query(path, inputOf(path));
      if (READ_BY_ADMINS.has(path)) expect(code, role).toBe("FORBIDDEN");
      else expect([undefined, "NOT_FOUND"], message).toContain(code);
    }
  });

  it.each(QUERIES)("an admin reads through %s", async (path) => {
    const { code, message } = await browsers.admin.query(path, inputOf(path));
    expect([undefined, "NOT_FOUND"], message).toContain(code);
  });
});

/** Each request of a batch has its own answer. */
async function refused(path: string, answer: Awaited<ReturnType<Browser["mutate"]>>) {
  if (path !== "intents.requestBatch" || answer.code !== undefined) return answer;
  const [first] = answer.data as readonly {
    readonly kind: string;
    readonly code?: string;
    readonly message?: string;
  }[];
  return { code: first?.code, message: first?.message };
}

describe("every action", () => {
  const KINDS = [
    ["retry", "operator", {}],
    ["hold", "operator", { until: Date.now() + 3_600_000 }],
    ["release", "operator", {}],
    ["override", "admin", { until: Date.now() + 3_600_000 }],
    ["set-setting", "admin", { setting: "node-monitor-period", from: "5s", value: "10s" }],
  ] as const;
  const LIFECYCLE = "cloud-node-lifecycle-controller";

  const request = (kind: string, action: object) => ({
    ...{ id: randomUUID(), cluster: CLUSTER, kind, controller: "cloud-node-controller" },
    object: { kind: "Node", name: "w-1", uid: "uid-1" },
    ...{ why: "trying", planHash: "made-up", confirmation: "w-1" },
    ...(kind === "set-setting"
      ? { controller: LIFECYCLE, object: { kind: "Controller", name: LIFECYCLE } }
      : {}),
    action: { kind, ...action },
  });

  it.each(KINDS)(
    "%s is refused below the role %s, and its preview to nobody",
    async (kind, needs, action) => {
      for (const role of ROLES.filter((each) => !roleIncludes(each, needs))) {
        const answer = await browsers[role].mutate("intents.request", request(kind, action));
        expect(answer, role).toMatchObject({ status: 403, code: "FORBIDDEN" });
        expect(answer.message).toContain(needs);
      }
      const preview = { ...request(kind, action), kind: "preview", planHash: undefined };
      const answer = await browsers.viewer.mutate("intents.request", preview);
      expect(answer, answer.message).toMatchObject({ status: 200, data: { kind: "preview" } });
    },
  );

  it.each(KINDS)("%s is accepted for the role %s, once per id", async (kind, needs, action) => {
    const input = request(kind, action);
    const first = await browsers[needs].mutate("intents.request", input);
    expect(first, first.message).toMatchObject({ status: 200, data: { id: input.id, kind } });
    const second = await browsers[needs].mutate("intents.request", input);
    expect(second.data).toEqual(first.data);
    expect(await ledger().prisma.intent.count({ where: { id: input.id } })).toBe(1);
    await browsers.admin.mutate("intents.cancel", { cluster: CLUSTER, id: input.id });
  });

  it("can be cancelled by its requester, and below admin by nobody else", async () => {
    const input = request("retry", {});
    await browsers.operator.mutate("intents.request", input);
    const cancel = { cluster: CLUSTER, id: input.id };
    const other = await server.signedIn("operator");
    expect(await other.mutate("intents.cancel", cancel)).toMatchObject({ code: "FORBIDDEN" });
    expect(await browsers.operator.mutate("intents.cancel", cancel)).toMatchObject({
      data: { state: "cancelled" },
    });
  });
});
