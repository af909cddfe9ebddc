import { randomUUID } from "node:crypto";
import type { Role } from "@cloudwright/core/model/roles";
import { describe, expect, test } from "vitest";
import { useClusterDatabase } from "../../testing/cluster-database.ts";
import { CLUSTER } from "../../testing/records.ts";
import type { VerbContext } from "../operations/verb.ts";
import { cancelIntent } from "./cancel-intent.ts";
import { requestIntent } from "./request-intent.ts";

const database = useClusterDatabase();

function as(name: string, role: Role): VerbContext {
  return { db: database.db, actor: { id: `id-${name}`, name, role } };
}
const ana = () => as("ana", "operator");

async function requested(): Promise<string> {
  const intent = await requestIntent(ana(), {
    id: randomUUID(),
    cluster: CLUSTER,
    kind: "retry",
    controller: "cloud-node-controller",
    object: { kind: "Node", name: "w-1" },
    why: "The quota was raised",
  });
  return intent.id;
}

function ends() {
  return database.db.prisma.auditEntry.findMany({ where: { action: "intent.end" } });
}

describe("cancelling an action", () => {
  test.each([
    ["who requested it", ana],
    ["an admin", () => as("bo", "admin")],
  ])("is done by %s, with an audit entry", async (_who, context) => {
    const id = await requested();
    expect(await cancelIntent(context(), { cluster: CLUSTER, id })).toMatchObject({
      state: "cancelled",
      result: "Cancelled before it started.",
    });
    expect(await ends()).toMatchObject([
      { result: "applied", actorName: context().actor.name, after: { state: "cancelled" } },
    ]);
  });

  test("of somebody else is refused and audited", async () => {
    const id = await requested();
    await expect(
      cancelIntent(as("li", "operator"), { cluster: CLUSTER, id }),
    ).rejects.toMatchObject({ code: "Forbidden", message: expect.stringContaining("ana") });
    expect(await ends()).toMatchObject([{ result: "refused", actorName: "li" }]);
    expect(await database.db.prisma.intent.findFirst()).toMatchObject({ state: "requested" });
  });

  test.each([
    ["claimed", "A leader has claimed this action already"],
    ["running", "A leader has claimed this action already"],
    ["verified", "This action has ended already"],
    ["cancelled", "This action has ended already"],
  ])("is refused once it is %s", async (state, why) => {
    const id = await requested();
    await database.db.prisma.intent.update({ where: { id }, data: { state } });
    await expect(cancelIntent(ana(), { cluster: CLUSTER, id })).rejects.toMatchObject({
      code: "Precondition",
      message: expect.stringContaining(why),
    });
    expect(await database.db.prisma.intent.findFirst()).toMatchObject({ state });
    expect(await ends()).toMatchObject([{ result: "refused" }]);
  });

  test("of another cluster or of none is not found", async () => {
    const id = await requested();
    for (const wrong of [
      { cluster: "other", id },
      { cluster: CLUSTER, id: randomUUID() },
      { cluster: CLUSTER, id: "no-uuid" },
    ]) {
      await expect(cancelIntent(ana(), wrong)).rejects.toMatchObject({ code: "NotFound" });
    }
  });
});
