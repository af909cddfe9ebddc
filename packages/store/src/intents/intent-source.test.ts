import { randomUUID } from "node:crypto";
import type { Intent } from "@cloudwright/core/model/actions/intent";
import type { IntentSource } from "@cloudwright/core/reconcile/ports";
import {
  afterAll,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from "vitest";
import { canOwnServer, startTestServer, type TestServer } from "../../testing/database-fixture.ts";
import { CLUSTER, memoryLog } from "../../testing/records.ts";
import { systemClock } from "../../testing/system-clock.ts";
import { connect, type Database } from "../database/database.ts";
import { decideIntent } from "./decide-intent.ts";
import { createIntentSource } from "./intent-source.ts";
import { intentById } from "./intents.ts";
import { requestIntent } from "./request-intent.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ ownServer: true });
});
afterAll(() => server.dispose());

let url: string;
let db: Database;
beforeEach(async () => {
  url = await server.migrated();
  db = connect(url);
  await db.prisma.cluster.create({
    data: { id: CLUSTER, name: "prod-eu", provider: "sandbox", lastHeardAt: new Date() },
  });
  return () => db.close();
});

const FIRST = { identity: "ctl-1", leaseTransitions: 4 };
const SECOND = { identity: "ctl-2", leaseTransitions: 5 };

function source(cluster = CLUSTER, dryRun = false): IntentSource {
  return createIntentSource({
    db,
    databaseUrl: url,
    cluster,
    dryRun,
    clock: systemClock,
    log: memoryLog(),
  });
}

function ask(kind: "retry" | "preview" = "retry"): Promise<Intent> {
  return requestIntent(
    { db, actor: { id: "u1", name: "ana", role: "operator" } },
    {
      id: randomUUID(),
      cluster: CLUSTER,
      kind,
      controller: "cloud-node-controller",
      object: { kind: "Node", name: "w-1" },
      why: "The quota was raised",
    },
  );
}

function watch(from: IntentSource): Intent[] {
  const seen: Intent[] = [];
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  from.watch((intent) => seen.push(intent), stop.signal);
  return seen;
}

function stored(id: string) {
  return db.prisma.intent.findUniqueOrThrow({ where: { id } });
}

describe("a dry run", () => {
  const heard = (minutesAgo: number, over: { leader?: boolean; dryRun?: boolean } = {}) =>
    db.prisma.controllerInstance.create({
      data: {
        clusterId: CLUSTER,
        identity: "ctl-1",
        version: "0.1.0",
        leader: true,
        heardAt: new Date(Date.now() - minutesAgo * 60_000),
        watchSilentMs: 0n,
        spoolBytes: 0n,
        dryRun: false,
        controllers: [],
        ...over,
      },
    });

  test.each<{
    readonly name: string;
    readonly acting: () => Promise<unknown>;
    readonly offered: readonly string[];
  }>([
    { name: "a controller that acts leads", acting: () => heard(0), offered: [] },
    {
      name: "the one that acts has been silent for a minute",
      acting: () => heard(1),
      offered: ["preview"],
    },
    {
      name: "none has acted for hours",
      acting: () => heard(120),
      offered: ["preview", "retry"],
    },
    {
      name: "only another dry run leads",
      acting: () => heard(0, { dryRun: true }),
      offered: ["preview", "retry"],
    },
    {
      name: "what is there only waits for the Lease",
      acting: () => heard(0, { leader: false }),
      offered: ["preview", "retry"],
    },
  ])("is offered $offered when $name", async ({ acting, offered }) => {
    await acting();
    await ask("retry");
    await ask("preview");
    const elsewhere = watch(source());
    const seen = watch(source(CLUSTER, true));
    const kinds = (intents: readonly Intent[]) => new Set(intents.map(({ kind }) => kind));
    await vi.waitFor(() => expect(kinds(elsewhere)).toEqual(new Set(["preview", "retry"])), 20_000);
    await vi.waitFor(() => expect(kinds(seen)).toEqual(new Set(offered)), 20_000);
  });
});

