import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { insertAuditEntry } from "@cloudwright/store/audit/audit-insert";
import type { ClusterAccess } from "@cloudwright/store/users/cluster-access";
import { sessionProof, storedSessionToken } from "@cloudwright/store/users/session-proof";
import { TRPCError } from "@trpc/server";
import { beforeAll, describe, expect, it } from "vitest";
import {
  budgetMinute,
  operation,
  settings,
} from "../../../packages/store/testing/budget-records.ts";
import { serviceState } from "../../../packages/store/testing/load-balancer-records.ts";
import {
  heartbeat,
  newId,
  nodePart,
  objectEvent,
  objectState,
  runEnd,
  runStart,
} from "../../../packages/store/testing/records.ts";
import { nodeRoutesState, tableState } from "../../../packages/store/testing/route-records.ts";
import { volumeState } from "../../../packages/store/testing/volume-records.ts";
import { ledger } from "../src/server/ledger.ts";
import { appRouter } from "../src/server/root.ts";
import { type Context, createContext, type ProcedureMeta } from "../src/server/trpc.ts";
import { owner, testDashboard } from "./testing/dashboard-server.ts";

const OURS = "0a000000-0000-4000-8000-00000000000a";
const THEIRS = "0b000000-0000-4000-8000-00000000000b";
/** Marks everything that the other cluster holds, and occurs in no request. */
const LEAK = /leak|0b000000/i;
const OWN = { id: "ana", name: "Ana", email: "ana@example.org", role: "admin" } as const;
const SESSION = { id: "own", token: "a token of the test" };
const HEADERS = new Headers({ origin: "http://127.0.0.1", host: "127.0.0.1" });

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

interface Procedure {
  readonly _def: { readonly type: string; readonly meta?: ProcedureMeta };
}
// At run time this is flat, whatever its type says.
const PROCEDURES = appRouter._def.procedures as unknown as Readonly<Record<string, Procedure>>;

const RUN_AT = Date.now() - 60_000;
const RUN = newId(RUN_AT);
const INTENT = newId();
const TOKEN = "0c000000-0000-4000-8000-00000000000c";
const VIEW = "0d000000-0000-4000-8000-00000000000d";
const INCIDENT = "0f000000-0000-4000-8000-00000000000f";
const COMMENT = "0e000000-0000-4000-8000-00000000000e";
/** The names of the other cluster's objects. */
const IDS: Readonly<Record<string, string>> = {
  $run: RUN,
  $intent: INTENT,
  $node: "w-1",
  $namespace: "shop",
  $service: "web",
  $volume: "pv-1",
  $user: "other",
  $session: "other-session",
  $token: TOKEN,
  $view: VIEW,
  $comment: COMMENT,
  $incident: INCIDENT,
};

/** Why an object of each cluster is stuck. */
const SHARED = { code: "Other", name: "QuotaReached", text: "No machine is left" } as const;

testDashboard([
  heartbeat({ cluster: OURS, clusterName: "ours" }),
  objectState({ cluster: OURS, name: "w-9", state: "stuck", reason: SHARED }),
  ...recordsOfTheirs(),
]);
beforeAll(async () => {
  await addTheirIntent();
  await addTheirWebhook();
  await addTheirIncident();
  await addUsers();
});

function recordsOfTheirs() {
  const now = Date.now();
  const of = { cluster: THEIRS };
  const node = nodePart({ createdAt: now, providerID: "x://leak" });
  const cause = { object: { kind: "Node", name: "w-1", uid: "uid-leak" } } as const;
  return [
    heartbeat({ ...of, clusterName: "leak", instance: "leak" }),
    settings({ ...of, instance: "leak" }),
    budgetMinute(Math.floor(now / 60_000) * 60_000 - 60_000, 3, {
      ...of,
      cloud: { operations: [operation({ operation: "leak" })], priorities: [], lookups: [] },
    }),
    objectState({ ...of, name: "w-1", uid: "uid-leak", node }),
    objectState({ ...of, name: "w-2", uid: "uid-leak-2", state: "stuck", reason: SHARED }),
    objectState({ ...of, name: "leak-1", uid: "uid-leak-3", node }),
    nodeRoutesState("w-1", { ...of, uid: "uid-leak" }),
    nodeRoutesState("leak-1", { ...of, uid: "uid-leak-3" }),
    tableState("leak", of),
    serviceState("shop/web", { ...of, uid: "uid-leak" }),
    serviceState("shop/leak", { ...of, uid: "uid-leak-4" }),
    volumeState("pv-1", { ...of, uid: "uid-leak" }),
    objectEvent({ ...of, ...cause, eventType: "Warning", message: "w leak" }),
    runStart({ ...of, ...cause, id: RUN, instance: "leak", startedAt: RUN_AT }),
    runEnd({
      ...{ ...of, ...cause, id: RUN, instance: "leak", startedAt: RUN_AT },
      events: [
        { type: "Normal", reason: "Synced", message: "leak", target: cause.object, offsetMs: 1 },
      ],
    }),
  ];
}

