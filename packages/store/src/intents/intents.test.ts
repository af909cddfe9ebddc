import { describe, expect, test } from "vitest";
import { allPages } from "../../testing/list-inputs.ts";
import { auditEntry, CLUSTER, heartbeat } from "../../testing/records.ts";
import { useDatabase, useTestServer } from "../../testing/suite-database.ts";
import { clusterById } from "../queries/overview/clusters.ts";
import { listAudit } from "../sql/audit-entries.ts";
import { type IntentsFilter, intentById, listIntents } from "./intents.ts";
import { requestIntent } from "./request-intent.ts";

const server = useTestServer();

describe("audit entries and intents", () => {
  const database = useDatabase(server);
  const ask = (kind: "preview" | "retry", name: string) =>
    requestIntent(
      { db: database.db, actor: { id: "u1", name: "ana", role: "operator" } },
      {
        id: crypto.randomUUID(),
        cluster: CLUSTER,
        kind,
        controller: "cloud-node-controller",
        object: { kind: "Node", name },
        why: "Looked at",
      },
    );

  test("list newest first, by object, in pages", async () => {
    const entries = ["w-1", "w-2", "w-1"].map((name) =>
      auditEntry({ object: { kind: "Node", name } }),
    );
    await database.write(...entries, auditEntry({ cluster: "other" }));
    const input = {
      cluster: CLUSTER,
      filter: { object: { kind: "Node", name: "w-1" } as const },
      sort: { by: "inserted", descending: true } as const,
      limit: 1,
    };
    const rows = await allPages((cursor) => listAudit(database.db, { ...input, cursor }));
    expect(rows.map((row) => row.id)).toEqual([entries[2]?.id, entries[0]?.id]);
    expect(rows[0]).toMatchObject({
      actor: { kind: "controller", id: "ctl-1" },
      result: "applied",
    });
  });

  test("intents page and filter by object and by being open", async () => {
    await database.write(heartbeat());
    for (const name of ["w-1", "w-2", "w-1"]) {
      await ask("retry", name);
    }
    const input = {
      cluster: CLUSTER,
      filter: { open: true, object: { kind: "Node", name: "w-1" } as const },
      sort: { by: "requested", descending: true } as const,
      limit: 1,
    };
    const open = await allPages((cursor) => listIntents(database.db, { ...input, cursor }));
    expect(open).toHaveLength(2);
    await database.db.pool.query("UPDATE intents SET state = 'verified' WHERE id = $1", [
      open[0]?.id,
    ]);
    expect((await listIntents(database.db, input)).rows.map((intent) => intent.id)).toEqual([
      open[1]?.id,
    ]);
    expect(
      await intentById(database.db, { cluster: CLUSTER, id: open[0]?.id ?? "" }),
    ).toMatchObject({
      state: "verified",
      actor: "ana",
    });
  });

  test("a preview is no action: it is neither counted nor listed among those of its object", async () => {
    await database.write(heartbeat());
    for (const kind of ["preview", "retry"] as const) {
      await ask(kind, "w-1");
    }
    const sort = { by: "requested", descending: true } as const;
    const kindsOf = async (filter: { readonly acting?: boolean }) => {
      const { rows, total } = await listIntents(database.db, {
        cluster: CLUSTER,
        filter,
        sort,
        limit: 9,
      });
      return [total.count, ...rows.map(({ kind }) => kind)];
    };
    expect(await kindsOf({})).toEqual([2, "retry", "preview"]);
    expect(await kindsOf({ acting: true })).toEqual([1, "retry"]);
    expect((await clusterById(database.db, CLUSTER)).openIntents).toBe(1);
  });

  test("are found by action, by state, and by text", async () => {
    await database.write(heartbeat());
    const held = await ask("retry", "w_1");
    await ask("retry", "wx1");
    await ask("preview", "w_1");
    await database.db.pool.query(
      "UPDATE intents SET state = 'failed', result = 'It was busy' WHERE id = $1",
      [held.id],
    );
    await database.db.pool.query(
      "UPDATE intents SET object_kind = 'Service', object_namespace = 'shop' WHERE object_name = 'wx1'",
    );
    const found = async (filter: IntentsFilter) => {
      const { rows } = await listIntents(database.db, {
        ...{ cluster: CLUSTER, filter: { acting: true, ...filter }, limit: 9 },
        sort: { by: "requested", descending: true },
      });
      return rows.map(({ object }) => object.name);
    };
    expect(await found({ verbs: ["hold"] })).toEqual([]);
    expect(await found({ verbs: ["retry"], actionStates: ["failed"] })).toEqual(["w_1"]);
    expect(await found({ open: true, actionStates: ["failed"] })).toEqual([]);
    for (const text of ["W_1", "was BUSY"]) expect(await found({ text }), text).toEqual(["w_1"]);
    for (const text of ["shop/wx", "op/WX1"]) expect(await found({ text }), text).toEqual(["wx1"]);
    expect(await found({ text: "shop/w%" })).toEqual([]);
    expect(await found({ text: "looked" })).toHaveLength(2);
    expect(await found({ text: "\\" })).toEqual([]);
  });
});
