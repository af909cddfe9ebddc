import { randomUUID } from "node:crypto";
import { APPROVED_ACTIONS } from "@cloudwright/core/model/actions/action";
import { isReadable } from "@cloudwright/core/model/actions/intent";
import type { Role } from "@cloudwright/core/model/roles";
import { beforeEach, describe, expect, test } from "vitest";
import { useClusterDatabase } from "../../testing/cluster-database.ts";
import { CLUSTER, objectState } from "../../testing/records.ts";
import type { VerbContext } from "../operations/verb.ts";
import { approvalPolicy, setApproval } from "./approval-policy.ts";
import { cancelIntent } from "./cancel-intent.ts";
import { type DecideIntentInput, decideIntent, waitingApprovals } from "./decide-intent.ts";
import { listIntents } from "./intents.ts";
import { requestBatch } from "./request-batch.ts";
import { type IntentRequest, requestIntent } from "./request-intent.ts";
import { claimIntent, openIntents } from "./statements.ts";

const database = useClusterDatabase();
const LEADER = { identity: "ctl-1", leaseTransitions: 4 };
const UNTIL = Date.now() + 3_600_000;

function as(name: string, role: Role = "operator"): VerbContext {
  return { db: database.db, actor: { id: `id-${name}`, name, role } };
}
const ana = () => as("ana");
const bo = () => as("bo");

async function addUser(name: string, role: Role, over: object = {}): Promise<void> {
  await database.db.prisma.user.create({
    data: { id: `id-${name}`, name, email: `${name}@example.org`, role, ...over },
  });
}

const turn = (required: boolean) =>
  setApproval(as("cleo", "admin"), { cluster: CLUSTER, required, why: "After INC-13" });

function release(over: Partial<IntentRequest> = {}): IntentRequest {
  return {
    ...{ id: randomUUID(), cluster: CLUSTER, kind: "release", action: { kind: "release" } },
    controller: "cloud-node-controller",
    object: { kind: "Node", name: "w-1", uid: "uid-1" },
    ...{ why: "The disk is fine", planHash: "seen by ana" },
    ...over,
  };
}

async function waiting(over: Partial<IntentRequest> = {}): Promise<string> {
  const intent = await requestIntent(ana(), release(over));
  expect(intent.state).toBe("awaiting-approval");
  return intent.id;
}

function approve(id: string, over: Partial<DecideIntentInput> = {}) {
  const input = {
    cluster: CLUSTER,
    id,
    decision: "approve",
    planHash: "seen by bo",
    why: "Agreed",
  };
  return decideIntent(bo(), { ...input, ...over } as DecideIntentInput);
}

const declined = (id: string) => ({
  ...({ cluster: CLUSTER, id, decision: "decline", why: "Not on a Friday" } as const),
});

const stored = (id: string) => database.db.prisma.intent.findUniqueOrThrow({ where: { id } });
const overdue = (id: string) =>
  database.db.pool.query(
    "UPDATE intents SET expires_at = now() - interval '1 second' WHERE id = $1",
    [id],
  );
const entriesOf = (action: string) =>
  database.db.prisma.auditEntry.findMany({ where: { action }, orderBy: { seq: "asc" } });

beforeEach(async () => {
  await addUser("cleo", "admin");
  await addUser("dan", "admin");
});

describe("the option", () => {
  test("is off until an admin turns it on, and each change is audited once", async () => {
    expect(await approvalPolicy(database.db, CLUSTER)).toEqual({ required: false, admins: 2 });
    expect((await requestIntent(ana(), release())).state).toBe("requested");
    expect(await turn(true)).toMatchObject({ required: true, changed: { by: "cleo" } });
    await turn(true);
    await turn(false);
    expect(await entriesOf("cluster.approval")).toMatchObject([
      { actorName: "cleo", objectKind: "Cluster", before: { required: false } },
      { actorName: "cleo", why: "After INC-13", after: { required: false } },
    ]);
    expect((await requestIntent(ana(), release({ object: node("w-2") }))).state).toBe("requested");
  });

  test("can only be changed by an admin, for a known cluster", async () => {
    const input = { cluster: CLUSTER, required: true, why: "trying" };
    await expect(setApproval(ana(), input)).rejects.toMatchObject({ code: "Forbidden" });
    const elsewhere = setApproval(as("cleo", "admin"), { ...input, cluster: "made-up" });
    await expect(elsewhere).rejects.toMatchObject({ code: "NotFound" });
    expect((await approvalPolicy(database.db, CLUSTER)).required).toBe(false);
  });

  test.each([
    ["is disabled", { banned: true }],
    ["sees other clusters alone", { restricted: true, clusters: ["other"] }],
    ["is an operator now", { role: "operator" }],
  ])("is not turned on while the only other admin %s", async (_name, change) => {
    await database.db.prisma.user.update({ where: { id: "id-dan" }, data: change });
    await expect(turn(true)).rejects.toMatchObject({
      ...{ code: "Precondition", message: expect.stringContaining("add a second admin first") },
    });
  });

  test("counts an admin who is restricted to this cluster among others", async () => {
    const change = { restricted: true, clusters: [CLUSTER] };
    await database.db.prisma.user.update({ where: { id: "id-dan" }, data: change });
    expect((await turn(true)).required).toBe(true);
  });
});