/** With the id that the inputs name. */
const WEBHOOK = "5d0c2a10-0000-4000-8000-0000000000aa";

async function addTheirWebhook(): Promise<void> {
  const at = new Date();
  const { prisma } = ledger();
  await prisma.webhook.create({
    data: {
      ...{ id: WEBHOOK, clusterId: THEIRS, name: "leak", form: "slack", origin: "https://leak" },
      ...{ address: "leak", secret: "leak", rules: {}, createdBy: "leak" },
      ...{ createdAt: at, updatedAt: at },
      deliveries: {
        create: {
          ...{ id: randomUUID(), clusterId: THEIRS, clusterName: "leak", alarm: "leak" },
          ...{ phase: "begins", count: 1, sentence: "leak", path: "/leak", state: "failed" },
          ...{ attempts: [], createdAt: at },
        },
      },
    },
  });
}

/** Who wrote there, and when. */
const LEAKED = { authorId: "leak", authorName: "leak", createdAt: new Date() };

async function addTheirIncident(): Promise<void> {
  await ledger().prisma.incident.create({
    data: {
      ...{ id: INCIDENT, clusterId: THEIRS, title: "leak", subject: "leak", snapshot: {} },
      ...{ makerId: "leak", makerName: "leak", madeAt: new Date() },
    },
  });
}

async function addTheirIntent(): Promise<void> {
  const at = new Date();
  const { prisma } = owner();
  await prisma.intent.create({
    data: {
      id: INTENT,
      clusterId: THEIRS,
      kind: "retry",
      controller: "cloud-node-controller",
      objectKind: "Node",
      objectName: "w-1",
      why: "leak",
      actorId: "ana",
      actorName: "leak",
      state: "awaiting-approval",
      requestedAt: at,
      expiresAt: new Date(at.getTime() + 3_600_000),
      updatedAt: at,
      comments: { create: { ...{ id: COMMENT, clusterId: THEIRS, text: "leak" }, ...LEAKED } },
    },
  });
  await prisma.approvalPolicy.create({
    data: { clusterId: THEIRS, required: false, actions: [], changedBy: "leak", changedAt: at },
  });
  await insertAuditEntry(prisma, {
    actor: { kind: "person", id: "leak", name: "leak" },
    cluster: THEIRS,
    action: "intent.request",
    why: "leak",
    result: "applied",
    before: null,
    after: null,
  });
}

async function addUsers(): Promise<void> {
  const expiresAt = new Date(Date.now() + 3_600_000);
  const own = { id: SESSION.id, token: storedSessionToken(SESSION.token), expiresAt };
  await ledger().prisma.user.create({
    data: { ...OWN, emailVerified: true, sessions: { create: own } },
  });
  const user = { email: "leak@example.org", emailVerified: true, role: "viewer" };
  const session = { id: "other-session", token: "t", expiresAt };
  const at = { createdAt: new Date(), updatedAt: new Date() };
  const view = {
    ...{ id: VIEW, clusterId: THEIRS, name: "leak", shared: true, page: "nodes" },
    ...{ search: "q=leak", ...at },
  };
  const token = {
    ...{ id: TOKEN, tokenHash: "x", name: "leak", role: "viewer", expiresAt },
    ...{ createdAt: new Date(), createdById: "other", createdByName: "leak" },
  };
  await ledger().prisma.user.create({
    data: {
      ...{ id: "other", name: "leak", ...user },
      ...{ sessions: { create: session }, apiTokens: { create: token } },
      savedViews: { create: view },
    },
  });
}

function contextOf(clusters: ClusterAccess): Context {
  const viewer = { ...OWN, sessionId: SESSION.id, clusters };
  const signedIn = { viewer, proof: sessionProof(SESSION) };
  return { ...createContext(HEADERS), signedIn: () => Promise.resolve(signedIn) };
}

interface Answer {
  readonly code?: string;
  readonly text: string;
}

/** Returns the procedure's answer, or the code of its refusal, for the given cluster. */
async function answerOf(path: string, cluster: string, clusters: ClusterAccess): Promise<Answer> {
  const caller = appRouter.createCaller(contextOf(clusters)) as unknown as Caller;
  const [group = "", name = ""] = path.split(".");
  try {
    const answer = await caller[group]?.[name]?.(filled(SAMPLES[path]?.input, cluster));
    return { text: String(JSON.stringify(answer)) };
  } catch (error) {
    return { code: error instanceof TRPCError ? error.code : String(error), text: "" };
  }
}

function objectOf(filter: unknown): object {
  const { kind, name } = Object(filter) as { readonly kind?: unknown; readonly name?: unknown };
  return name === undefined ? {} : { kind, name };
}

type Caller = Readonly<
  Record<string, Readonly<Record<string, (input: unknown) => Promise<unknown>>>>
