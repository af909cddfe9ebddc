import { randomUUID } from "node:crypto";
import { changeWhy } from "@cloudwright/core/model/audit/change-why";
import { type Catalog, speak } from "@cloudwright/core/model/language/text";
import type { Role } from "@cloudwright/core/model/roles";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { serviceState } from "../../testing/load-balancer-records.ts";
import {
  auditEntry,
  CLUSTER,
  heartbeat,
  nodePart,
  objectState,
  runEnd,
  runStart,
  step,
} from "../../testing/records.ts";
import { testLedger } from "../../testing/test-ledger.ts";
import { Prisma } from "../generated/client.ts";
import { lazyConnection } from "../ledger/connection.ts";
import type { VerbContext } from "../operations/verb.ts";
import { overview } from "../queries/overview/overview.ts";
import { doStep } from "../sql/upkeep.ts";
import { INCIDENTS_MOST, type IncidentAbout } from "../views/incidents.ts";
import {
  clusterOfIncident,
  deleteIncident,
  listIncidents,
  readIncident,
  shareIncident,
  shareIncidentSchema,
} from "./incidents.ts";

const ledger = testLedger();
const OTHER = "0b000000-0000-4000-8000-00000000000b";
const DAY_MS = 86_400_000;
const STUCK = { code: "Other", name: "QuotaReached", text: "No machine is left" } as const;
const NODE = { kind: "object", of: "Node", name: "w-1" } as const;

/** A snapshot as the release before stored it. */
const ENGLISH = {
  ...{ version: 1, takenAt: 1, cluster: { id: CLUSTER, name: "prod-eu", provider: "aws" } },
  ...{ about: NODE, object: { kind: "Node", name: "w-1" }, subject: "Node w-1", state: "stuck" },
  sentence: "Node w-1 has been stuck for 60 s: No machine is left.",
  facts: [{ label: "Drift", text: "Not checked" }],
  parts: [
    {
      ...{ name: "Node initialisation", state: "stuck", since: 1, failures: 0 },
      ...{ cause: "No machine is left", advice: "" },
    },
  ],
  ...{ partsLeftOut: 0, timeline: [], differences: [], runs: [], entries: [] },
};

beforeEach(() => ledger.write(heartbeat({ clusterName: "prod-eu" })));

function user(name: string, role: Role = "viewer", clusters?: readonly string[]): VerbContext {
  return {
    db: ledger.db,
    actor: { id: name, name, role, ...(clusters === undefined ? {} : { clusters }) },
  };
}

async function stuckNode(): Promise<string> {
  const now = Date.now();
  const failed = { ...step("cloud"), status: 500, error: "quota", body: { message: "a body" } };
  const run = runEnd({ startedAt: now - 1_000, outcome: "failed", reason: STUCK, steps: [failed] });
  await ledger.write(
    objectState({
      ...{ name: "w-1", state: "stuck", reason: STUCK, since: now - 60_000, runId: run.id },
      node: nodePart({ createdAt: now - 120_000, providerID: "x://w-1" }),
    }),
    run,
    auditEntry({ why: "It was initialised.", object: { kind: "Node", name: "w-1" } }),
    auditEntry({ why: "of another node", object: { kind: "Node", name: "w-2" } }),
  );
  return run.id;
}

async function share(by: VerbContext, about: IncidentAbout, title?: string) {
  const { id } = await shareIncident(by, { cluster: CLUSTER, about, title });
  return await readIncident(by, { cluster: CLUSTER, id });
}