describe("a leader", () => {
  test("is offered what is open already and what is requested later, of its cluster", async () => {
    const before = await ask();
    const seen = watch(source());
    const elsewhere = watch(source("other"));
    await vi.waitFor(() => expect(seen.map((intent) => intent.id)).toContain(before.id), 20_000);
    const after = await ask();
    await vi.waitFor(() => expect(seen.map((intent) => intent.id)).toContain(after.id), 20_000);
    expect(elsewhere).toEqual([]);
  });

  test("claims an intent once and reports on it to its end, with audit entries", async () => {
    const intent = await ask();
    const intents = source();
    expect(await intents.claim(intent, FIRST)).toBe(true);
    expect(await intents.claim(intent, FIRST)).toBe(false);
    expect(await intents.report(intent, FIRST, { state: "running", runId: "r1" })).toBe(true);
    expect(
      await intents.report(intent, FIRST, { state: "verified", runId: "r1", result: "Done." }),
    ).toBe(true);
    expect(await stored(intent.id)).toMatchObject({
      state: "verified",
      claimedBy: "ctl-1",
      runIds: ["r1"],
      result: "Done.",
    });
    const entries = await db.prisma.auditEntry.findMany({ orderBy: { seq: "asc" } });
    expect(entries.map((entry) => [entry.action, entry.actorName, entry.result])).toEqual([
      ["intent.request", "ana", "applied"],
      ["intent.claim", "ctl-1", "applied"],
      ["intent.end", "ctl-1", "applied"],
    ]);
  });

  test("is not offered again what it is working on itself", async () => {
    const intent = await ask();
    const intents = source();
    const seen = watch(intents);
    await vi.waitFor(() => expect(seen).not.toEqual([]), 20_000);
    await intents.claim(intent, FIRST);
    const later = await ask();
    await vi.waitFor(() => expect(seen.map((each) => each.id)).toContain(later.id), 20_000);
    expect(seen.filter((each) => each.id === intent.id && each.state !== "requested")).toEqual([]);
  });

  test("is not offered an action that waits for another user until they have approved it", async () => {
    const waiting = await ask();
    // The state in a cluster that requires approval.
    await db.prisma.intent.update({
      where: { id: waiting.id },
      data: { state: "awaiting-approval" },
    });
    const seen = watch(source());
    const other = await ask();
    await vi.waitFor(() => expect(seen.map(({ id }) => id)).toContain(other.id), 20_000);
    expect(seen.map(({ id }) => id)).not.toContain(waiting.id);
    expect(await source().claim(waiting, FIRST)).toBe(false);
    const bo = { db, actor: { id: "u2", name: "bo", role: "operator" } } as const;
    await decideIntent(bo, {
      ...{ cluster: CLUSTER, id: waiting.id, decision: "approve" },
      ...{ planHash: "seen by bo", why: "Agreed" },
    });
    const approved = { id: waiting.id, state: "requested", planHash: "seen by bo" };
    await vi.waitFor(() => expect(seen).toContainEqual(expect.objectContaining(approved)), 20_000);
  });

  test("returns a preview's answer with it", async () => {
    const intent = await ask();
    const intents = source();
    await intents.claim(intent, FIRST);
    await intents.report(intent, FIRST, { state: "running" });
    const preview: Intent["preview"] = {
      planHash: "h",
      changes: [],
      notTaken: [],
      next: { kind: "settled", reason: { code: "InStep" } },
    };
    await intents.report(intent, FIRST, { state: "verified", preview });
    expect((await stored(intent.id)).preview).toEqual(preview);
  });

  test("returns the current plan with an intent that it rejects", async () => {
    const intent = await ask();
    const intents = source();
    await intents.claim(intent, FIRST);
    const preview: Intent["preview"] = {
      planHash: "another",
      changes: [],
      notTaken: [{ step: "labels", reason: { code: "InStep" } }],
      next: { kind: "settled", reason: { code: "InStep" } },
    };
    const result = "The plan has changed since it was shown.";
    const evidence = { reason: { code: "InStep" } } as const;
    const report = { state: "rejected", result, preview, evidence } as const;
    expect(await intents.report(intent, FIRST, report)).toBe(true);
    expect(await stored(intent.id)).toMatchObject(report);
  });

  test("reports the progress of each of several loops, and the audit entry says how each ended", async () => {
    const intent = await ask();
    const intents = source();
    await intents.claim(intent, FIRST);
    const node = { controller: "cloud-node-controller", state: "running" } as const;
    const routes = { controller: "node-route-controller", state: "requested" } as const;
    await intents.report(intent, FIRST, { state: "running", loops: [node, routes] });
    await intents.report(intent, FIRST, { state: "running", runId: "run-1" });
    expect((await stored(intent.id)).loops).toEqual([node, routes]);
    const failed = { ...node, state: "failed", result: "No instance.", runId: "run-1" } as const;
    const verified = { ...routes, state: "verified" } as const;
    const ended = [{ ...failed, reason: { code: "InStep" } }, verified] as const;
    await intents.report(intent, FIRST, { state: "failed", result: "No.", loops: ended });
    expect(await intentById(db, { cluster: CLUSTER, id: intent.id })).toMatchObject({
      state: "failed",
      loops: ended,
      runIds: ["run-1"],
    });
    const last = await db.prisma.auditEntry.findFirst({ orderBy: { seq: "desc" } });
    expect(last).toMatchObject({ action: "intent.end", after: { state: "failed" } });
    expect(last?.after).toMatchObject({ loops: [failed, verified] });
    expect(JSON.stringify(last?.after)).not.toContain("InStep");
  });

  test("may not report a transition that the states forbid", async () => {
    const intent = await ask();
    const intents = source();
    expect(await intents.report(intent, FIRST, { state: "verified" })).toBe(false);
    await intents.claim(intent, FIRST);
    expect(await intents.report(intent, FIRST, { state: "verified" })).toBe(false);
    expect(await stored(intent.id)).toMatchObject({ state: "claimed" });
  });
});

