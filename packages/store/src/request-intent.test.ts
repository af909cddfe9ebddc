import { randomUUID } from "node:crypto";
import type { Role } from "@cloudwright/core/model/roles";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../testing/database-fixture.ts";
import { CLUSTER } from "../testing/records.ts";
import { connect, type Database } from "./database.ts";
import { type IntentContext, type IntentRequest, requestIntent } from "./request-intent.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.dispose());

let db: Database;
beforeEach(async () => {
  db = connect(await server.migrated());
  await db.prisma.cluster.create({
    data: { id: CLUSTER, name: "prod-eu", provider: "sandbox", lastHeardAt: new Date() },
  });
  return () => db.close();
});

function as(role: Role): IntentContext {
  return { db, actor: { id: `id-${role}`, name: role, role } };
}

function wish(over: Partial<IntentRequest> = {}): IntentRequest {
  return {
    id: randomUUID(),
    cluster: CLUSTER,
    kind: "retry",
    controller: "cloud-node-controller",
    object: { kind: "Node", name: "w-1" },
    why: "The quota was raised",
    ...over,
  };
}

function audit() {
  return db.prisma.auditEntry.findMany({ orderBy: { seq: "asc" } });
}

describe("asking for an action", () => {
  test("writes the intent and its audit entry", async () => {
    const request = wish();
    const intent = await requestIntent(as("operator"), request);
    expect(intent).toMatchObject({
      id: request.id,
      state: "requested",
      actor: "operator",
      why: "The quota was raised",
    });
    expect(intent.expiresAt - intent.requestedAt).toBe(600_000);
    expect(await audit()).toMatchObject([
      {
        action: "intent.request",
        actorId: "id-operator",
        result: "applied",
        objectName: "w-1",
        intentId: request.id,
      },
    ]);
  });

  test("twice with one id is asking once, also at the same time", async () => {
    const request = wish();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => requestIntent(as("operator"), request)),
    );
    expect(new Set(answers.map((answer) => answer.requestedAt)).size).toBe(1);
    expect(await db.prisma.intent.count()).toBe(1);
    expect(await audit()).toHaveLength(1);
  });

  test("for something else with the same id is a conflict", async () => {
    const request = wish();
    await requestIntent(as("operator"), request);
    const other = wish({ id: request.id, object: { kind: "Node", name: "w-2" } });
    await expect(requestIntent(as("operator"), other)).rejects.toMatchObject({ code: "Conflict" });
  });

  test.each<[Role, IntentRequest["kind"], boolean]>([
    ["viewer", "retry", false],
    ["operator", "retry", true],
    ["admin", "retry", true],
    ["viewer", "preview", true],
  ])("as %s to %s is allowed: %s", async (role, kind, allowed) => {
    const asked = requestIntent(as(role), wish({ kind }));
    if (allowed) await expect(asked).resolves.toMatchObject({ kind });
    else await expect(asked).rejects.toMatchObject({ code: "Forbidden" });
  });

  test("without the right is refused, and the refusal is on the record", async () => {
    await expect(requestIntent(as("viewer"), wish())).rejects.toThrow(
      "Needs role operator; viewer is viewer.",
    );
    expect(await db.prisma.intent.count()).toBe(0);
    expect(await audit()).toMatchObject([{ action: "intent.request", result: "refused" }]);
  });

  test.each([
    ["no reason", { why: "   " }],
    ["an id that is no UUID", { id: "1" }],
    ["an unknown action", { kind: "explode" }],
    ["an unknown controller", { controller: "mine" }],
  ])("with %s is invalid and writes nothing", async (_name, over) => {
    await expect(requestIntent(as("admin"), { ...wish(), ...over })).rejects.toMatchObject({
      code: "Invalid",
    });
    expect(await audit()).toHaveLength(0);
  });

  test("in a cluster that nobody has reported is not found", async () => {
    await expect(requestIntent(as("admin"), wish({ cluster: "nowhere" }))).rejects.toMatchObject({
      code: "NotFound",
    });
  });
});