describe("a snapshot", () => {
  test("of an object has its sentence, each controller's status, its last plan, its runs and entries", async () => {
    const runId = await stuckNode();
    const { snapshot, ...row } = await share(user("ana"), NODE, "INC-88");
    expect(row).toMatchObject({
      ...{ title: "INC-88", subject: "Node w-1", madeBy: "ana", mayDelete: true },
    });
    expect(snapshot).toMatchObject({
      ...{ version: 2, about: NODE, state: "stuck", reason: STUCK },
      subject: { kind: "object", object: { kind: "Node", name: "w-1" } },
      cluster: { id: CLUSTER, name: "prod-eu" },
      controller: { identity: "ctl-1", version: expect.any(String) },
      facts: { providerID: "x://w-1", drift: expect.any(String), reportedAt: expect.any(Number) },
      parts: [{ name: "cloud-node-controller", state: "stuck", reason: STUCK }],
      plan: { runId, outcome: "failed", calls: [{ status: 500, error: "quota" }] },
      runs: [{ id: runId, outcome: "failed", reason: STUCK }],
      entries: [{ why: "It was initialised." }],
    });
    expect(JSON.stringify(snapshot), "bodies go after seven days").not.toContain("a body");
  });

  test("of an audit entry also has the reason of its change", async () => {
    const reason = { code: "FinalizerMissing" } as const;
    const change = runStart().changes[0];
    if (change === undefined) throw new Error("unreachable");
    const run = runEnd({ changes: [{ ...change, reason }] });
    const object = { kind: "Node", name: "w-1" };
    await ledger.write(
      objectState({ name: "w-1", node: nodePart({ createdAt: 1 }) }),
      run,
      auditEntry({ object, runId: run.id, why: changeWhy(reason) }),
    );
    const { snapshot } = await share(user("ana"), NODE);
    expect(snapshot).toMatchObject({ entries: [{ why: changeWhy(reason), reason }] });
  });

  test("does not change when the object does", async () => {
    await stuckNode();
    const before = await share(user("ana"), NODE);
    await ledger.write(objectState({ name: "w-1", state: "ok", at: Date.now() + 1 }));
    const after = await readIncident(user("bo"), { cluster: CLUSTER, id: before.id });
    expect(after.snapshot).toEqual(before.snapshot);
    expect(after.mayDelete).toBe(false);
  });

  test("of a run has its plan and calls, also while it has not ended", async () => {
    const id = await stuckNode();
    const ended = await share(user("ana"), { kind: "run", id });
    expect(ended.snapshot).toMatchObject({
      reason: STUCK,
      plan: {
        changes: [
          {
            title: { kind: "node.initialise", target: { kind: "Node", name: "w-1" } },
            ...{ fate: "applied", fields: [{ after: "sandbox://z1/w-1" }] },
          },
        ],
      },
    });
    expect(ended.subject).toBe("Node initialisation: run of Node w-1");
    const begun = runStart({ startedAt: Date.now() });
    await ledger.write(begun);
    const { snapshot } = await share(user("ana"), { kind: "run", id: begun.id });
    expect(snapshot).toMatchObject({
      plan: { outcome: "running", changes: [{ fate: "not known whether applied" }] },
    });
    expect(snapshot).not.toHaveProperty("reason");
  });

  test("of a row of the Overview has each of its oldest objects", async () => {
    await stuckNode();
    await ledger.write(objectState({ name: "w-2", uid: "u-2", state: "stuck", reason: STUCK }));
    const { problems } = await overview(ledger.db, { cluster: CLUSTER, now: Date.now() });
    const id = problems[0]?.id ?? "";
    const { snapshot, subject, subjectParts } = await share(user("ana"), { kind: "problem", id });
    expect(subject).toBe("2 objects of kind Node");
    expect(subjectParts).toEqual({ kind: "objects", of: "Node", count: 2 });
    expect(snapshot).toMatchObject({
      ...{ subject: subjectParts, state: "stuck", partsLeftOut: 0, reason: STUCK },
    });
    expect(snapshot?.parts.map(({ name }) => name).toSorted()).toEqual(["w-1", "w-2"]);
  });

  test("is the same in every language of its maker", async () => {
    await stuckNode();
    const english = await share(user("ana"), NODE);
    const french: Catalog = { "Node initialisation": "Initialisation du nœud" };
    speak({ language: "fr", catalogOf: () => french });
    onTestFinished(() => speak({ language: "en", catalogOf: () => undefined }));
    const shared = await share(user("bo"), NODE);
    expect(shared.subject).toBe(english.subject);
    const [one, other] = [english.snapshot, shared.snapshot];
    expect({ ...one, takenAt: 0, entries: [] }).toEqual({ ...other, takenAt: 0, entries: [] });
  });

  test("of a Service has the name with its namespace", async () => {
    await ledger.write(serviceState("shop/web"));
    const { snapshot } = await share(user("ana"), {
      kind: "object",
      of: "Service",
      name: "shop/web",
    });
    expect(snapshot?.object).toEqual({ kind: "Service", namespace: "shop", name: "web" });
  });

  test("is bounded however much there is to keep", async () => {
    const long = "x".repeat(2_000);
    const change = runStart().changes[0];
    if (change === undefined) throw new Error("unreachable");
    const run = runEnd({
      changes: Array.from({ length: 80 }, () => ({ ...change, after: { long, other: long } })),
      steps: Array.from({ length: 150 }, (_, index) => ({
        ...{ ...step("cloud"), target: long },
        ...(index === 3 ? { error: long } : {}),
      })),
      applied: 80,
    });
    await ledger.write(run);
    const { snapshot } = await share(user("ana"), { kind: "run", id: run.id });
    expect(snapshot?.plan).toMatchObject({ changesLeftOut: 30, callsLeftOut: 50 });
    expect(snapshot?.plan?.calls.some(({ error }) => error !== undefined)).toBe(true);
    expect(JSON.stringify(snapshot).length).toBeLessThan(512 * 1_024);
  });
});

