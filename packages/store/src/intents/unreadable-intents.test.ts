import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { useClusterDatabase } from "../../testing/cluster-database.ts";
import { CLUSTER, objectState } from "../../testing/records.ts";
import { listCommentedIntents } from "../comments/commented-lists.ts";
import type { VerbContext } from "../operations/verb.ts";
import { objectView } from "../queries/objects/object-view.ts";
import { cancelIntent } from "./cancel-intent.ts";
import { decideIntent } from "./decide-intent.ts";
import { intentById, intentPages } from "./intents.ts";
import { type IntentRequest, requestIntent } from "./request-intent.ts";

const database = useClusterDatabase();
const ASKED = {
  cluster: CLUSTER,
  filter: {},
  sort: { by: "requested", descending: true },
} as const;
const LATER: Record<string, unknown> = { kind: "rehearse", until: "tomorrow" };

const as = (name: string): VerbContext => ({
  db: database.db,
  actor: { id: `id-${name}`, name, role: "admin" },
});

const retry = (name: string): IntentRequest => ({
  ...{ id: randomUUID(), cluster: CLUSTER, kind: "retry", action: { kind: "retry" } },
  ...{ controller: "cloud-node-controller", object: { kind: "Node", name, uid: `uid-${name}` } },
  why: "The quota was raised",
});

/** Changes the row as a newer release, or a manual edit, might have left it. */
async function damage(id: string, column: string, value: unknown): Promise<void> {
  const { pool } = database.db;
  await pool.query(`UPDATE intents SET ${column} = $2 WHERE id = $1`, [id, value]);
}

const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);

describe("an action that this release cannot read", () => {
  let good = "";
  let bad = "";
  beforeEach(async () => {
    good = (await requestIntent(as("ana"), retry("w-1"))).id;
    bad = (await requestIntent(as("ana"), retry("w-2"))).id;
  });

  test.each([
    ["another action", "wish", LATER],
    ["an action that is none", "wish", "[3]"],
    ["a plan that cannot be one", "preview", { changes: "all of them" }],
    ["progress of loops in another form", "loops", { node: "half" }],
    ["a kind that is not known", "kind", "rehearse"],
    ["a state that is not known", "state", "rehearsing"],
  ])(
    "is listed with what is known of it, and all others as they are: %s",
    async (...[, column, value]) => {
      await damage(bad, column, value);
      const { rows, total } = await listCommentedIntents(database.db, { ...ASKED, limit: 9 });
      expect(total).toMatchObject({ count: 2 });
      expect(idsOf(rows)).toEqual([bad, good]);
      expect(rows[0]).toMatchObject({
        ...{ unreadable: true, id: bad, actor: "ana", why: "The quota was raised" },
        object: { kind: "Node", name: "w-2" },
        requestedAt: expect.any(Number),
      });
      expect(rows[1]).not.toHaveProperty("unreadable");
    },
  );

  test("is in exports, is found by its id, and is among the actions on its object", async () => {
    await database.write(objectState({ name: "w-2", uid: "uid-w-2" }));
    await damage(bad, "wish", LATER);
    for await (const page of intentPages(database.db, ASKED))
      expect(idsOf(page)).toEqual([bad, good]);
    const unreadable = { unreadable: true, id: bad };
    expect(await intentById(database.db, { cluster: CLUSTER, id: bad })).toMatchObject(unreadable);
    const view = await objectView(database.db, { cluster: CLUSTER, kind: "Node", name: "w-2" });
    expect(view.openIntents).toMatchObject([unreadable]);
  });

  test("can be withdrawn, but not approved", async () => {
    await damage(bad, "wish", LATER);
    const why = "Whatever it is";
    const decision = {
      cluster: CLUSTER,
      id: bad,
      decision: "approve",
      planHash: "p",
      why,
    } as const;
    await expect(decideIntent(as("bo"), decision)).rejects.toMatchObject({
      ...{ code: "Precondition", message: expect.stringContaining("cannot read") },
    });
    expect(await cancelIntent(as("ana"), { cluster: CLUSTER, id: bad })).toMatchObject({
      ...{ unreadable: true, state: "cancelled" },
    });
  });

  test("conflicts with another request with its id", async () => {
    await damage(bad, "wish", LATER);
    const again = requestIntent(as("ana"), { ...retry("w-2"), id: bad });
    await expect(again).rejects.toMatchObject({ code: "Conflict" });
  });
});