>;

/** Removes filters and cursors, so that a list shows everything that it may; members that name the one object of a list stay. */
function filled(value: unknown, cluster: string): unknown {
  if (typeof value === "string") return value === "$cluster" ? cluster : (IDS[value] ?? value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => filled(each, cluster));
  const members = Object.entries(value).filter(([name]) => name !== "cursor");
  return Object.fromEntries(
    members.map(([name, member]) => [
      name,
      name === "filter" ? objectOf(member) : filled(member, cluster),
    ]),
  );
}

const PATHS = Object.keys(PROCEDURES);

it("every procedure has a sample input", () => {
  const types = PATHS.map((path) => [path, PROCEDURES[path]?._def.type]);
  expect(Object.fromEntries(types)).toEqual(
    Object.fromEntries(Object.entries(SAMPLES).map(([path, { type }]) => [path, type])),
  );
});

describe("an admin who is restricted to another cluster", () => {
  it.each(PATHS)("gets nothing of this one through %s", async (path) => {
    const { code, text } = await answerOf(path, THEIRS, [OURS]);
    if ((PROCEDURES[path]?._def.meta?.scope ?? "cluster") === "cluster")
      expect(code).toBe("NOT_FOUND");
    expect(text).not.toMatch(LEAK);
  });

  it.each(PATHS)(
    "gets nothing of this one by naming its objects in their own, by %s",
    async (path) => {
      const { text } = await answerOf(path, OURS, [OURS]);
      expect(text).not.toMatch(LEAK);
    },
  );

  it.each([
    "people.list",
    "people.create",
    "people.disable",
    "people.setClusters",
    "sessions.list",
    "tokens.list",
    "tokens.create",
    "tokens.revoke",
  ])("stores no accounts: %s", async (path) => {
    expect(await answerOf(path, OURS, [OURS])).toEqual({ code: "FORBIDDEN", text: "" });
  });

  it("cannot read the accounts' audit entries", async () => {
    for (const path of ["audit.list", "audit.chain", "audit.verify", "audit.histogram"]) {
      expect(await answerOf(path, "accounts", [OURS]), path).toEqual({
        code: "NOT_FOUND",
        text: "",
      });
    }
  });

  it("is given the reason why it cannot read them", async () => {
    const caller = appRouter.createCaller(contextOf([OURS]));
    await expect(caller.audit.chain({ cluster: "accounts" })).rejects.toThrow(
      "The audit entries about accounts are only for users who see all clusters.",
    );
  });

  it("has changed nothing in it", async () => {
    const { prisma } = ledger();
    const intents = await prisma.intent.findMany({ where: { clusterId: THEIRS } });
    expect(intents).toMatchObject([{ id: INTENT, state: "awaiting-approval" }]);
    const policies = await prisma.approvalPolicy.findMany({ where: { clusterId: THEIRS } });
    expect(policies).toMatchObject([{ required: false, changedBy: "leak" }]);
    const webhooks = await prisma.webhook.findMany();
    expect(webhooks.filter(({ clusterId }) => clusterId === THEIRS)).toMatchObject([
      { id: WEBHOOK, name: "leak", secret: "leak", pausedAt: null },
    ]);
    expect(await prisma.comment.findMany()).toMatchObject([{ id: COMMENT, text: "leak" }]);
    const incidents = await prisma.incident.findMany({ where: { clusterId: THEIRS } });
    expect(incidents).toMatchObject([{ id: INCIDENT, title: "leak" }]);
    expect(await prisma.session.count({ where: { id: "other-session" } })).toBe(1);
    const views = await prisma.savedView.findMany({ where: { clusterId: THEIRS } });
    expect(views).toMatchObject([{ id: VIEW, name: "leak", search: "q=leak" }]);
    expect(await prisma.user.findUnique({ where: { id: "other" } })).toMatchObject({
      role: "viewer",
    });
  });
});

describe("the marker of the tests above", () => {
  const READS = PATHS.filter((path) => SAMPLES[path]?.type === "query");
  const SILENT = new Set([
    // Its sample names a batch, and theirs is in none.
    "approvals.waiting",
    "audit.histogram",
    "balancers.ofNode",
    "balancers.orphans",
    // Only numbers.
    "controllers.activity",
    // Only numbers.
    "nodes.initialisation",
    "people.admins",
    "people.me",
    // Only numbers.
    "takeover.byCluster",
    "routes.foreign",
    "routes.stale",
    "runs.histogram",
    "sessions.mine",
    "shadow.pending",
    "tokens.mine",
  ]);

  it.each(READS.filter((path) => !SILENT.has(path)))(
    "is there to be seen by whoever is not restricted: %s",
    async (path) => {
      const { code, text } = await answerOf(path, THEIRS, "all");
      expect(code).toBeUndefined();
      expect(text).toMatch(LEAK);
    },
  );
});