describe("access", () => {
  test("nobody shares what does not exist, or belongs to a cluster hidden from them", async () => {
    for (const about of [
      { ...NODE, name: "w-404" },
      { kind: "run", id: randomUUID() },
      { kind: "problem", id: "gone" },
    ] as const) {
      await expect(share(user("ana"), about)).rejects.toMatchObject({ code: "NotFound" });
    }
    await stuckNode();
    await expect(share(user("out", "admin", [OTHER]), NODE)).rejects.toMatchObject({
      code: "NotFound",
    });
    expect(await listIncidents(user("ana"), { cluster: CLUSTER })).toEqual([]);
  });

  test("a link works only for users who may see its cluster", async () => {
    await stuckNode();
    const { id } = await share(user("ana"), NODE);
    expect(await clusterOfIncident(user("bo", "viewer", [CLUSTER]), id)).toBe(CLUSTER);
    expect(await clusterOfIncident(user("out", "admin", [OTHER]), id)).toBeUndefined();
    expect(await clusterOfIncident(user("ana"), randomUUID())).toBeUndefined();
    expect(await clusterOfIncident(user("ana"), "no id' OR 1")).toBeUndefined();
    await expect(readIncident(user("ana"), { cluster: OTHER, id })).rejects.toMatchObject({
      code: "NotFound",
    });
  });

  test("its maker or an admin deletes it, which is audited", async () => {
    await stuckNode();
    const [mine, another] = [await share(user("ana"), NODE), await share(user("ana"), NODE)];
    const input = { cluster: CLUSTER, id: mine.id };
    await expect(deleteIncident(user("bo", "operator"), input)).rejects.toMatchObject({
      ...{ code: "Forbidden", message: expect.stringContaining("Only ana, who made it") },
    });
    await deleteIncident(user("ana"), input);
    await expect(deleteIncident(user("ana"), input)).rejects.toMatchObject({ code: "NotFound" });
    await deleteIncident(user("root", "admin"), { cluster: CLUSTER, id: another.id });
    expect(await listIncidents(user("ana"), { cluster: CLUSTER })).toEqual([]);
    const entries = await ledger.db.prisma.auditEntry.findMany({
      where: { actorKind: "person" },
      orderBy: { seq: "asc" },
    });
    expect(entries.map(({ action, result, actorId }) => [action, result, actorId])).toEqual([
      ["account.incident-share", "applied", "ana"],
      ["account.incident-share", "applied", "ana"],
      ["account.incident-delete", "refused", "bo"],
      ["account.incident-delete", "applied", "ana"],
      ["account.incident-delete", "applied", "root"],
    ]);
    expect(entries[0]).toMatchObject({ objectName: "w-1", after: { incident: mine.id } });
  });

  test("a user can have a limited number of them", async () => {
    await stuckNode();
    const { id } = await share(user("ana"), NODE);
    const row = await ledger.db.prisma.incident.findUniqueOrThrow({ where: { id } });
    await ledger.db.prisma.incident.createMany({
      data: Array.from({ length: INCIDENTS_MOST.user - 1 }, () => ({
        ...{ ...row, id: randomUUID(), snapshot: {}, subjectParts: {} },
      })),
    });
    await expect(share(user("ana"), NODE)).rejects.toMatchObject({
      ...{ code: "Limit", message: expect.stringContaining("You have 100") },
    });
    await share(user("bo"), NODE);
  });
});