function node(name: string) {
  return { kind: "Node", name, uid: `uid-${name}` } as const;
}

describe("with the option on", () => {
  beforeEach(() => turn(true));

  test("no controller can see or claim what waits, of this release or of an earlier one", async () => {
    const id = await waiting();
    expect(await openIntents(database.db, CLUSTER)).toEqual([]);
    // The query with which earlier releases look for intents to claim.
    const found = "SELECT FROM intents WHERE state IN ('requested', 'claimed', 'running')";
    expect((await database.db.pool.query(found)).rowCount).toBe(0);
    const { rows } = await listIntents(database.db, {
      ...{ cluster: CLUSTER, filter: {}, limit: 1 },
      sort: { by: "requested", descending: true },
    });
    const [intent] = rows;
    if (intent === undefined || !isReadable(intent)) throw new Error("It is not listed.");
    expect(await claimIntent(database.db, intent, LEADER)).toBe(false);
    await approve(id);
    expect(await openIntents(database.db, CLUSTER)).toMatchObject([{ id, planHash: "seen by bo" }]);
    expect(await claimIntent(database.db, intent, LEADER)).toBe(true);
  });

  test.each([
    ["requested", "the state is set without a decision", {}],
    ["claimed", "it would skip the approval", { decidedById: "id-bo" }],
    ["requested", "whoever asked decides", { decidedById: "id-ana" }],
  ])("the database itself lets nothing become %s when %s", async (state, _when, decision) => {
    const id = await waiting();
    const change = database.db.prisma.intent.update({
      where: { id },
      data: { state, ...decision },
    });
    await expect(change).rejects.toThrow(/waits for the approval of another person/);
    expect((await stored(id)).state).toBe("awaiting-approval");
  });

  test("a dashboard of an earlier release cannot bypass it", async () => {
    const at = new Date();
    const row = await database.db.prisma.intent.create({
      data: {
        ...{ id: randomUUID(), clusterId: CLUSTER, kind: "release", why: "x", state: "requested" },
        ...{ controller: "cloud-node-controller", objectKind: "Node", objectName: "w-1" },
        ...{ actorId: "id-ana", actorName: "ana", action: { kind: "release" } },
        ...{ requestedAt: at, updatedAt: at, expiresAt: at },
      },
    });
    expect(row.state).toBe("awaiting-approval");
    expect(row.expiresAt.getTime() - at.getTime()).toBe(3_600_000);
  });

  test("stops and retries wait for nobody, and neither does a preview", async () => {
    const hold = { kind: "hold", until: UNTIL } as const;
    const others = [
      release({ kind: "hold", action: hold }),
      release({ kind: "retry", action: { kind: "retry" } }),
      release({ kind: "preview" }),
    ];
    for (const other of others) expect((await requestIntent(ana(), other)).state).toBe("requested");
    expect(APPROVED_ACTIONS).toEqual([
      ...["release", "override", "reensure", "adopt", "remove-orphan", "resume", "release-guard"],
      "loosen-guard",
    ]);
  });

  test("each action of a batch waits, and a hold of the same object does not wait for it", async () => {
    const requests = ["w-1", "w-2"].map((name) => {
      const { cluster: _, ...one } = release({ object: node(name) });
      return one;
    });
    await database.write(
      ...["w-1", "w-2"].map((name) => objectState({ name, uid: `uid-${name}` })),
    );
    const batch = { batch: randomUUID(), cluster: CLUSTER, requests };
    const answers = await requestBatch(ana(), batch);
    const waits = { kind: "requested", intent: { state: "awaiting-approval" } };
    expect(answers).toMatchObject([waits, waits]);
    const hold = {
      kind: "hold",
      action: { kind: "hold", until: UNTIL },
      object: node("w-1"),
    } as const;
    expect((await requestIntent(bo(), release(hold))).state).toBe("requested");
    const again = requestIntent(bo(), release({ object: node("w-2") }));
    await expect(again).rejects.toMatchObject({ code: "Conflict" });
    const first = answers[0]?.kind === "requested" ? answers[0].intent.id : "";
    await expect(approve(first)).rejects.toMatchObject({
      ...{ code: "Conflict", message: expect.stringContaining("bo requested “Hold") },
    });
  });

  test("another user approves the plan that they saw, audited with both names", async () => {
    const id = await waiting();
    const intent = await approve(id);
    expect(intent).toMatchObject({
      ...{ state: "requested", actor: "ana", planHash: "seen by bo" },
      decision: { by: "bo", why: "Agreed" },
    });
    // Its own lifetime starts with the approval.
    expect(intent.expiresAt - (intent.decision?.at ?? 0)).toBe(600_000);
    expect(await entriesOf("intent.approve")).toMatchObject([
      {
        ...{ actorName: "bo", intentId: id, objectName: "w-1", why: "Agreed" },
        before: { planHash: "seen by ana" },
        after: { requestedBy: "ana", planHash: "seen by bo" },
      },
    ]);
  });

  test("another user declines it with a reason, and it is over", async () => {
    const id = await waiting();
    const ended = { state: "rejected", result: "bo declined it: Not on a Friday" };
    expect(await decideIntent(bo(), declined(id))).toMatchObject(ended);
    await expect(approve(id)).rejects.toMatchObject({
      ...{ code: "Precondition", message: expect.stringContaining("bo declined it") },
    });
    expect(await entriesOf("intent.decline")).toMatchObject([
      { actorName: "bo", result: "applied", after: { requestedBy: "ana", state: "rejected" } },
    ]);
  });

  test("the requester decides nothing, even under another name or role; nor does a lesser role", async () => {
    const id = await waiting();
    const again = { ...as("ana", "admin").actor, name: "Ana K." };
    for (const actor of [ana().actor, again, as("vic", "viewer").actor]) {
      const context = { db: database.db, actor };
      const input = { ...declined(id), decision: "approve", planHash: "p" } as const;
      await expect(decideIntent(context, input)).rejects.toMatchObject({ code: "Forbidden" });
      await expect(decideIntent(context, declined(id))).rejects.toMatchObject({
        code: "Forbidden",
      });
    }
    expect((await stored(id)).state).toBe("awaiting-approval");
    expect(await entriesOf("intent.approve")).toMatchObject([
      ...Array(3).fill({ result: "refused", after: { requestedBy: "ana" } }),
    ]);
  });

  test("an action of admins is approved by an admin", async () => {
    const override = { kind: "override", action: { kind: "override", until: UNTIL } } as const;
    const request = release({ ...override, confirmation: "w-1" });
    const { id } = await requestIntent(as("cleo", "admin"), request);
    await expect(approve(id)).rejects.toMatchObject({
      ...{ code: "Forbidden", message: expect.stringContaining("Needs role admin") },
    });
    const input = { cluster: CLUSTER, id, decision: "approve", planHash: "p", why: "ok" } as const;
    expect((await decideIntent(as("dan", "admin"), input)).state).toBe("requested");
  });

  test.each([
    ["is disabled", { banned: true }],
    ["is a viewer now", { role: "viewer" }],
    ["no longer sees the cluster", { restricted: true, clusters: ["other"] }],
  ])("nobody approves for a requester who %s; it can still be declined", async (_name, change) => {
    await addUser("ana", "operator");
    const id = await waiting();
    await database.db.prisma.user.update({ where: { id: "id-ana" }, data: change });
    await expect(approve(id)).rejects.toMatchObject({
      ...{
        code: "Precondition",
        message: expect.stringContaining("ana may no longer request this"),
      },
    });
    expect((await stored(id)).state).toBe("awaiting-approval");
    expect(await decideIntent(bo(), declined(id))).toMatchObject({ state: "rejected" });
  });

  test("an action is approved while its requester may still request it", async () => {
    await addUser("ana", "operator", { restricted: true, clusters: [CLUSTER] });
    expect((await approve(await waiting())).state).toBe("requested");
  });

  test("an action that does not wait cannot be decided, and made-up ids are not found", async () => {
    const { id } = await requestIntent(
      ana(),
      release({ kind: "retry", action: { kind: "retry" } }),
    );
    await expect(approve(id)).rejects.toMatchObject({ code: "Precondition" });
    const wrong = [{ id: randomUUID() }, { id: "no-uuid" }, { id, cluster: "other" }];
    for (const over of wrong) {
      await expect(approve(id, over)).rejects.toMatchObject({ code: "NotFound" });
    }
  });

  test("an action whose end has passed is not approved", async () => {
    const override = { kind: "override", action: { kind: "override", until: UNTIL } } as const;
    const request = release({ ...override, confirmation: "w-1" });
    const { id } = await requestIntent(as("cleo", "admin"), request);
    const past = { kind: "override", until: Date.now() - 1 };
    await database.db.prisma.intent.update({ where: { id }, data: { action: past } });
    const input = { cluster: CLUSTER, id, decision: "approve", planHash: "p", why: "ok" } as const;
    await expect(decideIntent(as("dan", "admin"), input)).rejects.toMatchObject({
      ...{ code: "Invalid", message: expect.stringContaining("has already passed") },
    });
  });

  test("it expires after an hour, with a sentence, and can no longer be approved", async () => {
    const id = await waiting();
    const { requestedAt, expiresAt } = await stored(id);
    expect(expiresAt.getTime() - requestedAt.getTime()).toBe(3_600_000);
    await overdue(id);
    await expect(approve(id)).rejects.toMatchObject({
      ...{ code: "Precondition", message: expect.stringContaining("nobody approved it before") },
    });
    expect(await waitingApprovals(bo(), { cluster: CLUSTER })).toEqual([]);
    expect(await openIntents(database.db, CLUSTER)).toEqual([]);
    const result = "Nobody else approved it before it expired; request it again.";
    expect(await stored(id)).toMatchObject({ state: "expired", result });
  });

  test("each user reads what waits, and whether they can decide", async () => {
    const id = await waiting();
    const of = (context: VerbContext) => waitingApprovals(context, { cluster: CLUSTER });
    expect(await of(bo())).toEqual([expect.objectContaining({ isOwn: false })]);
    expect(await of(bo())).not.toMatchObject([{ whyNot: expect.anything() }]);
    expect(await of(ana())).toMatchObject([
      { intent: { id }, isOwn: true, whyNot: expect.stringContaining("another user") },
    ]);
    expect(await of(as("vic", "viewer"))).toMatchObject([
      { isOwn: false, whyNot: expect.stringContaining("Needs role operator") },
    ]);
    expect(await waitingApprovals(bo(), { cluster: "other" })).toEqual([]);
  });

  test("a waiting action goes on waiting when the option is turned off", async () => {
    const id = await waiting();
    await turn(false);
    expect(await openIntents(database.db, CLUSTER)).toEqual([]);
    expect((await approve(id)).state).toBe("requested");
  });

  /** Runs all attempts at once; returns how many of them succeeded. */
  async function race(id: string): Promise<number> {
    const tries = [
      ...Array.from({ length: 4 }, () => approve(id)),
      ...Array.from({ length: 2 }, () => decideIntent(as("eve"), declined(id))),
    ];
    const withdrawal = cancelIntent(ana(), { cluster: CLUSTER, id });
    const ends = Promise.allSettled([...tries, withdrawal]);
    // Expires overdue intents.
    await openIntents(database.db, CLUSTER);
    return (await ends).filter(({ status }) => status === "fulfilled").length;
  }

  async function decisions(intentId: string): Promise<number> {
    const action = { in: ["intent.approve", "intent.decline"] };
    return database.db.prisma.auditEntry.count({ where: { intentId, result: "applied", action } });
  }

  test("of all who decide and withdraw at the same time one is first", async () => {
    const id = await waiting();
    const done = await race(id);
    const { state, decidedByName } = await stored(id);
    expect(["requested", "rejected", "cancelled"]).toContain(state);
    expect(await decisions(id)).toBe(decidedByName === null ? 0 : 1);
    // The requester may withdraw an approved action until a leader has claimed it.
    const withdrawn = state === "cancelled" ? 1 : 0;
    expect(done).toBe((await decisions(id)) + withdrawn);
  });

  test("nobody decides an action that expires meanwhile", async () => {
    const id = await waiting();
    await overdue(id);
    const done = await race(id);
    const { state } = await stored(id);
    expect(["expired", "cancelled"]).toContain(state);
    expect(await decisions(id)).toBe(0);
    expect(done).toBe(state === "cancelled" ? 1 : 0);
  });
});