describe("a new leader", () => {
  test("is offered and takes over what the old one had claimed; the old one is refused from then on", async () => {
    const intent = await ask();
    const old = source();
    await old.claim(intent, FIRST);
    await old.report(intent, FIRST, { state: "running" });

    const next = source();
    const seen = watch(next);
    await vi.waitFor(() => expect(seen).toMatchObject([{ state: "running" }]), 20_000);
    expect(await next.claim(intent, SECOND)).toBe(true);
    expect(await old.report(intent, FIRST, { state: "verified" })).toBe(false);
    expect(await source().claim(intent, FIRST)).toBe(false);
    expect(await stored(intent.id)).toMatchObject({ state: "claimed", claimedBy: "ctl-2" });
  });

  test("of two with the same lease term only the first claims", async () => {
    const intent = await ask();
    const claims = await Promise.all([
      source().claim(intent, FIRST),
      source().claim(intent, { ...FIRST, identity: "ctl-9" }),
    ]);
    expect(claims.filter((claimed) => claimed)).toHaveLength(1);
  });
});

describe("an intent of a newer release", () => {
  test("is left to a newer leader, does not hold back others, and expires", async () => {
    const strange = await ask();
    await db.pool.query(
      `UPDATE intents SET kind = 'teleport', wish = '{"kind":"teleport","to":"mars"}'`,
    );
    const known = await ask();
    const seen = watch(source());
    await vi.waitFor(() => expect(seen).not.toEqual([]), 20_000);
    expect(new Set(seen.map((intent) => intent.id))).toEqual(new Set([known.id]));
    await db.pool.query("UPDATE intents SET expires_at = now() - interval '1 second'");
    await vi.waitFor(async () => {
      expect(await stored(strange.id)).toMatchObject({ state: "expired" });
    }, 20_000);
  });
});

describe("an overdue intent", () => {
  test("expires, is not offered, cannot be claimed, and its expiry is audited", async () => {
    const intent = await ask();
    await db.pool.query("UPDATE intents SET expires_at = now() - interval '1 second'");
    const intents = source();
    expect(await intents.claim(intent, FIRST)).toBe(false);
    const seen = watch(intents);
    await vi.waitFor(async () => {
      expect(await stored(intent.id)).toMatchObject({ state: "expired" });
    }, 20_000);
    expect(seen).toEqual([]);
    expect(await db.prisma.auditEntry.findMany({ where: { action: "intent.end" } })).toMatchObject([
      { actorKind: "system", result: "failed" },
    ]);
  });

  test("that is already running is carried on", async () => {
    const intent = await ask();
    const intents = source();
    await intents.claim(intent, FIRST);
    await intents.report(intent, FIRST, { state: "running" });
    await db.pool.query("UPDATE intents SET expires_at = now() - interval '1 second'");
    const seen = watch(source());
    await vi.waitFor(() => expect(seen).toHaveLength(1), 20_000);
    expect(await intents.report(intent, FIRST, { state: "verified" })).toBe(true);
  });
});

describe("a database that is away", () => {
  test.skipIf(!canOwnServer)(
    "makes a claim fail, a report wait, and the watch go on once it is back",
    async () => {
      const first = await ask();
      const second = await ask();
      const intents = source();
      const seen = watch(intents);
      expect(await intents.claim(first, FIRST)).toBe(true);
      await intents.report(first, FIRST, { state: "running" });
      await server.stop();
      expect(await intents.claim(second, FIRST)).toBe(false);
      const report = intents.report(first, FIRST, { state: "verified" });
      await server.start();
      expect(await report).toBe(true);
      const later = await ask();
      await vi.waitFor(() => expect(seen.map((intent) => intent.id)).toContain(later.id), 30_000);
      expect(await intents.claim(second, FIRST)).toBe(true);
    },
  );
});