describe("an incident", () => {
  test("is listed newest first, without its snapshot", async () => {
    await stuckNode();
    const first = await share(user("ana"), NODE, "first");
    const second = await share(user("bo"), NODE);
    const rows = await listIncidents(user("bo"), { cluster: CLUSTER });
    expect(rows.map(({ id, title, mayDelete }) => [id, title, mayDelete])).toEqual([
      [second.id, undefined, true],
      [first.id, "first", false],
    ]);
    expect(rows[0]).not.toHaveProperty("snapshot");
  });

  test("of a release that stored English text is read unchanged", async () => {
    await stuckNode();
    const { id } = await share(user("ana"), NODE);
    await ledger.db.prisma.incident.update({
      where: { id },
      data: { snapshot: ENGLISH, subjectParts: Prisma.DbNull },
    });
    const read = await readIncident(user("ana"), { cluster: CLUSTER, id });
    expect(read).toMatchObject({ subject: "Node w-1", snapshot: ENGLISH });
    expect(read.subjectParts).toBeUndefined();
    await deleteIncident(user("ana"), { cluster: CLUSTER, id });
  });

  test("of a version that only another release knows says so", async () => {
    await stuckNode();
    const { id } = await share(user("ana"), NODE);
    await ledger.db.prisma.incident.update({ where: { id }, data: { snapshot: { version: 3 } } });
    const read = await readIncident(user("ana"), { cluster: CLUSTER, id });
    expect(read).toMatchObject({ subject: "Node w-1", snapshot: undefined });
  });

  test("is removed by the upkeep once it is old, and not before", async () => {
    await stuckNode();
    const [old, kept] = [await share(user("ana"), NODE), await share(user("ana"), NODE)];
    await ledger.db.prisma.incident.update({
      where: { id: old.id },
      data: { madeAt: new Date(Date.now() - 91 * DAY_MS) },
    });
    const connection = lazyConnection(ledger.url);
    const before = new Date(Date.now() - 90 * DAY_MS);
    expect(await doStep(await connection.client(), "dropIncidents", [before])).toBe(1);
    await expect(doStep(await connection.client(), "dropIncidents", [new Date()])).rejects.toThrow(
      /last hour is never removed/,
    );
    connection.drop();
    const rows = await listIncidents(user("ana"), { cluster: CLUSTER });
    expect(rows.map(({ id }) => id)).toEqual([kept.id]);
  });

  test.each([
    ["too long", "x".repeat(121), /at most 120/],
    ["of two lines", "two\nlines", /one line/],
  ])("has no title that is %s", (_, title, sentence) => {
    const parsed = shareIncidentSchema.safeParse({ cluster: CLUSTER, about: NODE, title });
    expect(parsed.error?.issues[0]?.message).toMatch(sentence);
  });
});
